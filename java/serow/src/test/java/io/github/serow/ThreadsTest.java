package io.github.serow;

import static io.github.serow.RoundTripTest.row;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  @Test
  void oneCodecServesManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str, [f64])"))) {
      List<Future<Void>> done = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int seed = thread;
        Callable<Void> task =
            () -> {
              for (int round = 0; round < 40; round++) {
                List<Object[]> rows = rows(seed * 100 + round, 50 * round);
                Same.assertSame(rows, codec.decode(codec.encode(rows)));
                Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.ROW)));
              }
              return null;
            };
        done.add(threads.submit(task));
      }
      for (Future<Void> task : done) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Object[]> rows(int seed, int count) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Object> numbers = new ArrayList<>();
      for (int k = 0; k < i % 4; k++) {
        numbers.add((seed + k) * 0.5);
      }
      rows.add(row((long) seed * i, "s" + seed + "-" + i % 20, numbers));
    }
    return rows;
  }
}
