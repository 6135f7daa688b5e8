package io.github.serow.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Threads;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InOrderTest {
  private final ExecutorService pool = Executors.newFixedThreadPool(4);

  /** Tasks that an executor has taken and does not run. */
  private final Deque<Runnable> held = new ArrayDeque<>();

  @AfterEach
  void endThePool() {
    pool.shutdown();
  }

  private List<Executor> executors() {
    Executor full =
        task -> {
          throw new RejectedExecutionException("full");
        };
    return List.of(pool, full, Runnable::run, held::add);
  }

  /** Jobs 0 to {@code count - 1}, whose results are ten times the job. */
  private static class Tens implements InOrder.Source<Integer, IOException> {
    final int count;
    final List<Integer> dropped = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger mostRunning = new AtomicInteger();
    int begun;

    Tens(int count) {
      this.count = count;
    }

    @Override
    public Supplier<Integer> next() throws IOException {
      if (begun == count) {
        return null;
      }
      int job = begun++;
      return () -> work(job);
    }

    int work(int job) {
      mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
      try {
        Thread.sleep(0, job % 3 * 100_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      running.decrementAndGet();
      return 10 * job;
    }

    InOrder<Integer, IOException> on(int threads, Executor executor) {
      return new InOrder<>(Threads.of(threads, executor), this, dropped::add);
    }
  }

  private static List<Integer> tens(int count) {
    List<Integer> tens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tens.add(10 * i);
    }
    return tens;
  }

  /** The results until the end, or the first {@code most}. */
  private static List<Integer> some(InOrder<Integer, IOException> jobs, int most)
      throws IOException {
    List<Integer> results = new ArrayList<>();
    for (Integer result; results.size() < most && (result = jobs.next()) != null; ) {
      results.add(result);
    }
    return results;
  }

  @Test
  void resultsAreInOrder() throws IOException {
    for (Executor executor : executors()) {
      for (int threads = 1; threads < 6; threads++) {
        for (int count : new int[] {0, 1, 2, 7, 100}) {
          Tens tens = new Tens(count);
          try (InOrder<Integer, IOException> jobs = tens.on(threads, executor)) {
            assertEquals(tens(count), some(jobs, Integer.MAX_VALUE));
            assertNull(jobs.next());
          }
          assertTrue(tens.mostRunning.get() <= threads, tens.mostRunning + " at once");
        }
      }
    }
  }

  @Test
  void fewJobsAreBegunBeforeTheyAreTaken() throws IOException {
    for (Executor executor : executors()) {
      Tens tens = new Tens(100);
      try (InOrder<Integer, IOException> jobs = tens.on(3, executor)) {
        for (int taken = 1; taken < 50; taken++) {
          jobs.next();
          assertTrue(tens.begun <= taken + 3, tens.begun + " jobs after " + taken);
        }
      }
    }
  }

  @Test
  void nothingRunsAfterTheEnd() throws IOException {
    for (Executor executor : executors()) {
      Tens tens = new Tens(1000);
      try (InOrder<Integer, IOException> jobs = tens.on(2, executor)) {
        assertEquals(tens(6), some(jobs, 6));
      }
      assertEquals(0, tens.running.get());
      assertTrue(tens.dropped.stream().allMatch(result -> result > 50));
      held.forEach(Runnable::run);
      assertEquals(0, tens.running.get());
    }
  }

  @Test
  void theErrorOfAJobIsThrownInItsTurn() throws IOException {
    for (Executor executor : executors()) {
      Tens tens =
          new Tens(100) {
            @Override
            int work(int job) {
              if (job == 7) {
                throw new IllegalStateException("job 7");
              }
              return super.work(job);
            }
          };
      try (InOrder<Integer, IOException> jobs = tens.on(2, executor)) {
        assertEquals(tens(7), some(jobs, 7));
        Exception error = assertThrows(IllegalStateException.class, jobs::next);
        assertEquals("job 7", error.getMessage());
      }
      assertEquals(0, tens.running.get());
    }
  }

  @Test
  void theSourceGoesOnAfterItsErrorWasThrownInItsTurn() throws IOException {
    for (Executor executor : executors()) {
      boolean[] hasFailed = {false};
      Tens tens =
          new Tens(10) {
            @Override
            public Supplier<Integer> next() throws IOException {
              if (begun == 7 && !hasFailed[0]) {
                hasFailed[0] = true;
                throw new IOException("not now");
              }
              return super.next();
            }
          };
      try (InOrder<Integer, IOException> jobs = tens.on(3, executor)) {
        assertEquals(tens(7), some(jobs, 7));
        assertEquals("not now", assertThrows(IOException.class, jobs::next).getMessage());
        assertEquals(List.of(70, 80, 90), some(jobs, 10));
      }
    }
  }

  @Test
  void anInterruptIsKept() throws IOException {
    Thread.currentThread().interrupt();
    try (InOrder<Integer, IOException> jobs = new Tens(20).on(2, pool)) {
      assertEquals(tens(20), some(jobs, 20));
    }
    assertTrue(Thread.interrupted());
  }

  @Test
  void nobodyWaitsForABusyExecutor() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService one = Executors.newSingleThreadExecutor();
    one.submit(
        () -> {
          end.await();
          return null;
        });
    try (InOrder<Integer, IOException> jobs = new Tens(20).on(3, one)) {
      assertEquals(tens(20), some(jobs, 20));
    }
    assertFalse(one.isTerminated());
    end.countDown();
    one.shutdown();
  }

  @Test
  void aTaskOfAPoolOfOneUsesThePool() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    assertEquals(
        tens(20),
        one.submit(
                () -> {
                  try (InOrder<Integer, IOException> jobs = new Tens(20).on(3, one)) {
                    return some(jobs, 20);
                  }
                })
            .get());
    one.shutdown();
  }
}
