package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Large messages do not keep the garbage collector waiting. */
class StallTest {
  /** Encodes and decodes large messages in some threads while another one allocates. */
  public static final class Program {
    private static final int THREADS = 3;
    private static final int CHARS = 8_000_000;

    private Program() {}

    /** Prints by how many milliseconds the longest allocation exceeded the time of an usual one. */
    public static void main(String[] arguments) throws Exception {
      AtomicBoolean isOver = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        char letter = i == 0 ? 'é' : (char) ('a' + i);
        threads.add(new Thread(() -> roundTrips(letter, isOver, failure)));
      }
      threads.forEach(Thread::start);
      long longest = 0;
      byte[][] some = new byte[64][];
      for (long end = System.nanoTime() + 5_000_000_000L, i = 0; System.nanoTime() < end; i++) {
        long begin = System.nanoTime();
        some[(int) (i % some.length)] = new byte[100_000];
        longest = Math.max(longest, System.nanoTime() - begin);
      }
      isOver.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      if (failure.get() != null) {
        throw new AssertionError(failure.get());
      }
      System.out.println(longest / 1_000_000);
    }

    private static void roundTrips(
        char letter, AtomicBoolean isOver, AtomicReference<Throwable> failure) {
      char[] chars = new char[CHARS];
      Arrays.fill(chars, letter);
      Object[] row = {1L, new String(chars)};
      try (Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str)"))) {
        while (!isOver.get()) {
          Object[] back = codec.decode(codec.encode(List.<Object[]>of(row))).get(0);
          if (!back[1].equals(row[1])) {
            throw new AssertionError("the text has changed");
          }
        }
      } catch (Throwable e) {
        failure.set(e);
      }
    }
  }

  @Test
  @Tag("heavy")
  void largeTextKeepsNoThreadWaiting() throws Exception {
    Jvm jvm = new Jvm(List.of("-Xmx1g", "-XX:+UseG1GC"), Map.of("SEROW_TIER", "interpreter"));
    List<String> lines = jvm.run(Program.class).lines();
    assertEquals(1, lines.size());
    // The threads are more than the cores of many machines, so the limit is generous.
    assertTrue(Long.parseLong(lines.get(0)) < 1000, lines.toString());
  }
}
