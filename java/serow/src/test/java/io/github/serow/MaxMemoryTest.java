package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.message.RowMessageReader;
import io.github.serow.internal.wire.ObjectSizes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The limit of the memory that decoded rows take. */
@Tag("once")
class MaxMemoryTest {
  private static final int COUNT = 20_000;
  private static final int LONG = 500_000;
  private static final int MEGABYTE = 1 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  record Part(long key, String name, double price) {}

  record Bomb(long key, String name, byte[] bytes) {}

  private static final LocalDateTime CLOCK = LocalDateTime.of(2024, 5, 17, 12, 30);

  private static ZoneOffset zone(int i) {
    return ZoneOffset.ofTotalSeconds(i % 60_000);
  }

  private static List<Object> rows(int count, IntFunction<Object> row) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(row).toList());
  }

  private static List<Object> rows(IntFunction<Object> row) {
    return rows(COUNT, row);
  }

  private static Set<Object> set(int size, int first) {
    return new LinkedHashSet<>(rows(size, i -> (1L << 40) + first + i));
  }

  private static Map<Object, Object> map(int size, int first) {
    Map<Object, Object> map = new LinkedHashMap<>();
    set(size, first).forEach(key -> map.put(key, 1e6 + first));
    return map;
  }

  private static Map<String, Object> dict(Object... entries) {
    Map<String, Object> dict = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      dict.put((String) entries[i], entries[i + 1]);
    }
    return dict;
  }

  private static Map<String, Supplier<List<Object>>> values() {
    Map<String, Supplier<List<Object>>> values = new LinkedHashMap<>();
    values.put("ints", () -> rows(i -> (1L << 40) + i));
    values.put("floats", () -> rows(i -> i / 7.0));
    values.put(
        "large ints", () -> rows(i -> BigInteger.valueOf(3).pow(300).add(BigInteger.valueOf(i))));
    values.put("ascii", () -> rows(i -> "text " + i));
    values.put("latin", () -> rows(i -> "größe " + i));
    values.put("two bytes a character", () -> rows(i -> "größe Δ " + "a".repeat(50) + i));
    values.put("smiles", () -> rows(i -> "\ud83d\ude00".repeat(20) + i));
    values.put("equal texts", () -> rows(i -> "a".repeat(50) + "Δ" + i % 50));
    values.put("words", () -> rows(i -> "almond blue " + i % 100 + " " + i));
    values.put("bytes", () -> rows(i -> ("x".repeat(50) + i).getBytes()));
    values.put("equal bytes", () -> rows(i -> new byte[500]));
    values.put("buffers", () -> rows(i -> ByteBuffer.wrap(("x".repeat(50) + i).getBytes())));
    values.put("dates", () -> rows(i -> LocalDate.of(1000, 1, 1).plusDays(i)));
    values.put("times", () -> rows(i -> LocalTime.ofNanoOfDay(1_000L * i)));
    values.put("times with zones", () -> rows(i -> OffsetTime.of(12, 30, 0, 0, zone(i))));
    values.put("timestamps", () -> rows(i -> CLOCK.plusSeconds(i)));
    values.put("timestamps of zones", () -> rows(i -> OffsetDateTime.of(CLOCK, zone(i))));
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    values.put("timestamps of a region", () -> rows(i -> CLOCK.plusSeconds(i).atZone(berlin)));
    values.put("durations", () -> rows(i -> Duration.ofSeconds(i, 1_000)));
    values.put("decimals", () -> rows(i -> BigDecimal.valueOf(i, 2)));
    BigInteger seven = BigInteger.valueOf(7).pow(200);
    values.put(
        "large decimals", () -> rows(i -> new BigDecimal(seven.add(BigInteger.valueOf(i)), 3)));
    values.put("uuids", () -> rows(i -> new UUID(i, -i)));
    values.put("complex", () -> rows(i -> new Complex(i, -i)));
    values.put("arrays", () -> rows(i -> NdArray.of(new short[i % 20], i % 20)));
    values.put("equal arrays", () -> rows(i -> NdArray.of(new float[100], 10, 10)));
    values.put("arrays without elements", () -> rows(i -> NdArray.of(new double[0], i, 0)));
    values.put("lists", () -> rows(i -> Collections.nCopies(i % 20, null)));
    values.put("empty lists", () -> rows(1_000, i -> Collections.nCopies(20, List.of())));
    values.put("tuples", () -> rows(i -> new Object[] {null, true, new Object[] {(long) i}}));
    values.put("records", () -> rows(i -> Row.of("Point", List.of("x", "y"), 1L << 40, i / 7.0)));
    values.put("dicts", () -> rows(i -> dict("a", (1L << 40) + i, "b", null, "c", true)));
    values.put("one long set", () -> rows(1, i -> set(200_000, 0)));
    for (int n : new int[] {1, 5, 9, 77, 307}) {
      values.put("sets of " + n, () -> rows(COUNT / n + 1, i -> set(n, i)));
      values.put("frozensets of " + n, () -> rows(COUNT / n + 1, i -> FrozenSet.copyOf(set(n, i))));
      values.put("maps of " + n, () -> rows(COUNT / n + 1, i -> map(n, i)));
    }
    values.put(
        "sets of tuples",
        () -> rows(COUNT / 10, i -> new LinkedHashSet<>(rows(10, j -> new Object[] {(long) j}))));
    return values;
  }

  private static Stream<String> kinds() {
    return values().keySet().stream();
  }

  /**
   * Measures decoded rows, in a JVM of its own whose every collection leaves no garbage. It prints
   * what is wrong.
   */
  static final class Measured {
    /** Collects until it no longer helps: what is idle for long is freed after a collection. */
    private static long used() throws InterruptedException {
      long least = Long.MAX_VALUE;
      for (int unchanged = 0; unchanged < 2; ) {
        System.gc();
        long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        unchanged = used < least - 1_000 ? 0 : unchanged + 1;
        least = Math.min(used, least);
        Thread.sleep(1);
      }
      return least;
    }

    public static void main(String[] args) throws InterruptedException {
      for (Map.Entry<String, Supplier<List<Object>>> rows : values().entrySet()) {
        measure(rows.getKey(), rows.getValue().get());
      }
      System.out.println("done");
    }

    private static void measure(String kind, List<Object> rows) throws InterruptedException {
      for (Wire wire : Wire.values()) {
        byte[] plain = Serow.dumps(rows, wire);
        byte[] packed =
            Serow.options().withWire(wire).withCompression(Compression.zstd()).dumps(rows);
        Serow.loads(plain);
        long before = used();
        List<Object> back = Serow.loads(plain);
        long taken = used() - before;
        for (byte[] message : List.of(plain, packed)) {
          if (isAllowed(message, taken * 98 / 100)) {
            System.out.println(kind + ", " + wire + ": more than " + taken + " is allowed");
          }
          // It is an upper bound, but a useful one. Native code finds equal texts of records, which
          // are counted one by one.
          boolean isShared = wire == Wire.ROW && kind.startsWith("equal");
          if (!isShared && !isAllowed(message, 6 * taken + 1_000_000)) {
            System.out.println(kind + ", " + wire + ": " + taken + " is refused");
          }
        }
        if (back.size() != rows.size()) {
          System.out.println(kind + ", " + wire + ": rows are missing");
        }
      }
    }

    private static boolean isAllowed(byte[] message, long bytes) {
      try {
        Serow.options().withMaxMemory(bytes).loads(message);
        return true;
      } catch (LimitException e) {
        return false;
      }
    }
  }

  @Test
  void rowsTakeNoMoreThanWasCounted() throws Exception {
    measure("-XX:+UseCompressedOops");
  }

  @Test
  @Tag("long")
  void rowsWithLongReferencesTakeNoMoreThanWasCounted() throws Exception {
    measure("-XX:-UseCompressedOops");
  }

  private static void measure(String references) throws Exception {
    Jvm jvm =
        new Jvm(
            List.of(
                references,
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:MarkSweepAlwaysCompactCount=1",
                "-XX:TieredStopAtLevel=1"),
            Map.of());
    assertEquals(List.of("done"), jvm.run(Measured.class).lines());
  }

  /** The most memory that is refused, plus one. */
  private static long least(LongFunction<Object> read) {
    long refused = -1;
    long allowed = 1L << 40;
    while (allowed - refused > 1) {
      long middle = (refused + allowed) / 2;
      try {
        read.apply(middle);
        allowed = middle;
      } catch (LimitException e) {
        refused = middle;
      }
    }
    return allowed;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void javaCountsAsNativeCodeDoes(String kind) {
    List<Object> all = values().get(kind).get();
    List<Object> rows = all.subList(0, Math.min(300, all.size()));
    byte[] message = Serow.dumps(rows, Wire.ROW);
    ReadOptions options = ReadOptions.of(null);
    long counted =
        least(
            bytes ->
                RowMessageReader.read(message, 0, message.length, options.withMaxMemory(bytes)));
    long decoder = Native.decoderOpen();
    try {
      Native.decoderBegin(decoder, 0, 1L << 40, message, null, 0, message.length);
      long[] frame = new long[8];
      long sum = 0;
      while (Native.decoderNext(decoder, message, null, 0, frame)) {
        sum += frame[7];
      }
      assertEquals(sum, counted);
    } finally {
      Native.close(decoder);
    }
  }

  /** Rows of few bytes that take much memory, one for each way to do this. */
  private static Map<String, Supplier<List<Object>>> expanding() {
    Map<String, Supplier<List<Object>>> rows = new LinkedHashMap<>();
    rows.put("equal ints", () -> List.of(Collections.nCopies(LONG, 7L)));
    rows.put("steps", () -> List.of(rows(LONG, i -> (long) i)));
    rows.put("runs", () -> List.of(rows(LONG, i -> (long) (i / 125_000))));
    rows.put("equal floats", () -> List.of(Collections.nCopies(LONG, 1.5)));
    rows.put("equal bits", () -> List.of(Collections.nCopies(LONG, true)));
    rows.put("a dictionary", () -> rows(60_000, i -> "a".repeat(100) + i % 20));
    rows.put("empty texts", () -> List.of(Collections.nCopies(LONG, "")));
    rows.put("words", () -> rows(30_000, i -> "almond blue forest " + i));
    rows.put("equal bytes", () -> rows(60_000, i -> new byte[1_000]));
    rows.put("empty bytes", () -> List.of(Collections.nCopies(LONG, new byte[0])));
    rows.put("buffers", () -> rows(60_000, i -> ByteBuffer.allocate(1_000)));
    rows.put("arrays", () -> rows(60_000, i -> NdArray.of(new float[100], 100)));
    rows.put(
        "large decimals", () -> rows(5_000, i -> new BigDecimal(BigInteger.TEN.pow(5_000), 2)));
    rows.put("large ints", () -> rows(60_000, i -> BigInteger.TWO.pow(3_000)));
    rows.put("dates", () -> List.of(Collections.nCopies(LONG, LocalDate.EPOCH)));
    rows.put("uuids", () -> List.of(Collections.nCopies(LONG, new UUID(1, 2))));
    rows.put("nulls", () -> List.of(Collections.nCopies(LONG, null)));
    rows.put("missing values", () -> List.of(rows(LONG, i -> i == 0 ? 1L : null)));
    rows.put("empty lists", () -> List.of(Collections.nCopies(LONG, List.of())));
    rows.put("empty sets", () -> List.of(Collections.nCopies(LONG, Set.of())));
    rows.put("empty maps", () -> rows(60_000, i -> i == 0 ? map(5_000, 0) : Map.of()));
    rows.put("empty tuples", () -> List.of(Collections.nCopies(LONG, new Object[0])));
    rows.put("nested lists", () -> List.of(Collections.nCopies(LONG / 4, List.of(List.of(1L)))));
    rows.put("tuples", () -> rows(60_000, i -> new Object[] {1L, 2L, 3L, 4L}));
    rows.put("records", () -> rows(60_000, i -> Row.of("A", List.of("x", "y"), 1L, "a")));
    rows.put("dicts", () -> rows(60_000, i -> dict("x", 1L, "y", "a")));
    rows.put("sets", () -> rows(10_000, i -> set(20, 0)));
    return rows;
  }

  private static Stream<String> bombs() {
    return expanding().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void memoryIsCountedBeforeItIsUsed(String kind) {
    List<Object> rows = expanding().get(kind).get();
    List<byte[]> messages = new ArrayList<>();
    for (Wire wire : Wire.values()) {
      messages.add(Serow.dumps(rows, wire));
      messages.add(Serow.options().withWire(wire).withCompression(Compression.zstd()).dumps(rows));
    }
    Serow.Options limited = Serow.options().withMaxMemory(MEGABYTE);
    for (byte[] message : messages) {
      assertRefused(() -> limited.loads(message));
      long before = THREADS.getCurrentThreadAllocatedBytes();
      assertRefused(() -> limited.loads(message));
      // Also what each value needs for a moment.
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertTrue(allocated < 4 * MEGABYTE, allocated + " bytes");
    }
    assertEquals(rows.size(), Serow.loads(messages.get(0)).size());
  }

  private static void assertRefused(org.junit.jupiter.api.function.Executable call) {
    LimitException e = assertThrows(LimitException.class, call);
    assertTrue(e.getMessage().endsWith(": " + ObjectSizes.TOO_LARGE), e.getMessage());
  }

  /** Each way to decode these rows. */
  private static Map<String, LongFunction<List<?>>> doors(List<Part> parts, Path folder)
      throws IOException {
    Map<String, LongFunction<List<?>>> doors = new LinkedHashMap<>();
    Threads two = Threads.of(2);
    Codec<Part> codec = Codec.of(Part.class);
    Codec<Object> wider =
        Codec.ofAny(Schema.parse("Part{key: f64|i64, name: str?, price: f64, more: str?}"));
    for (Wire wire : Wire.values()) {
      for (Compression compression : List.of(Compression.none(), Compression.lz4())) {
        byte[] message =
            Codec.of(Part.class).withWire(wire).withCompression(compression).encodeAll(parts);
        String name = wire + " " + compression + " ";
        ByteBuffer direct = ByteBuffer.allocateDirect(message.length).put(message).flip();
        doors.put(name + "loads", max -> limited(max).loads(message));
        doors.put(name + "heap", max -> limited(max).loads(ByteBuffer.wrap(message)));
        doors.put(name + "direct", max -> limited(max).loads(direct.duplicate()));
        doors.put(name + "threads", max -> limited(max).withThreads(two).loads(message));
        doors.put(name + "codec", max -> codec.withMaxMemory(max).decodeAll(message));
        doors.put(
            name + "codec of a buffer",
            max -> codec.withMaxMemory(max).decodeAll(ByteBuffer.wrap(message)));
        doors.put(
            name + "codec with threads",
            max -> codec.withThreads(two).withMaxMemory(max).decodeAll(message));
        doors.put(
            name + "codec with more options",
            max -> codec.withMaxMemory(max).withTimes(Times.PORTABLE).decodeAll(message));
        doors.put(name + "other schema", max -> wider.withMaxMemory(max).decodeAll(message));
        Path file = folder.resolve(wire + compression.toString());
        try (StreamWriter<Part> writer =
            StreamWriter.of(codec).withWire(wire).withCompression(compression).to(file)) {
          writer.writeAll(parts);
          writer.finish();
        }
        doors.put(name + "Reader", max -> all(StreamReader.of(codec).withMaxMemory(max), file));
        doors.put(
            name + "Reader of a codec",
            max -> all(StreamReader.of(codec.withMaxMemory(max)), file));
        doors.put(name + "Reader.ofAny", max -> all(StreamReader.ofAny().withMaxMemory(max), file));
        doors.put(
            name + "Reader with threads",
            max -> all(StreamReader.ofAny().withThreads(two).withMaxMemory(max), file));
        doors.put(
            name + "IndexedReader",
            max -> indexed(IndexedReader.of(codec).withMaxMemory(max), file));
        doors.put(
            name + "IndexedReader of a codec",
            max -> indexed(IndexedReader.of(codec.withMaxMemory(max)), file));
        doors.put(
            name + "IndexedReader.ofAny",
            max -> indexed(IndexedReader.ofAny().withMaxMemory(max), file));
      }
    }
    return doors;
  }

  private static Serow.Options limited(long max) {
    return Serow.options().withMaxMemory(max);
  }

  private static <T> List<T> all(StreamReader.Options<T> options, Path file) {
    try (StreamReader<T> reader = options.from(file)) {
      return reader.stream().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> List<T> indexed(IndexedReader.Options<T> options, Path file) {
    try (IndexedReader<T> reader = options.from(file)) {
      List<T> rows = new ArrayList<>();
      for (int i = 0; i < reader.frames(); i++) {
        rows.addAll(reader.frame(i));
      }
      assertEquals(rows.get(0), reader.row(0));
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyWayToDecodeHasTheLimit(@TempDir Path folder) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      parts.add(new Part(i, "part " + i, i / 3.0));
    }
    doors(parts, folder)
        .forEach(
            (name, door) -> {
              assertEquals(parts.size(), door.apply(20_000_000).size(), name);
              LimitException e =
                  assertThrows(LimitException.class, () -> door.apply(500_000), name);
              assertTrue(
                  e.getMessage().matches("frame \\d+.*: " + ObjectSizes.TOO_LARGE),
                  name + ": " + e.getMessage());
            });
  }

  @Test
  void singleRecordsHaveTheLimit() {
    Object[] row = {1L, rows(2_000, i -> 1L << 40)};
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, [i64])")).withoutSchemaAndChecksum();
    byte[] record = codec.encode(row);
    Codec<Object[]> limited = codec.withMaxMemory(50_000);
    LimitException e = assertThrows(LimitException.class, () -> limited.decode(record));
    assertTrue(
        e.getMessage().startsWith("record, field 1")
            && e.getMessage().endsWith(ObjectSizes.TOO_LARGE),
        e.getMessage());
    assertRefused(() -> limited.decode(ByteBuffer.wrap(record)));
    assertRefused(
        () -> limited.withoutFingerprint().decode(codec.withoutFingerprint().encode(row)));
    Same.assertSame(
        Collections.singletonList(row),
        new ArrayList<>(Collections.singletonList(codec.withMaxMemory(100_000).decode(record))));
    SchemaSet schemas = new SchemaSet();
    schemas.add(codec.schema());
    Codec<Object[]> other = Codec.of(Schema.parse("(f64|i64, [i64])")).withSchemas(schemas);
    assertRefused(() -> other.withMaxMemory(50_000).decode(record));
    assertEquals(2, other.withMaxMemory(200_000).decode(record).length);
    // What is wrong with the record is said as without a limit.
    byte[] cut = Arrays.copyOf(record, record.length - 1);
    assertEquals(
        assertThrows(DecodeException.class, () -> codec.decode(cut)).getMessage(),
        assertThrows(DecodeException.class, () -> codec.withMaxMemory(100_000).decode(cut))
            .getMessage());
  }

  @Test
  void theLimitOfAMessageIsForAllFrames() {
    List<Object> rows = rows(300_000, i -> "text " + i * 7919L % 1_000_003);
    byte[] message =
        Serow.options().withWire(Wire.FRAME).withCompression(Compression.zstd()).dumps(rows);
    assertTrue(message.length > 300_000);
    for (Threads threads : List.of(Threads.one(), Threads.of(3))) {
      Serow.Options options = Serow.options().withThreads(threads);
      // Each frame takes 6 MB, and all of them 27 MB.
      assertRefused(() -> options.withMaxMemory(20_000_000).loads(message));
      assertEquals(rows.size(), options.withMaxMemory(45_000_000).loads(message).size());
    }
  }

  @Test
  void theLimitOfAStreamIsForEachFrame() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      writer.writeAll(rows(300_000, i -> (long) i));
      writer.finish();
    }
    for (Threads threads : List.of(Threads.one(), Threads.of(3))) {
      StreamReader.Options<Object> options =
          StreamReader.ofAny().withThreads(threads).withMaxMemory(5_000_000);
      try (StreamReader<Object> reader =
          options.from(new ByteArrayInputStream(out.toByteArray()))) {
        assertEquals(300_000, reader.stream().count());
      }
      try (StreamReader<Object> reader =
          options.withMaxMemory(1_000_000).from(new ByteArrayInputStream(out.toByteArray()))) {
        assertRefused(() -> reader.iterator().next());
      }
    }
  }

  @Test
  void aFrameThatIsTooLongIsRefusedBeforeItIsRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("long.srow");
    byte[] noise = new byte[20_000_000];
    new java.util.Random(1).nextBytes(noise);
    Files.write(file, Serow.dumps(List.of(noise), Wire.FRAME));
    try (StreamReader<Object> reader = StreamReader.ofAny().withMaxMemory(100_000).from(file)) {
      assertThrows(LimitException.class, () -> reader.iterator().next());
      assertTrue(reader.bytesRead() < 1_000, reader.bytesRead() + " bytes");
    }
  }

  @Test
  void arraysOfTheCallersClassesCount() {
    byte[] message =
        Codec.of(Bomb.class)
            .withCompression(Compression.zstd())
            .encodeAll(Collections.nCopies(200_000, new Bomb(1, "x", new byte[1_000])));
    assertTrue(message.length < 5_000, message.length + " bytes");
    Codec<Bomb> codec = Codec.of(Bomb.class);
    assertRefused(() -> codec.withMaxMemory(100_000_000).decodeAll(message));
  }

  @Test
  void withoutALimitAndWithAGenerousOneOrdinaryMessagesAreRead() {
    List<Object> rows = rows(10_000, i -> new Object[] {(long) i, "part " + i, List.of(1.5)});
    byte[] message = Serow.dumps(rows);
    Same.assertSame(rows, Serow.loads(message));
    Same.assertSame(rows, Serow.options().withMaxMemory(10_000_000).loads(message));
    Same.assertSame(rows, Serow.options().withMaxMemory(Long.MAX_VALUE).loads(message));
    for (Wire wire : Wire.values()) {
      assertEquals(List.of(), limited(0).loads(Serow.dumps(List.of(), wire)));
      assertRefused(() -> limited(0).loads(Serow.dumps(List.of(1L), wire)));
    }
  }

  @Test
  void aNegativeLimitIsAnError() {
    Codec<Object> codec = Codec.ofAny(Schema.parse("i64"));
    for (org.junit.jupiter.api.function.Executable call :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> codec.withMaxMemory(-1),
            () -> Serow.options().withMaxMemory(-1),
            () -> StreamReader.ofAny().withMaxMemory(-1),
            () -> IndexedReader.of(codec).withMaxMemory(-1))) {
      IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
      assertEquals("maxMemory must be 0 or more bytes, not -1", e.getMessage());
    }
  }

  @Test
  void withoutNativeCodeTheLimitHolds() {
    List<Object> rows = rows(60_000, i -> "a".repeat(100));
    ReadOptions options = ReadOptions.of(null).withMaxMemory(1_000_000);
    for (Compression compression : List.of(Compression.none(), Compression.zstd())) {
      byte[] message = Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows);
      assertRefused(() -> RowMessageReader.read(message, 0, message.length, options));
      assertEquals(
          rows,
          RowMessageReader.read(message, 0, message.length, options.withMaxMemory(60_000L * 200)));
      ReadOptions typed = ReadOptions.of(Binding.of(Schema.parse("str")));
      assertRefused(
          () -> RowMessageReader.read(message, 0, message.length, typed.withMaxMemory(1_000_000)));
    }
  }
}
