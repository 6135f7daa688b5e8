package io.github.serow.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.serow.Codec;
import io.github.serow.Jvm;
import io.github.serow.RoundTrip;
import io.github.serow.Schema;
import io.github.serow.Serow;
import io.github.serow.Wire;
import io.github.serow.internal.jni.Native;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory between messages, in Java and in native code. */
class MemoryTest {
  private static final int CODECS = 40;

  /** Lets new threads encode and decode one large message each, in several rounds. */
  public static final class Rounds {
    private static final int TEXT = 1000;

    private Rounds() {}

    /** Prints the budget's use, and the memory of the process in MB, after each round. */
    public static void main(String[] arguments) throws Exception {
      int rows = Integer.parseInt(arguments[0]) * 1_000_000 / TEXT;
      for (int round = 0; round < 3; round++) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          int seed = i;
          threads.add(new Thread(() -> roundTrip(rows, seed)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
          thread.join();
        }
        threads.clear();
        System.gc();
        System.out.println(Native.memoryKept() + " " + resident());
      }
    }

    private static void roundTrip(int count, int seed) {
      byte[] text = new byte[TEXT];
      List<Object[]> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        new java.util.Random(i + seed).nextBytes(text);
        rows.add(new Object[] {(long) i, text.clone()});
      }
      Codec<Object[]> codec =
          Codec.of(Schema.parse("(i64, bytes)")).withWire(Wire.values()[seed % 2]);
      byte[] message = codec.encodeAll(rows);
      rows.clear();
      if (codec.decodeAll(message).size() != count) {
        throw new AssertionError();
      }
    }

    private static long resident() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) / 1000;
        }
      }
      throw new IOException("the system does not report the memory of a process");
    }
  }

  /** Keeps the memory of a large message, and then writes only records, in Java. */
  public static final class Idle {
    private Idle() {}

    /**
     * Prints how many MB are kept: after a message, after some records, and after some records ten
     * seconds later.
     */
    public static void main(String[] arguments) {
      Codec<Object[]> codec = Codec.of(Schema.parse("(i64, bytes)"));
      codec.decodeAll(codec.encodeAll(rows()));
      print();
      writeRecords(codec);
      print();
      Pool.ALL.clock = () -> System.nanoTime() + Pool.IDLE_NANOS;
      writeRecords(codec);
      print();
    }

    private static List<Object[]> rows() {
      List<Object[]> rows = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        rows.add(new Object[] {(long) i, new byte[100_000]});
        new java.util.Random(i).nextBytes((byte[]) rows.get(i)[1]);
      }
      return rows;
    }

    private static void writeRecords(Codec<Object[]> codec) {
      for (int i = 0; i < 100; i++) {
        codec.encode(new Object[] {1L, new byte[1]});
      }
    }

    private static void print() {
      System.out.println(Native.memoryKept() / 1_000_000);
    }
  }

  /** Keeps the memory of a large message, and frees it. */
  public static final class Trimmed {
    private Trimmed() {}

    /** Prints how many MB are kept: after a message, and after the program has freed them. */
    public static void main(String[] arguments) {
      Codec<Object[]> codec = Codec.of(Schema.parse("(i64, bytes)"));
      codec.decodeAll(codec.encodeAll(Idle.rows()));
      Idle.print();
      Serow.trimMemory();
      Idle.print();
    }
  }

  private static Jvm.Result rounds(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("-Xmx900m", "-XX:+UseSerialGC"));
    all.addAll(List.of(options));
    return new Jvm(all, Map.of("SEROW_TIER", "interpreter")).run(Rounds.class, "60");
  }

  @Test
  @Tag("heavy")
  void manyThreadsKeepNoMoreThanTheBudget() throws Exception {
    long budget = 100_000_000;
    Jvm.Result result = rounds("-Dserow.memory=" + budget);
    assertEquals(0, result.exitCode());
    assertEquals(3, result.lines().size());
    for (String line : result.lines()) {
      String[] numbers = line.split(" ");
      assertTrue(Long.parseLong(numbers[0]) <= budget, line);
      // The heap, the kept memory, and what the JVM itself takes.
      assertTrue(Long.parseLong(numbers[1]) < 900 + 100 + 200, line);
    }
  }

  @Test
  void theBudgetMayBeNothing() throws Exception {
    Jvm none = new Jvm(List.of("-Dserow.memory=0"), Map.of());
    assertEquals(List.of("[1, a]", "[1, a]"), none.run(RoundTrip.class).lines());
    Jvm.Result result =
        new Jvm(List.of("-Xmx300m", "-Dserow.memory=0"), Map.of()).run(Rounds.class, "2");
    assertEquals(0, result.exitCode());
    for (String line : result.lines()) {
      assertTrue(line.startsWith("0 "), line);
    }
  }

  @Test
  void idleMemoryIsFreedByLaterCalls() throws Exception {
    List<String> kept = new Jvm(List.of("-Xmx500m"), Map.of()).run(Idle.class).lines();
    assertEquals(3, kept.size());
    assertTrue(Long.parseLong(kept.get(0)) > 30, kept.toString());
    assertEquals(kept.get(0), kept.get(1));
    assertEquals("0", kept.get(2));
  }

  @Test
  void aProgramFreesIdleMemory() throws Exception {
    List<String> kept = new Jvm(List.of("-Xmx500m"), Map.of()).run(Trimmed.class).lines();
    assertEquals(2, kept.size());
    assertTrue(Long.parseLong(kept.get(0)) > 30, kept.toString());
    assertEquals("0", kept.get(1));
  }

  @Test
  void aBudgetThatIsNotANumberIsReportedInOneLineByEachCall() throws Exception {
    String line = "-Dserow.memory must be a number of bytes, for example 67108864, not 64m";
    Jvm jvm = new Jvm(List.of("-Dserow.memory=64m"), Map.of());
    assertEquals(List.of(line, line), jvm.run(RoundTrip.class).lines());
  }

  @Test
  void schemasThatTakeTurnsKeepTheirColumns() {
    List<Codec<Object[]>> codecs = new ArrayList<>();
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < CODECS; i++) {
      Codec<Object[]> codec =
          Codec.of(Schema.parse("(" + "i64, ".repeat(16) + "f64, ".repeat(i + 1) + ")"))
              .withWire(Wire.FRAME);
      Object[] row = new Object[17 + i];
      for (int field = 0; field < row.length; field++) {
        row[field] = field < 16 ? (Object) 1L : (Object) 0.5;
      }
      codecs.add(codec);
      messages.add(codec.encodeAll(List.<Object[]>of(row)));
    }
    decodeInTurns(codecs, messages);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    int count = decodeInTurns(codecs, messages);
    long each = (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / count;
    // A row takes 1 kB, and columns of one schema would take 3 kB.
    assertTrue(each < 2000, each + " bytes a message");
  }

  private static int decodeInTurns(List<Codec<Object[]>> codecs, List<byte[]> messages) {
    int count = 0;
    for (int i = 0; i < 1000; i++, count++) {
      assertEquals(1, codecs.get(i % CODECS).decodeAll(messages.get(i % CODECS)).size());
    }
    return count;
  }
}
