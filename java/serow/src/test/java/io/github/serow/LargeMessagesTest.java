package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages and streams of several frames, on any number of threads. */
@Tag("once")
class LargeMessagesTest {
  private static final int MOST_ROWS = 65_536;

  /** Refuses every task. */
  private static final Executor FULL =
      task -> {
        throw new RejectedExecutionException("full");
      };

  private static final ExecutorService POOL = Executors.newFixedThreadPool(4);

  @AfterAll
  static void endThePool() {
    POOL.shutdown();
  }

  static List<Threads> threads() {
    return List.of(
        Threads.of(2), Threads.of(7, POOL), Threads.of(3, FULL), Threads.of(3, Runnable::run));
  }

  private static List<Object> numbers(int count) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add((long) i * i);
    }
    return rows;
  }

  /** Rows of four frames, some of which are short because a row is long. */
  private static List<Object> mixedLengths() {
    List<Object> rows = numbers(3 * MOST_ROWS);
    rows.replaceAll(number -> new Object[] {number, "x".repeat((int) ((long) number % 7))});
    rows.set(70_000, new Object[] {1L, "y".repeat(20_000_000)});
    return rows;
  }

  private static void assertSameBytes(List<Object> rows, Wire wire, Compression compression) {
    byte[] expected = Serow.options().withWire(wire).withCompression(compression).dumps(rows);
    for (Threads threads : threads()) {
      byte[] bytes =
          Serow.options()
              .withWire(wire)
              .withCompression(compression)
              .withThreads(threads)
              .dumps(rows);
      assertTrue(Arrays.equals(expected, bytes), wire + " " + threads);
      Same.assertSame(rows, Serow.options().withThreads(threads).loads(bytes));
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesDoNotDependOnTheThreads(Wire wire) {
    for (int count : new int[] {0, 1, 1023, 1024, MOST_ROWS, MOST_ROWS + 1, 200_000}) {
      assertSameBytes(numbers(count), wire, Compression.none());
    }
    assertSameBytes(numbers(200_000), wire, Compression.zstd());
    assertSameBytes(mixedLengths(), wire, Compression.none());
  }

  @ParameterizedTest
  @EnumSource
  void fewLongRowsHaveSeveralFrames(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      rows.add(i + "x".repeat(100_000));
    }
    assertSameBytes(rows, wire, Compression.none());
    Codec<Object> one = Codec.ofAny(Schema.parse("str")).withWire(wire);
    ByteBuffer expected = ByteBuffer.allocate(80_000_000);
    ByteBuffer buffer = ByteBuffer.allocateDirect(80_000_000);
    one.encodeAllInto(rows, expected);
    one.withThreads(Threads.of(3, POOL)).encodeAllInto(rows, buffer);
    assertEquals(expected.flip(), buffer.flip());
  }

  @ParameterizedTest
  @EnumSource
  void rowsThatDoNotFitWidenTheSchemaAtTheSamePlaces(Wire wire) {
    for (int other : new int[] {1000, MOST_ROWS - 1, MOST_ROWS, MOST_ROWS + 1, 150_000}) {
      List<Object> rows = numbers(3 * MOST_ROWS);
      rows.set(other, "text");
      rows.set(other + 100, null);
      assertSameBytes(rows, wire, Compression.none());
    }
  }

  @Test
  void rowsThatAreNotPlainAreReplaced() {
    List<Object> rows = numbers(3 * MOST_ROWS);
    for (int i = 500; i < rows.size(); i += i % 1000 == 0 ? 1 : 61) {
      rows.set(i, Optional.of(rows.get(i)));
    }
    byte[] expected = Serow.dumps(rows, Wire.FRAME);
    for (Threads threads : threads()) {
      assertArrayEquals(
          expected,
          Serow.options()
              .withWire(Wire.FRAME)
              .withCompression(Compression.none())
              .withThreads(threads)
              .dumps(rows));
    }
    Same.assertSame(
        numbers(3 * MOST_ROWS), Serow.options().withThreads(Threads.of(2)).loads(expected));
  }

  record Part(long key, String name, Optional<Double> price) {}

  private static List<Part> parts(int count) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Optional<Double> price = i % 5 == 0 ? Optional.empty() : Optional.of(i / 8.0);
      parts.add(new Part(i, "part " + i % 1000, price));
    }
    return parts;
  }

  @ParameterizedTest
  @MethodSource("threads")
  void codecsOfClassesUseThreads(Threads threads) {
    List<Part> parts = parts(150_000);
    Codec<Part> one = Codec.of(Part.class);
    Codec<Part> codec = one.withThreads(threads);
    byte[] expected = one.encodeAll(parts);
    assertArrayEquals(expected, codec.encodeAll(parts));
    assertEquals(parts, codec.decodeAll(expected));
    for (ByteBuffer buffer :
        List.of(
            ByteBuffer.allocate(expected.length + 10),
            ByteBuffer.allocateDirect(expected.length + 10))) {
      buffer.position(3);
      assertEquals(expected.length, codec.encodeAllInto(parts, buffer));
      buffer.flip().position(3);
      assertEquals(parts, codec.decodeAll(buffer));
      assertEquals(0, buffer.remaining());
    }
    ByteBuffer small = ByteBuffer.allocate(expected.length - 1);
    BufferTooSmallException error =
        assertThrows(BufferTooSmallException.class, () -> codec.encodeAllInto(parts, small));
    assertEquals(expected.length, error.needed());
    assertEquals(0, small.position());
  }

  @ParameterizedTest
  @MethodSource("threads")
  void errorsAreThoseOfOneThread(Threads threads) {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64,)"));
    for (int bad : new int[] {3, MOST_ROWS + 5, 2 * MOST_ROWS, 3 * MOST_ROWS - 1}) {
      List<Object[]> rows = new ArrayList<>();
      for (long i = 0; i < 3 * MOST_ROWS; i++) {
        rows.add(new Object[] {i == bad ? "no" : (Object) i});
      }
      EncodeException one = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
      EncodeException many =
          assertThrows(EncodeException.class, () -> codec.withThreads(threads).encodeAll(rows));
      assertEquals(one.getMessage(), many.getMessage());
      assertEquals(bad, many.row().orElseThrow());
    }
  }

  /** A record whose getter and constructor fail for one key. */
  record Fussy(long key) {
    static long bad = -1;

    Fussy {
      if (key == bad) {
        throw new IllegalStateException("bad key " + key);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aConstructorThatFailsIsTheErrorOfItsRow(Threads threads) {
    List<Fussy> rows = new ArrayList<>();
    for (long i = 0; i < 200_000; i++) {
      rows.add(new Fussy(i));
    }
    Codec<Fussy> one = Codec.of(Fussy.class);
    byte[] message = one.encodeAll(rows);
    Codec<Fussy> codec = one.withThreads(threads);
    Fussy.bad = 140_000;
    try {
      DecodeException expected = assertThrows(DecodeException.class, () -> one.decodeAll(message));
      DecodeException error = assertThrows(DecodeException.class, () -> codec.decodeAll(message));
      assertEquals(expected.getMessage(), error.getMessage());
      assertEquals(Fussy.bad, error.row().orElseThrow());
    } finally {
      Fussy.bad = -1;
    }
    assertEquals(rows, codec.decodeAll(message));
  }

  @ParameterizedTest
  @MethodSource("threads")
  void damagedMessagesGiveTheErrorsOfOneThread(Threads threads) {
    byte[] message =
        Serow.options()
            .withWire(Wire.FRAME)
            .withCompression(Compression.lz4())
            .dumps(mixedLengths());
    Random random = new Random(1);
    for (int round = 0; round < 20; round++) {
      byte[] damaged = message.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      assertSameError(damaged, threads);
      assertSameError(Arrays.copyOf(message, random.nextInt(message.length)), threads);
    }
    assertSameError(Arrays.copyOf(message, message.length + 1), threads);
  }

  private static void assertSameError(byte[] message, Threads threads) {
    SerowException one = assertThrows(SerowException.class, () -> Serow.loads(message));
    SerowException many =
        assertThrows(
            SerowException.class, () -> Serow.options().withThreads(threads).loads(message));
    assertEquals(one.getMessage(), many.getMessage());
  }

  private static byte[] stream(List<Part> parts, Threads threads, boolean isList, int size)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Part> writer =
        StreamWriter.of(Part.class)
            .withCompression(Compression.lz4())
            .withThreads(threads)
            .to(out)) {
      for (int at = 0; at < parts.size(); at += size) {
        List<Part> some = parts.subList(at, Math.min(parts.size(), at + size));
        if (isList) {
          writer.writeAll(some);
        } else {
          writer.writeAll(some.iterator());
        }
        writer.write(parts.get(at));
      }
      writer.finish();
    }
    return out.toByteArray();
  }

  @Test
  void streamsHaveTheSameBytesForAnyThreads() throws IOException {
    List<Part> parts = parts(300_000);
    for (boolean isList : new boolean[] {true, false}) {
      for (int size : new int[] {300_000, 100_000, 20_000, 7000}) {
        byte[] expected = stream(parts, Threads.one(), isList, size);
        for (Threads threads : threads()) {
          byte[] stream = stream(parts, threads, isList, size);
          assertArrayEquals(StreamsTest.unsalted(expected), StreamsTest.unsalted(stream));
        }
        List<Part> read = new ArrayList<>();
        for (int at = 0; at < parts.size(); at += size) {
          read.addAll(parts.subList(at, Math.min(parts.size(), at + size)));
          read.add(parts.get(at));
        }
        assertEquals(read, readAll(expected, Threads.one()));
        assertEquals(read, readAll(expected, Threads.of(2)));
        assertEquals(read, readAll(expected, Threads.of(7, POOL)));
      }
    }
  }

  private static List<Part> readAll(byte[] stream, Threads threads) throws IOException {
    List<Part> parts = new ArrayList<>();
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class).withThreads(threads).from(new ByteArrayInputStream(stream))) {
      reader.forEach(parts::add);
      assertEquals(parts.size(), reader.rows());
      assertEquals(stream.length, reader.bytesRead());
    }
    return parts;
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aRowThatIsRefusedIsNotInTheStreamAndAllBeforeItAre(Threads threads) throws IOException {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64,)")).withThreads(threads);
    for (int bad : new int[] {0, 100, MOST_ROWS, MOST_ROWS + 1, 150_000}) {
      List<Object[]> rows = new ArrayList<>();
      for (long i = 0; i < 170_000; i++) {
        rows.add(new Object[] {i == bad ? "no" : (Object) i});
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (StreamWriter<Object[]> writer = StreamWriter.of(codec).to(out)) {
        writer.write(new Object[] {7L});
        EncodeException error = assertThrows(EncodeException.class, () -> writer.writeAll(rows));
        assertEquals(bad + 1, error.row().orElseThrow());
        assertEquals(bad + 1, writer.rows());
        writer.writeAll(rows.subList(bad + 1, rows.size()));
        writer.finish();
      }
      List<Object[]> expected = new ArrayList<>(rows);
      expected.remove(bad);
      expected.add(0, new Object[] {7L});
      Same.assertSame(expected, codec.decodeAll(out.toByteArray()));
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aCutStreamGivesEveryWholeFrame(Threads threads) throws IOException {
    List<Part> parts = parts(5 * MOST_ROWS);
    byte[] stream = stream(parts, Threads.one(), true, parts.size());
    Random random = new Random(2);
    for (int round = 0; round < 10; round++) {
      byte[] cut = Arrays.copyOf(stream, 20 + random.nextInt(stream.length - 20));
      assertEquals(wholeFrames(cut, Threads.one()), wholeFrames(cut, threads));
    }
  }

  /** The rows of a cut stream, and the message of the error. */
  private static List<Object> wholeFrames(byte[] stream, Threads threads) throws IOException {
    List<Object> read = new ArrayList<>();
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class).withThreads(threads).from(new ByteArrayInputStream(stream))) {
      DecodeException error = assertThrows(DecodeException.class, () -> reader.forEach(read::add));
      read.add(error.getMessage());
      assertEquals(
          error.getMessage(),
          assertThrows(DecodeException.class, () -> reader.iterator().hasNext()).getMessage());
    }
    return read;
  }

  /** A source that fails now and then. */
  private static final class Unsteady extends InputStream {
    private final InputStream in;
    private int reads;

    Unsteady(byte[] bytes) {
      in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] to, int at, int length) throws IOException {
      if (++reads % 5 == 0) {
        throw new IOException("the line is busy");
      }
      return in.read(to, at, length);
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aSourceThatFailsLosesNothing(Threads threads) throws IOException {
    List<Part> parts = parts(4 * MOST_ROWS);
    byte[] stream = stream(parts, Threads.one(), true, parts.size());
    List<Part> read = new ArrayList<>();
    int failures = 0;
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class).withThreads(threads).from(new Unsteady(stream))) {
      for (boolean isDone = false; !isDone; ) {
        try {
          reader.forEach(read::add);
          isDone = true;
        } catch (UncheckedIOException e) {
          failures++;
        }
      }
    }
    parts.add(parts.get(0));
    assertEquals(parts, read);
    assertTrue(failures > 0);
  }

  @Test
  void oneStreamReadsNoByteBehindIt() throws IOException {
    byte[] stream = stream(parts(3 * MOST_ROWS), Threads.one(), true, 3 * MOST_ROWS);
    byte[] both = Arrays.copyOf(stream, stream.length + 5);
    InputStream in = new ByteArrayInputStream(both);
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class).withThreads(Threads.of(3)).oneStream().from(in)) {
      reader.forEach(part -> {});
    }
    assertEquals(5, in.available());
  }

  @Test
  void longRowsFromAnIteratorDoNotPileUp() throws IOException {
    // A batch of as many rows as short ones have would take gigabytes.
    String text = "z".repeat(1 << 20);
    int[] made = {0};
    int[] most = {0};
    long[] written = {0};
    try (StreamWriter<Object> writer =
        StreamWriter.ofAny()
            .withProgress((rows, bytes) -> written[0] = rows)
            .to(OutputStream.nullOutputStream())) {
      writer.writeAll(
          (Iterable<Object>)
              () ->
                  Collections.nCopies(600, (Object) text).stream()
                      .peek(
                          row -> {
                            made[0]++;
                            most[0] = Math.max(most[0], made[0] - (int) written[0]);
                          })
                      .iterator());
      writer.finish();
    }
    assertEquals(600, made[0]);
    assertTrue(most[0] <= 256, most[0] + " rows of 1 MiB were held");
  }

  @Test
  void tasksOfTheExecutorUseItThemselves() throws Exception {
    List<Part> parts = parts(200_000);
    Codec<Part> codec = Codec.of(Part.class).withThreads(Threads.of(7, POOL));
    byte[] expected = Codec.of(Part.class).encodeAll(parts);
    List<Future<byte[]>> messages = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      messages.add(POOL.submit(() -> codec.encodeAll(codec.decodeAll(codec.encodeAll(parts)))));
    }
    for (Future<byte[]> message : messages) {
      assertArrayEquals(expected, message.get());
    }
  }

  /** Rows whose getters encode and decode messages of their own. */
  record Nested(long key) {
    private static Codec<Part> codec;
    private static List<Part> inner;

    @Override
    public long key() {
      if (key % 30_000 == 0) {
        assertEquals(inner, codec.decodeAll(codec.encodeAll(inner)));
      }
      return key;
    }
  }

  @Test
  void gettersUseThreadsThemselves() {
    Threads threads = Threads.of(3, POOL);
    Nested.codec = Codec.of(Part.class).withThreads(threads);
    Nested.inner = parts(70_000);
    List<Nested> rows = new ArrayList<>();
    for (long i = 0; i < 200_000; i++) {
      rows.add(new Nested(i));
    }
    Codec<Nested> codec = Codec.of(Nested.class);
    assertArrayEquals(codec.encodeAll(rows), codec.withThreads(threads).encodeAll(rows));
  }

  @Test
  void anInterruptIsKept() {
    List<Part> parts = parts(200_000);
    Codec<Part> codec = Codec.of(Part.class).withThreads(Threads.of(3, POOL));
    Thread.currentThread().interrupt();
    List<Part> back = codec.decodeAll(codec.encodeAll(parts));
    assertTrue(Thread.interrupted());
    assertEquals(parts, back);
  }

  @Test
  void threadsThatMakeNoSenseAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Threads.of(0));
    assertThrows(IllegalArgumentException.class, () -> Threads.of(-1));
    assertEquals(Threads.one(), Threads.of(1));
    assertEquals("7", Threads.of(7, POOL).toString());
    assertThrows(NullPointerException.class, () -> Threads.of(2, null));
    assertThrows(
        NullPointerException.class, () -> Codec.of(Part.class).withThreads((Threads) null));
  }
}
