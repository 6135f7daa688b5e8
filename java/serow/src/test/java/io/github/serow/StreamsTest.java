package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written to a stream is read from it. */
class StreamsTest {
  static final List<Compression> COMPRESSIONS =
      List.of(Compression.none(), Compression.zstd(), Compression.zstd(9), Compression.lz4());

  record Part(long key, String name) {}

  static List<Part> parts(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Part(i, "Part#" + i % 17)).toList();
  }

  /** Writes rows one by one, and ends a frame after each {@code perFrame} of them. */
  static <T> byte[] written(StreamWriter.Options<T> options, List<? extends T> rows, int perFrame)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<T> writer = options.to(out)) {
      for (int i = 0; i < rows.size(); i++) {
        writer.write(rows.get(i));
        if ((i + 1) % perFrame == 0) {
          writer.flush();
        }
      }
      assertEquals(rows.size(), writer.rows());
      writer.finish();
    }
    return out.toByteArray();
  }

  /** A stream without the salt of its log, which is random, and what depends on it. */
  static byte[] unsalted(byte[] stream) {
    ByteBuffer bytes = ByteBuffer.wrap(stream.clone()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(8, 0).putInt(28, 0);
    for (int at = 32; at < stream.length; ) {
      bytes.putLong(at + 4, 0).putInt(at + 20, 0);
      int schema = (bytes.get(at + 25) & 2) == 0 ? 8 : bytes.getInt(at + 32);
      at += 24 + 24 + schema + (int) bytes.getLong(at + 40) + 8;
    }
    return bytes.array();
  }

  static <T> List<T> read(StreamReader.Options<T> options, byte[] bytes) throws IOException {
    List<T> rows = new ArrayList<>();
    try (StreamReader<T> reader = options.from(new ByteArrayInputStream(bytes))) {
      for (T row : reader) {
        rows.add(row);
      }
      assertEquals(rows.size(), reader.rows());
      assertEquals(bytes.length, reader.bytesRead());
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("io.github.serow.DataBindingTest#accepted")
  <T> void objectsOfEachClassComeBack(DataBindingTest.Case<T> given) throws IOException {
    for (Wire wire : Wire.values()) {
      for (Compression compression : COMPRESSIONS) {
        Codec<T> codec = Codec.of(given.type(), given.mappings()).withWire(wire);
        List<T> objects = Collections.nCopies(40, given.object());
        byte[] bytes = written(StreamWriter.of(codec).withCompression(compression), objects, 13);
        assertEquals(objects, read(StreamReader.of(codec), bytes));
        assertEquals(objects, codec.decodeAll(bytes));
        byte[] same = written(StreamWriter.of(codec.withCompression(compression)), objects, 13);
        assertArrayEquals(unsalted(same), unsalted(bytes));
      }
    }
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void anyRowsComeBack(@ForAll("mixedRows") List<Object> rows, @ForAll Random random)
      throws IOException {
    Wire wire = Wire.values()[random.nextInt(2)];
    Compression compression = COMPRESSIONS.get(random.nextInt(COMPRESSIONS.size()));
    StreamWriter.Options<Object> options =
        StreamWriter.ofAny().withWire(wire).withCompression(compression);
    byte[] single = written(options, rows, 1 + random.nextInt(10));
    Same.assertSame(rows, read(StreamReader.ofAny(), single));
    Same.assertSame(rows, Serow.loads(single));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = options.to(out)) {
      int half = random.nextInt(rows.size() + 1);
      writer.writeAll(rows.subList(0, half));
      writer.writeAll(rows.subList(half, rows.size()).iterator());
      writer.finish();
    }
    Same.assertSame(rows, read(StreamReader.ofAny(), out.toByteArray()));
  }

  @Test
  void metadataComesBack() throws IOException {
    Map<String, String> metadata = Map.of("source", "sensor 7", "", "ß\0".repeat(300), "🌰", "");
    for (List<Part> parts : List.of(parts(40), List.<Part>of())) {
      StreamWriter.Options<Part> options = StreamWriter.of(Part.class).withMetadata(metadata);
      byte[] bytes = written(options, parts, 13);
      for (Threads threads : List.of(Threads.one(), Threads.of(2))) {
        try (StreamReader<Part> reader =
            StreamReader.of(Part.class)
                .withThreads(threads)
                .from(new ByteArrayInputStream(bytes))) {
          assertEquals(metadata, reader.metadata());
          assertEquals(parts, reader.stream().toList());
          assertEquals(metadata, reader.metadata());
        }
      }
      assertEquals(parts, read(StreamReader.of(Part.class), bytes));
    }
    try (StreamReader<Object> none =
        StreamReader.ofAny().from(new ByteArrayInputStream(new byte[0]))) {
      assertEquals(Map.of(), none.metadata());
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            written(StreamWriter.of(Part.class).withMetadata(Map.of("a", "\ud800")), parts(1), 1));
    Map<String, String> large = Map.of("a", "b".repeat(1 << 20));
    assertThrows(
        LimitException.class,
        () -> written(StreamWriter.of(Part.class).withMetadata(large), parts(1), 1));
  }

  @Test
  void aStreamMayHaveNoRows() throws IOException {
    byte[] bytes = written(StreamWriter.of(Part.class), List.of(), 1);
    assertEquals(List.of(), read(StreamReader.of(Part.class), bytes));
    assertEquals(List.of(), Serow.loads(bytes));
    byte[] ofAny = written(StreamWriter.ofAny(), List.of(), 1);
    assertArrayEquals(unsalted(bytes), unsalted(ofAny));
    assertEquals(List.of(), read(StreamReader.ofAny(), new byte[0]));
    assertEquals(List.of(), read(StreamReader.ofAny(), Serow.dumps(List.of())));
  }

  @Test
  void everySourceAndTargetWorks(@TempDir Path folder) throws IOException {
    List<Part> parts = parts(10_000);
    byte[] expected = written(StreamWriter.of(Part.class), parts, 5_000);
    Path file = folder.resolve("parts.srow");
    Files.write(file, new byte[1_000_000]);
    try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(file)) {
      writer.writeAll(parts.subList(0, 5_000));
      writer.flush();
      // Readers get the rows while the stream goes on.
      try (StreamReader<Part> reader = StreamReader.of(Part.class).from(file)) {
        Iterator<Part> rows = reader.iterator();
        for (Part part : parts.subList(0, 5_000)) {
          assertEquals(part, rows.next());
        }
        assertThrows(DecodeException.class, rows::hasNext);
      }
      writer.writeAll(parts.subList(5_000, 10_000).stream());
      writer.flush();
      assertEquals(Files.size(file), writer.bytesWritten());
      writer.finish();
    }
    assertArrayEquals(unsalted(expected), unsalted(Files.readAllBytes(file)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(Channels.newChannel(out))) {
      writer.writeAll(parts.subList(0, 5_000));
      writer.flush();
      writer.writeAll(parts.subList(5_000, 10_000));
      writer.finish();
    }
    assertArrayEquals(unsalted(expected), unsalted(out.toByteArray()));
    try (StreamReader<Part> reader = StreamReader.of(Part.class).from(file)) {
      assertEquals(parts, reader.stream().toList());
    }
    try (StreamReader<Part> reader =
        StreamReader.of(new TypeReference<Part>() {})
            .from(Channels.newChannel(new ByteArrayInputStream(expected)))) {
      List<Part> rows = new ArrayList<>();
      int frames = 0;
      for (List<Part> frame : reader.frames()) {
        rows.addAll(frame);
        frames++;
      }
      assertEquals(parts, rows);
      assertEquals(2, frames);
    }
  }

  @Test
  void manyRowsMakeManyFrames() throws IOException {
    // More rows than a frame has.
    int count = 200_000;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      writer.writeAll(LongStream.range(0, count).boxed().<Object>map(i -> i));
      for (long i = count; i < count + 70_000; i++) {
        writer.write(i);
      }
      // Rows without bytes.
      writer.writeAll(Collections.nCopies(100_000, new Object[] {null}));
      assertEquals(count + 170_000, writer.rows());
      writer.finish();
    }
    try (StreamReader<Object> reader =
        StreamReader.ofAny().from(new ByteArrayInputStream(out.toByteArray()))) {
      long row = 0;
      for (List<Object> frame : reader.frames()) {
        assertTrue(frame.size() <= 65_536);
        for (Object value : frame) {
          if (row < count + 70_000) {
            assertEquals(row, value);
          } else {
            assertArrayEquals(new Object[] {null}, (Object[]) value);
          }
          row++;
        }
      }
      assertEquals(count + 170_000, row);
      assertEquals(row, reader.rows());
    }
  }

  @Test
  void rowsOfEachSizeComeBack() throws IOException {
    Random random = new Random(3);
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String text = (i % 7 == 0 ? "é" : "x").repeat(i % 50 == 49 ? 70_000 : random.nextInt(2_000));
      byte[] bytes = new byte[i % 60 == 59 ? 500_000 : random.nextInt(300)];
      random.nextBytes(bytes);
      List<Object> numbers = new ArrayList<>(Collections.nCopies(i % 40 == 39 ? 30_000 : 3, 1L));
      rows.add(new Object[] {(long) i, text, bytes, numbers});
    }
    for (Wire wire : Wire.values()) {
      byte[] bytes = written(StreamWriter.ofAny().withWire(wire), rows, 1_000);
      Same.assertSame(rows, read(StreamReader.ofAny(), bytes));
    }
  }

  @Test
  void schemasWidenInTheMiddle() throws IOException {
    List<Object> rows = new ArrayList<>();
    for (long i = 0; i < 1_000; i++) {
      rows.add(new Object[] {i, i < 300 ? null : "a" + i, i < 600 ? (Object) i : (Object) 0.5});
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      assertTrue(writer.schema().isEmpty());
      writer.writeAll(rows.subList(0, 100));
      assertEquals(Schema.parse("(i64, null, i64)"), writer.schema().orElseThrow());
      for (Object row : rows.subList(100, 1_000)) {
        writer.write(row);
      }
      assertEquals(Schema.parse("(i64, str?, f64|i64)"), writer.schema().orElseThrow());
      writer.finish();
    }
    Same.assertSame(rows, read(StreamReader.ofAny(), out.toByteArray()));
    try (StreamReader<Object> reader =
        StreamReader.ofAny().from(new ByteArrayInputStream(out.toByteArray()))) {
      List<Integer> sizes = new ArrayList<>();
      reader.frames().forEach(frame -> sizes.add(frame.size()));
      assertEquals(List.of(300, 300, 400), sizes);
    }
  }

  @Test
  void rowsThatStandForPlainOnesAreReplaced() throws IOException {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      rows.add(List.of(i, (short) i, java.util.Optional.of(i), new int[] {i}));
    }
    byte[] bytes = written(StreamWriter.ofAny(), rows, 1_000);
    Same.assertSame(Serow.loads(Serow.dumps(rows)), read(StreamReader.ofAny(), bytes));
    // They wait together, so there is one frame beside the index.
    try (StreamReader<Object> reader = StreamReader.ofAny().from(new ByteArrayInputStream(bytes))) {
      assertEquals(500, reader.frames().iterator().next().size());
    }
  }

  @Test
  void rowsOfAnotherVersionAreConverted() throws IOException {
    byte[] bytes = written(StreamWriter.of(Part.class), parts(100), 30);
    List<Object> rows = read(StreamReader.of(Codec.ofAny(Schema.parse("Part{key: i64}"))), bytes);
    assertEquals(Row.of("Part", List.of("key"), new Object[] {99L}), rows.get(99));
    Codec<Object> other = Codec.ofAny(Schema.parse("i64"));
    assertThrows(SchemaException.class, () -> read(StreamReader.of(other), bytes));
  }

  @Test
  void streamsBehindEachOtherAreOne(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("log.srow");
    List<Part> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<Part> some = parts(10 * i);
      try (StreamWriter<Part> writer =
          StreamWriter.of(Part.class)
              .withWire(Wire.values()[i % 2])
              .withCompression(COMPRESSIONS.get(i))
              .appendTo(file)) {
        writer.writeAll(some);
        assertEquals(some.size(), writer.rows());
        writer.finish();
      }
      all.addAll(some);
      assertEquals(all, read(StreamReader.of(Part.class), Files.readAllBytes(file)));
    }
    // A message is a stream too.
    Files.write(file, Serow.dumps(parts(3)), java.nio.file.StandardOpenOption.APPEND);
    all.addAll(parts(3));
    try (StreamWriter<Part> writer = StreamWriter.of(Part.class).appendTo(file)) {
      writer.write(new Part(1, "last"));
      writer.finish();
    }
    all.add(new Part(1, "last"));
    assertEquals(all, read(StreamReader.of(Part.class), Files.readAllBytes(file)));
  }

  @Test
  void oneStreamLeavesTheRest() throws IOException {
    byte[] first = written(StreamWriter.of(Part.class), parts(100), 30);
    byte[] second = Serow.dumps(parts(5));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(first);
    all.writeBytes(second);
    all.writeBytes(new byte[] {1, 2, 3});
    ByteArrayInputStream in = new ByteArrayInputStream(all.toByteArray());
    StreamReader.Options<Part> one = StreamReader.of(Part.class).oneStream();
    try (StreamReader<Part> reader = one.from(in)) {
      assertEquals(parts(100), reader.stream().toList());
      assertFalse(reader.iterator().hasNext());
      assertEquals(first.length, reader.bytesRead());
    }
    assertEquals(second.length + 3, in.available());
    try (StreamReader<Part> reader = one.from(in)) {
      assertEquals(parts(5), reader.stream().toList());
    }
    assertArrayEquals(new byte[] {1, 2, 3}, in.readAllBytes());
    // Without the option the other bytes are an error, after the rows of both streams.
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class).from(new ByteArrayInputStream(all.toByteArray()))) {
      List<Part> rows = new ArrayList<>();
      DecodeException e = assertThrows(DecodeException.class, () -> reader.forEach(rows::add));
      assertEquals(105, rows.size());
      assertEquals(first.length + second.length, e.offset().orElse(-1));
    }
  }

  @Test
  void iteratorsGoOnWhereOthersHaveStopped() throws IOException {
    List<Part> parts = parts(100);
    byte[] bytes = written(StreamWriter.of(Part.class), parts, 40);
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class).from(new ByteArrayInputStream(bytes))) {
      assertEquals(0, reader.rows());
      assertEquals(0, reader.bytesRead());
      assertEquals(parts.get(0), reader.iterator().next());
      assertEquals(parts.get(1), reader.iterator().next());
      assertEquals(40, reader.rows());
      List<Part> frame = reader.frames().iterator().next();
      assertEquals(parts.subList(2, 40), frame);
      frame.clear();
      assertEquals(parts.subList(40, 43), reader.stream().limit(3).toList());
      assertEquals(parts.subList(43, 100), reader.stream().toList());
      assertThrows(NoSuchElementException.class, () -> reader.iterator().next());
      assertThrows(NoSuchElementException.class, () -> reader.frames().iterator().next());
    }
  }

  @Test
  void progressIsReported() throws IOException {
    List<Long> written = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Part> writer =
        StreamWriter.of(Part.class)
            .withProgress(
                (rows, bytes) -> {
                  written.add(rows);
                  assertEquals(out.size(), bytes);
                })
            .to(out)) {
      for (int i = 0; i < 3; i++) {
        writer.writeAll(parts(50));
        writer.flush();
      }
      writer.finish();
    }
    assertEquals(List.of(50L, 100L, 150L, 150L), written);
    List<Long> read = new ArrayList<>();
    long[] last = new long[1];
    try (StreamReader<Part> reader =
        StreamReader.of(Part.class)
            .withProgress(
                (rows, bytes) -> {
                  read.add(rows);
                  assertTrue(bytes > last[0]);
                  last[0] = bytes;
                })
            .from(new ByteArrayInputStream(out.toByteArray()))) {
      assertEquals(150, reader.stream().count());
    }
    assertEquals(List.of(50L, 100L, 150L), read);
  }

  @Test
  void compressedStreamsAreSmaller() throws IOException {
    List<Part> parts = parts(50_000);
    int plain = written(StreamWriter.of(Part.class).withWire(Wire.ROW), parts, 1 << 20).length;
    for (Compression compression : COMPRESSIONS.subList(1, 4)) {
      byte[] bytes =
          written(
              StreamWriter.of(Part.class).withWire(Wire.ROW).withCompression(compression),
              parts,
              1 << 20);
      assertTrue(bytes.length < plain / 2, compression + ": " + bytes.length + " of " + plain);
      assertEquals(parts, read(StreamReader.of(Part.class), bytes));
    }
  }

  @Test
  void mapsAndListsMayAlternate() throws IOException {
    List<Object> rows = new ArrayList<>();
    for (long i = 0; i < 3_000; i++) {
      rows.add(
          i % 3 == 0 ? Map.of("a", i) : i % 3 == 1 ? List.of(i, "b") : (Object) ("c" + i % 10));
    }
    byte[] bytes = written(StreamWriter.ofAny(), rows, 5_000);
    Same.assertSame(rows, read(StreamReader.ofAny(), bytes));
    assertTrue(bytes.length < 3 * Serow.dumps(rows).length, bytes.length + " bytes");
  }
}
