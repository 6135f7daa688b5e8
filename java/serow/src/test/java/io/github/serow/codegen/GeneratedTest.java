package io.github.serow.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GeneratedTest {
  @Test
  void aClassIsGeneratedOnceHoweverManyThreadsAskForIt() throws Exception {
    int count = 4;
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CyclicBarrier together = new CyclicBarrier(count);
    try {
      for (int trial = 0; trial < 300; trial++) {
        AtomicInteger generated = new AtomicInteger();
        Generated<Integer> writer = new Generated<>(0, generated::incrementAndGet, false);
        List<Future<?>> calls = new ArrayList<>();
        for (int thread = 0; thread < count; thread++) {
          calls.add(
              threads.submit(
                  () -> {
                    together.await();
                    for (int i = 0; i < 3 * Generated.WORTH_IT; i++) {
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
  void fewRowsAreNotWorthAClass() {
    Generated<String> writer = new Generated<>("walks", () -> "generated", false);
    assertEquals("walks", writer.forRows(Generated.WORTH_IT - 1));
    assertEquals("generated", writer.forRows(1));
    assertEquals("generated", new Generated<>("walks", () -> "generated", true).forRows(1));
  }
}
