package io.github.serow.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InOrderTest {
  /** Jobs 0 to {@code count - 1}, whose results are ten times the job. */
  private static class Tens implements InOrder.Jobs<Integer, Integer, RuntimeException> {
    final int count;
    final List<Integer> taken = new ArrayList<>();
    final List<Integer> dropped = new ArrayList<>();
    final AtomicInteger running = new AtomicInteger();
    int begun;

    Tens(int count) {
      this.count = count;
    }

    @Override
    public Integer next() {
      return begun < count ? begun++ : null;
    }

    @Override
    public Integer work(Integer job) {
      running.incrementAndGet();
      try {
        Thread.sleep(0, job % 3 * 100_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      running.decrementAndGet();
      return 10 * job;
    }

    @Override
    public boolean take(Integer result) {
      taken.add(result);
      return true;
    }

    @Override
    public void drop(Integer result) {
      dropped.add(result);
    }
  }

  private static List<Integer> tens(int count) {
    List<Integer> tens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tens.add(10 * i);
    }
    return tens;
  }

  @Test
  void resultsAreInOrder() {
    for (int threads = 1; threads < 6; threads++) {
      for (int count : new int[] {0, 1, 2, 7, 200}) {
        Tens jobs = new Tens(count);
        InOrder.run(threads, jobs);
        assertEquals(tens(count), jobs.taken);
      }
    }
  }

  @Test
  void nothingRunsAfterTheEnd() {
    Tens jobs =
        new Tens(1000) {
          @Override
          public boolean take(Integer result) {
            super.take(result);
            return result < 50;
          }
        };
    InOrder.run(2, jobs);
    assertEquals(tens(6), jobs.taken);
    assertEquals(0, jobs.running.get());
    assertTrue(jobs.begun <= 6 + 3, jobs.begun + " jobs");
    assertTrue(jobs.dropped.stream().allMatch(result -> result > 50));
  }

  @Test
  void theErrorOfAJobIsThrownInItsTurn() {
    Tens jobs =
        new Tens(100) {
          @Override
          public Integer work(Integer job) {
            if (job == 7) {
              throw new IllegalStateException("job 7");
            }
            return super.work(job);
          }
        };
    Exception error = assertThrows(IllegalStateException.class, () -> InOrder.run(2, jobs));
    assertEquals("job 7", error.getMessage());
    assertEquals(tens(7), jobs.taken);
    assertEquals(0, jobs.running.get());
  }

  @Test
  void anInterruptIsKept() {
    Thread.currentThread().interrupt();
    Tens jobs = new Tens(20);
    InOrder.run(2, jobs);
    assertTrue(Thread.interrupted());
    assertEquals(tens(20), jobs.taken);
  }

  @Test
  void permitsComeBack() {
    int all = ThreadCount.take(Integer.MAX_VALUE);
    assertEquals(0, ThreadCount.take(1));
    Tens jobs = new Tens(5);
    InOrder.run(3, jobs);
    assertEquals(tens(5), jobs.taken);
    ThreadCount.giveBack(all);
    assertEquals(all, ThreadCount.take(Integer.MAX_VALUE));
    ThreadCount.giveBack(all);
  }

  @Test
  void autoUsesMoreThreadsForLongerJobs() {
    assertEquals(1, ThreadCount.choose(Threads.auto(), 1000, 0));
    int most = ThreadCount.choose(Threads.of(1 << 20), 1000, 0);
    assertEquals(most, ThreadCount.choose(Threads.auto(), 1000, 1e12));
    assertEquals(1, ThreadCount.choose(Threads.auto(), 1, 1e12));
  }
}
