package io.github.serow.internal.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.serow.SerowException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TieredCodeTest {
  @Test
  void aClassIsGeneratedOnceHoweverManyThreadsAskForIt() throws Exception {
    int count = 4;
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CyclicBarrier together = new CyclicBarrier(count);
    try {
      for (int trial = 0; trial < 300; trial++) {
        AtomicInteger generated = new AtomicInteger();
        TieredCode<Integer> writer = new TieredCode<>(0, generated::incrementAndGet, false);
        List<Future<?>> calls = new ArrayList<>();
        for (int thread = 0; thread < count; thread++) {
          calls.add(
              threads.submit(
                  () -> {
                    together.await();
                    for (int i = 0; i < 3 * TieredCode.WORTH_IT; i++) {
                      writer.forRows(1);
                    }
                    return null;
                  }));
        }
        for (Future<?> call : calls) {
          call.get();
        }
        assertEquals(1, generated.get());
        assertEquals(1, writer.forRows(1));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aThreadThatLosesTheRaceGoesOnAndReplacesNothing() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger generated = new AtomicInteger();
    TieredCode<String> writer =
        new TieredCode<>(
            "walks",
            () -> {
              started.countDown();
              await(mayEnd);
              return "generated " + generated.incrementAndGet();
            },
            true);
    Thread first = new Thread(() -> writer.forRows(1));
    first.start();
    started.await();
    assertEquals("walks", writer.forRows(1));
    mayEnd.countDown();
    first.join();
    assertEquals("generated 1", writer.forRows(1));
    assertEquals(1, generated.get());
  }

  @Test
  void longRowsCountAsSeveral() {
    TieredCode<String> writer = new TieredCode<>("walks", () -> "generated", false);
    for (int row = 0; row < 20; row++) {
      assertEquals("walks", writer.forRows(1));
      writer.count(100_000 / 8);
    }
    for (int row = 0; row < 2; row++) {
      writer.count(100);
      assertEquals("walks", writer.forRows(1));
    }
    writer.count(Integer.MAX_VALUE);
    assertEquals("generated", writer.forRows(1));
  }

  @Test
  void aFailureIsReportedToEachCaller() {
    AtomicInteger tries = new AtomicInteger();
    TieredCode<String> writer =
        new TieredCode<>(
            "walks",
            () -> {
              throw new SerowException("try " + tries.incrementAndGet());
            },
            true);
    for (int i = 1; i <= 2; i++) {
      SerowException error = assertThrows(SerowException.class, () -> writer.forRows(1));
      assertEquals("try " + i, error.getMessage());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void fewRowsAreNotWorthAClass() {
    TieredCode<String> writer = new TieredCode<>("walks", () -> "generated", false);
    assertEquals("walks", writer.forRows(TieredCode.WORTH_IT - 1));
    assertEquals("generated", writer.forRows(1));
    assertEquals("generated", new TieredCode<>("walks", () -> "generated", true).forRows(1));
  }
}
