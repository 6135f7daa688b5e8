package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.StreamsTest.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are refused, and calls in a wrong order. */
class WriterTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private List<Object> rows() throws IOException {
    return StreamsTest.read(StreamReader.ofAny(), out.toByteArray());
  }

  private static List<Object> longs(long from, long to) {
    return LongStream.range(from, to).<Object>mapToObj(i -> i).toList();
  }

  private static void assertRow(long row, RowException e) {
    assertEquals(row, e.row().orElse(-1), e.getMessage());
    assertTrue(e.getMessage().startsWith("row " + row), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 4_095, 4_096, 4_097, 70_000})
  void aRowThatDoesNotFitIsAnErrorOfItsCall(int before) throws IOException {
    Codec<Object> codec = Codec.ofAny(Schema.parse("i64"));
    try (StreamWriter<Object> writer = StreamWriter.of(codec).to(out)) {
      for (long i = 0; i < before; i++) {
        writer.write(i);
      }
      for (int i = 0; i < 3; i++) {
        assertRow(before, assertThrows(EncodeException.class, () -> writer.write("x")));
        assertEquals(before, writer.rows());
      }
      for (long i = before; i < before + 10; i++) {
        writer.write(i);
      }
      List<Object> more = new ArrayList<>(longs(before + 10, before + 5_000));
      more.add(null);
      more.add(1L);
      assertRow(before + 5_000, assertThrows(EncodeException.class, () -> writer.writeAll(more)));
      assertEquals(before + 5_000, writer.rows());
      writer.write(before + 5_000L);
      writer.finish();
    }
    Same.assertSame(longs(0, before + 5_001), rows());
  }

  @Test
  void aRowIsRefusedInTheMiddleOfItsFields() throws IOException {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, [str], bytes, i64)"));
    List<Object[]> good = new ArrayList<>();
    try (StreamWriter<Object[]> writer = StreamWriter.of(codec).to(out)) {
      for (long i = 0; i < 200; i++) {
        Object[] row = {i, List.of("a" + i, "é"), new byte[] {(byte) i}, i};
        writer.write(row);
        good.add(row);
        Object[] bad = row.clone();
        bad[3] = "no integer";
        EncodeException e = assertThrows(EncodeException.class, () -> writer.write(bad));
        assertRow(i + 1, e);
        assertEquals(List.of(3), e.path().orElseThrow());
      }
      writer.finish();
    }
    Same.assertSame(good, rows());
  }

  @Test
  void aRowWithoutATypeIsRefused() throws IOException {
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      assertRow(0, assertThrows(EncodeException.class, () -> writer.write(new Object())));
      assertEquals(0, writer.rows());
      writer.write(1L);
      assertRow(1, assertThrows(EncodeException.class, () -> writer.write(new Object())));
      writer.write("a");
      List<Object> more = Arrays.asList(2L, 0.5, new Object(), 3L);
      assertRow(4, assertThrows(EncodeException.class, () -> writer.writeAll(more)));
      List<Object> itself = new ArrayList<>();
      itself.add(itself);
      assertThrows(LimitException.class, () -> writer.write(itself));
      writer.write(null);
      writer.finish();
    }
    Same.assertSame(Arrays.asList(1L, "a", 2L, 0.5, null), rows());
  }

  @Test
  void aRowOfTooManyNullsIsRefused() throws IOException {
    List<Object> nulls = Collections.nCopies(4_000_000, null);
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      writer.write(Collections.nCopies(5, null));
      writer.write(Collections.nCopies(6, null));
      assertThrows(LimitException.class, () -> writer.write(nulls));
      assertEquals(2, writer.rows());
      writer.write(Collections.nCopies(7, null));
      List<Object> more = List.of(List.of(), nulls, Collections.nCopies(8, null));
      assertThrows(LimitException.class, () -> writer.writeAll(more));
      assertEquals(4, writer.rows());
      writer.write(1L);
      writer.finish();
    }
    List<Object> expected = new ArrayList<>();
    for (int length : new int[] {5, 6, 7, 0}) {
      expected.add(new ArrayList<>(Collections.nCopies(length, null)));
    }
    expected.add(1L);
    Same.assertSame(expected, rows());
  }

  /** A record whose accessor may fail. */
  record Faulty(boolean fails) {
    @Override
    public boolean fails() {
      if (fails) {
        throw new IllegalStateException("no value");
      }
      return false;
    }
  }

  @Test
  void aGetterMayFail() throws IOException {
    try (StreamWriter<Faulty> writer = StreamWriter.of(Faulty.class).to(out)) {
      writer.write(new Faulty(false));
      EncodeException e = assertThrows(EncodeException.class, () -> writer.write(new Faulty(true)));
      assertRow(1, e);
      assertEquals("no value", e.getCause().getMessage());
      writer.writeAll(List.of(new Faulty(false), new Faulty(false)));
      assertEquals(3, writer.rows());
      writer.finish();
    }
    assertEquals(3, rows().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4_096, 5_000})
  void anIteratorMayFail(int before) throws IOException {
    RuntimeException failure = new IllegalArgumentException("no row");
    Iterator<Object> iterator =
        new Iterator<>() {
          private long given;

          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public Object next() {
            if (given == before) {
              throw failure;
            }
            return given++;
          }
        };
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      assertSame(failure, assertThrows(RuntimeException.class, () -> writer.writeAll(iterator)));
      assertEquals(before, writer.rows());
      writer.write((long) before);
      writer.finish();
    }
    Same.assertSame(longs(0, before + 1), rows());
  }

  @Test
  void aClosedWriterTakesNoRows() throws IOException {
    StreamWriter<Part> writer = StreamWriter.of(Part.class).to(out);
    writer.write(new Part(1, "a"));
    writer.close();
    int length = out.size();
    writer.close();
    assertEquals(length, out.size());
    for (Executable call :
        List.<Executable>of(
            () -> writer.write(new Part(1, "a")),
            () -> writer.writeAll(List.of()),
            writer::flush,
            writer::finish)) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertEquals("this StreamWriter is closed", e.getMessage());
    }
    assertEquals(1, writer.rows());
    assertEquals(length, writer.bytesWritten());
  }

  @Test
  void aCallDuringAnotherOneIsRefused() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      Iterator<Object> waiting =
          new Iterator<>() {
            private boolean isGiven;

            @Override
            public boolean hasNext() {
              return !isGiven;
            }

            @Override
            public Object next() {
              isGiven = true;
              begun.countDown();
              try {
                refused.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return 1L;
            }
          };
      Thread other =
          new Thread(
              () -> {
                try {
                  writer.writeAll(waiting);
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      other.start();
      begun.await();
      for (Executable call :
          List.<Executable>of(
              () -> writer.write(2L), writer::flush, writer::finish, writer::close)) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertTrue(e.getMessage().contains("another call of this StreamWriter is running"));
      }
      refused.countDown();
      other.join();
      assertNull(failure.get());
      // A row must not write to its own stream.
      Iterable<Object> nested =
          () -> {
            try {
              writer.write(3L);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            return Collections.emptyIterator();
          };
      assertThrows(IllegalStateException.class, () -> writer.writeAll(nested));
      writer.write(4L);
      writer.finish();
    }
    Same.assertSame(List.of(1L, 4L), rows());
  }

  @Test
  void nullsAreNamed() throws IOException {
    StreamWriter.Options<Part> options = StreamWriter.of(Part.class);
    assertNamed("codec", () -> StreamWriter.of((Codec<?>) null));
    assertNamed("wire", () -> options.withWire(null));
    assertNamed("compression", () -> options.withCompression(null));
    assertNamed("progress", () -> options.withProgress(null));
    assertNamed("out", () -> options.to((OutputStream) null));
    assertNamed("channel", () -> options.to((WritableByteChannel) null));
    assertNamed("file", () -> options.to((Path) null));
    assertNamed("file", () -> options.appendTo(null));
    try (StreamWriter<Part> writer = options.to(out)) {
      assertNamed(RowErrorsTest.NO_ROWS, () -> writer.writeAll((Iterable<Part>) null));
      assertNamed(RowErrorsTest.NO_ROWS, () -> writer.writeAll((Iterator<Part>) null));
      writer.finish();
    }
  }

  static void assertNamed(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void optionsAreNotChanged() throws IOException {
    StreamWriter.Options<Part> plain = StreamWriter.of(Part.class);
    byte[] before = StreamsTest.written(plain, StreamsTest.parts(500), 500);
    plain.withCompression(Compression.zstd()).withWire(Wire.ROW);
    byte[] after = StreamsTest.written(plain, StreamsTest.parts(500), 500);
    assertArrayEquals(StreamsTest.unsalted(before), StreamsTest.unsalted(after));
    Codec<Part> codec = Codec.of(Part.class).withWire(Wire.ROW);
    byte[] rows = StreamsTest.written(StreamWriter.of(codec), StreamsTest.parts(500), 500);
    assertEquals(0, rows[32 + 24]);
    assertEquals(1, before[32 + 24]);
  }

  /** A row whose object, and list, the caller fills again for the next row. */
  private static final class Filled {
    private final List<Long> tags = new ArrayList<>();
    private final Object[] row = {0L, tags};

    Object[] with(long key) {
      row[0] = key;
      tags.clear();
      tags.add(-key);
      return row;
    }
  }

  private static List<Object> filledRows(int count) {
    List<Object> rows = new ArrayList<>();
    for (long key = 0; key < count; key++) {
      rows.add(new Filled().with(key));
    }
    return rows;
  }

  private interface Rows {
    void write(StreamWriter<Object> writer, LongStream keys, Filled filled) throws IOException;
  }

  static List<Arguments> sources() {
    List<Rows> sources =
        List.of(
            (writer, keys, filled) -> writer.writeAll(keys.mapToObj(filled::with).iterator()),
            (writer, keys, filled) ->
                writer.writeAll((Iterable<Object>) () -> of(keys.mapToObj(filled::with))),
            (writer, keys, filled) -> writer.writeAll(keys.mapToObj(filled::with)),
            (writer, keys, filled) ->
                writer.writeAll(keys.boxed().flatMap(key -> Stream.of(key).map(filled::with))),
            (writer, keys, filled) ->
                writer.writeAll(Stream.of(keys).flatMap(all -> all.mapToObj(filled::with))),
            // Two objects that take turns, as those of a pool.
            (writer, keys, filled) -> {
              Filled other = new Filled();
              writer.writeAll(keys.mapToObj(key -> (key % 2 == 0 ? filled : other).with(key)));
            });
    List<Arguments> all = new ArrayList<>();
    for (int source = 0; source < sources.size(); source++) {
      for (int count : new int[] {1, 100, 70_000}) {
        all.add(Arguments.of(source, count, sources.get(source)));
      }
    }
    return all;
  }

  private static Iterator<Object> of(Stream<Object[]> rows) {
    return rows.<Object>map(row -> row).iterator();
  }

  @ParameterizedTest(name = "source {0}, {1} rows")
  @MethodSource("sources")
  void aRowMayBeFilledAgain(int source, int count, Rows rows) throws IOException {
    for (StreamWriter.Options<Object> options :
        List.of(
            StreamWriter.ofAny(),
            StreamWriter.ofAny().withWire(Wire.ROW).withThreads(Threads.of(2)),
            StreamWriter.of(Codec.ofAny(Schema.parse("(i64, [i64])"))))) {
      out.reset();
      try (StreamWriter<Object> writer = options.to(out)) {
        rows.write(writer, LongStream.range(0, count), new Filled());
        writer.finish();
      }
      Same.assertSame(filledRows(count), rows());
    }
  }

  @Test
  void aRowThatIsFilledAgainMayWidenTheSchema() throws IOException {
    Object[] row = new Object[1];
    Object[] values = {1L, "a", null, 0.5, List.of(1L)};
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      writer.writeAll(
          Stream.of(values)
              .map(
                  value -> {
                    row[0] = value;
                    return row;
                  }));
      writer.finish();
    }
    List<Object> expected = new ArrayList<>();
    for (Object value : values) {
      expected.add(new Object[] {value});
    }
    Same.assertSame(expected, rows());
  }

  @Test
  void aStreamWithoutItsEndIsAnErrorAfterItsRows() throws IOException {
    RuntimeException failure = new IllegalArgumentException("no part");
    assertSame(
        failure,
        assertThrows(
            IllegalArgumentException.class,
            () -> {
              try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(out)) {
                writer.writeAll(StreamsTest.parts(10));
                throw failure;
              }
            }));
    assertEquals(0, failure.getSuppressed().length);
    List<Part> read = new ArrayList<>();
    StreamReader<Part> reader =
        StreamReader.of(Part.class).from(new ByteArrayInputStream(out.toByteArray()));
    assertThrows(DecodeException.class, () -> reader.forEach(read::add));
    assertEquals(StreamsTest.parts(10), read);
    assertThrows(DecodeException.class, () -> Serow.loads(out.toByteArray()));
  }

  @Test
  @SuppressWarnings("try") // It is closed twice.
  void aFinishedWriterTakesNoRows() throws IOException {
    try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(out)) {
      writer.write(new Part(1, "a"));
      writer.finish();
      int length = out.size();
      writer.finish();
      for (Executable call :
          List.<Executable>of(
              () -> writer.write(new Part(1, "a")),
              () -> writer.writeAll(List.of()),
              () -> writer.writeAll(Collections.emptyIterator()),
              () -> writer.writeAll(Stream.of()),
              writer::flush)) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertTrue(e.getMessage().startsWith("this StreamWriter has finished"), e.getMessage());
      }
      assertEquals(1, writer.rows());
      writer.close();
      assertEquals(length, out.size());
    }
    assertEquals(1, rows().size());
  }
}
