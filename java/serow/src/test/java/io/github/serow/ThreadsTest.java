package io.github.serow;

import static io.github.serow.RoundTripTest.row;

import java.util.ArrayList;
import java.util.Arrays;
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
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str, [f64])"));
    try {
      List<Future<Void>> done = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int seed = thread;
        Callable<Void> task =
            () -> {
              for (int round = 0; round < 40; round++) {
                List<Object[]> rows = rows(seed * 100 + round, 50 * round);
                Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
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

  /** Virtual threads if this JVM has them (Java 21), otherwise fewer of its usual ones. */
  @Test
  void aThousandThreadsUseTenCodecsInTurns() throws Exception {
    boolean isVirtual = Runtime.version().feature() >= 21;
    ExecutorService threads =
        isVirtual
            ? (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)
            : Executors.newFixedThreadPool(16);
    List<Codec<Object[]>> codecs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String schema = "(i64, str, [f64]" + ", i64".repeat(i) + ")";
      codecs.add(Codec.of(Schema.parse(schema)).withWire(Wire.values()[i % 2]));
    }
    try {
      List<Future<Void>> done = new ArrayList<>();
      for (int thread = 0; thread < 1000; thread++) {
        int seed = thread;
        Callable<Void> task =
            () -> {
              for (int round = 0; round < 20; round++) {
                int fields = (seed + round) % 10;
                Codec<Object[]> codec = codecs.get(fields);
                List<Object[]> rows = rows(seed, 1 + round);
                rows.replaceAll(row -> withMore(row, fields));
                Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
                List<Object[]> records = new ArrayList<>();
                for (Object[] row : rows) {
                  records.add(codec.decode(codec.encode(row)));
                }
                Same.assertSame(rows, records);
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

  private static Object[] withMore(Object[] row, int fields) {
    Object[] more = Arrays.copyOf(row, row.length + fields);
    Arrays.fill(more, row.length, more.length, 7L);
    return more;
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
