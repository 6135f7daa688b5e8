package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.row;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares compiled code with the interpreter. All other tests also run with compiled code only.
 */
public class CompiledTest {
  /** The tier of a codec after {@link Codec#compile} in this process. */
  private static final Tier COMPILED =
      "interpreter".equals(System.getenv("SEROW_TIER")) || !hasCompiler()
          ? Tier.INTERPRETER
          : Tier.JIT;

  /** Whether the native library was built with the compiler. */
  public static boolean hasCompiler() {
    NativeLibrary.require("the compiler");
    try {
      return !Native.compilerSelfTest().isEmpty();
    } catch (SerowException e) {
      return false;
    }
  }

  @Provide
  Arbitrary<RandomRowsTest.Sample> samples() {
    return new RandomRowsTest().samples();
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void compiledCodeWritesTheSameBytes(
      @ForAll("samples") RandomRowsTest.Sample sample, @ForAll("mixedRows") List<Object> others) {
    List<Object> rows = new ArrayList<>(sample.rows());
    rows.addAll(sample.rows());
    for (Wire wire : Wire.values()) {
      Codec<Object> codec = Codec.ofAny(Schema.parse(sample.schema())).withWire(wire);
      final byte[] interpreted = codec.encodeAll(rows);
      final List<String> errors = errors(codec, rows, others);
      codec.compile();
      assertEquals(wire == Wire.ROW ? Tier.JAVA : COMPILED, codec.tier());
      assertArrayEquals(interpreted, codec.encodeAll(rows));
      assertEquals(errors, errors(codec, rows, others));
      Same.assertSame(rows, codec.decodeAll(interpreted));
    }
  }

  /** The results for each of {@code others} among {@code rows}. */
  private static List<String> errors(Codec<Object> codec, List<Object> rows, List<Object> others) {
    List<String> errors = new ArrayList<>();
    for (Object other : others) {
      List<Object> mixed = new ArrayList<>(rows);
      mixed.add(rows.size() / 2, other);
      try {
        errors.add(Arrays.toString(codec.encodeAll(mixed)));
      } catch (EncodeException e) {
        errors.add(e.getMessage());
      }
    }
    return errors;
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void textOfAllKindsAmongPlainText(Wire wire) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(
          row(
              (long) i,
              switch (i % 1000) {
                case 17 -> "Stra\u00dfe";
                case 400 -> "\ud83d\ude00";
                case 800 -> "\ud800 alone";
                case 900 -> "long ".repeat(i % 7000);
                default -> "part " + i % 300;
              },
              i % 5 == 0 ? null : i * 0.25));
    }
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str, f64?)")).withWire(wire);
    byte[] interpreted = codec.encodeAll(rows);
    codec.compile();
    assertArrayEquals(interpreted, codec.encodeAll(rows));
    Same.assertSame(rows, codec.decodeAll(interpreted));
  }

  @Test
  void whatIsCompiledCanBeRead() {
    assumeTrue(hasCompiler());
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, f64)")).withWire(Wire.ROW);
    assertTrue(codec.ir().contains("define i64 "), codec.ir());
  }

  @Test
  void threadsMeetAtOneNewSchema() throws Exception {
    int count = 8;
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CyclicBarrier together = new CyclicBarrier(count);
    Schema schema = Schema.parse("(str, i64, [bool], i64, f64?, str)");
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      rows.add(row("a" + i % 50, (long) i, list(i % 2 == 0), 7L, i % 3 == 0 ? 0.5 : null, "b" + i));
    }
    try {
      List<Future<byte[]>> messages = new ArrayList<>();
      for (int thread = 0; thread < count; thread++) {
        Wire wire = Wire.values()[thread % 2];
        Callable<byte[]> task =
            () -> {
              together.await();
              Codec<Object[]> codec = Codec.of(schema).withWire(wire);
              byte[] message = codec.encodeAll(rows);
              codec.compile();
              assertEquals(wire == Wire.ROW ? Tier.JAVA : COMPILED, codec.tier());
              assertArrayEquals(message, codec.encodeAll(rows));
              return message;
            };
        messages.add(threads.submit(task));
      }
      for (int thread = 2; thread < count; thread++) {
        assertArrayEquals(messages.get(thread % 2).get(), messages.get(thread).get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Encodes rows of all kinds, and prints the time and a hash of the messages. */
  static final class Tiers {
    private Tiers() {}

    /** Prints a hash of the bytes of many messages. */
    public static void main(String[] arguments) {
      Random random = new Random(4);
      List<Integer> hashes = new ArrayList<>();
      for (int message = 0; message < 60; message++) {
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
          rows.add(row(values(random, message % 20)));
        }
        for (Wire wire : Wire.values()) {
          byte[] bytes = Serow.dumps(rows, wire);
          Same.assertSame(rows, Serow.loads(bytes));
          hashes.add(Arrays.hashCode(bytes));
        }
      }
      System.out.println(hashes.hashCode());
    }

    /**
     * The fields of a row. In {@code often} percent of the rows, a field has another type than
     * usual.
     */
    private static Object[] values(Random random, int often) {
      Object[] values = {
        random.nextLong() >> random.nextInt(64), "n" + random.nextInt(40), random.nextInt() / 8.0
      };
      if (random.nextInt(100) < often) {
        Object[] others = {null, "\u00e9t\u00e9", "\udc00", list(1L, "x"), 0.5, true, 3L};
        values[random.nextInt(3)] = others[random.nextInt(others.length)];
      }
      return values;
    }
  }

  @Test
  void allTiersWriteTheSameBytes() throws Exception {
    List<Jvm.Result> results = new ArrayList<>();
    for (String tier : List.of("interpreter", "auto", "jit")) {
      results.add(tier(tier).run(Tiers.class));
    }
    assertEquals(0, results.get(0).exitCode());
    assertEquals(results.get(0), results.get(1));
    assertEquals(results.get(0), results.get(2));
  }

  private static Jvm tier(String name) {
    return new Jvm(List.of(), Map.of("SEROW_TIER", name));
  }

  /** Encodes until compiled code is used, and prints when that happened. */
  static final class Becomes {
    private Becomes() {}

    /** Prints the tier before the first row, after it, and at the end. */
    public static void main(String[] arguments) throws InterruptedException {
      Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str)"));
      try {
        List<Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
          rows.add(row((long) i, "s" + i % 7));
        }
        System.out.println(codec.tier());
        codec.withWire(Wire.FRAME).encodeAll(rows.subList(0, 1));
        System.out.println(codec.tier());
        for (int i = 0; i < 20_000 && codec.tier() == Tier.INTERPRETER; i++) {
          codec.encodeAll(rows);
        }
        System.out.println(codec.tier());
      } catch (SerowException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void rowsChangeOverToCompiledCodeAsTheEnvironmentSays() throws Exception {
    assumeTrue(hasCompiler());
    assertEquals(
        List.of("INTERPRETER", "INTERPRETER", "JIT"), tier("auto").run(Becomes.class).lines());
    assertEquals(List.of("INTERPRETER", "JIT", "JIT"), tier("jit").run(Becomes.class).lines());
    assertEquals(
        List.of("INTERPRETER", "INTERPRETER", "INTERPRETER"),
        tier("interpreter").run(Becomes.class).lines());
  }

  @Test
  void anUnknownTierIsReportedInOneLineByEachCall() throws Exception {
    String line = "SEROW_TIER must be 'auto', 'interpreter' or 'jit', or not be set";
    assertEquals(List.of(line, line), tier("fast").run(RoundTrip.class).lines());
  }

  /** Exits in one of several ways while plans are being compiled. */
  static final class Ends {
    private Ends() {}

    /** {@code Ends how milliseconds}: prints that it has started, and exits with code 7. */
    public static void main(String[] arguments) throws Exception {
      System.out.println("begins");
      Schema schema = Schema.parse("(" + "i64, str, f64?, ".repeat(130) + ")");
      Object[] row = new Object[390];
      Arrays.setAll(row, i -> i % 3 == 0 ? (Object) 1L : i % 3 == 1 ? "a" : null);
      Thread compiles =
          new Thread(
              () -> {
                Codec<Object[]> codec = Codec.of(schema);
                codec.compile();
              });
      compiles.setDaemon(true);
      compiles.start();
      Codec<Object[]> codec =
          Codec.of(Schema.parse("((i64, str, f64?, " + "i64, str, f64?, ".repeat(9) + "),)"));
      List<Object[]> nested = List.<Object[]>of(new Object[] {Arrays.copyOf(row, 30)});
      long end = System.nanoTime() + 1_000_000 * Long.parseLong(arguments[1]);
      while (System.nanoTime() < end) {
        codec.encodeAll(nested);
      }

      switch (arguments[0]) {
        case "halt" -> Runtime.getRuntime().halt(7);
        case "exit" -> System.exit(7);
        default -> throw new IllegalStateException("no way to end is called " + arguments[0]);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"halt,20", "halt,50", "halt,120", "exit,20", "exit,50", "exit,120"})
  void theProcessMayEndWhileThreadsCompile(String how, String milliseconds) throws Exception {
    for (int i = 0; i < 2; i++) {
      assertEquals(
          new Jvm.Result(7, List.of("begins")), tier("auto").run(Ends.class, how, milliseconds));
    }
  }
}
