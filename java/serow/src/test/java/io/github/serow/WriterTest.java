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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are refused, and calls in a wrong order. */
class WriterTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private List<Object> rows() throws IOException {
    return StreamsTest.read(Reader.ofAny(), out.toByteArray());
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
    try (Writer<Object> writer = Writer.of(codec).to(out)) {
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
    }
    Same.assertSame(longs(0, before + 5_001), rows());
  }

  @Test
  void aRowIsRefusedInTheMiddleOfItsFields() throws IOException {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, [str], bytes, i64)"));
    List<Object[]> good = new ArrayList<>();
    try (Writer<Object[]> writer = Writer.of(codec).to(out)) {
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
    }
    Same.assertSame(good, rows());
  }

  @Test
  void aRowWithoutATypeIsRefused() throws IOException {
    try (Writer<Object> writer = Writer.ofAny().to(out)) {
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
    }
    Same.assertSame(Arrays.asList(1L, "a", 2L, 0.5, null), rows());
  }

  /** Native code refuses such a row, because flat rows have no slots for nulls. */
  @Test
  void aRowOfTooManyNullsIsRefused() throws IOException {
    List<Object> nulls = Collections.nCopies(4_000_000, null);
    try (Writer<Object> writer = Writer.ofAny().to(out)) {
      writer.write(Collections.nCopies(5, null));
      writer.write(Collections.nCopies(6, null));
      assertThrows(LimitException.class, () -> writer.write(nulls));
      assertEquals(2, writer.rows());
      writer.write(Collections.nCopies(7, null));
      List<Object> more = List.of(List.of(), nulls, Collections.nCopies(8, null));
      assertThrows(LimitException.class, () -> writer.writeAll(more));
      assertEquals(4, writer.rows());
      writer.write(1L);
    }
    List<Object> expected = new ArrayList<>();
    for (int length : new int[] {5, 6, 7, 0}) {
      expected.add(new ArrayList<>(Collections.nCopies(length, null)));
    }
    expected.add(1L);
    Same.assertSame(expected, rows());
  }

  /** A bean whose getter may fail. */
  public static final class Faulty {
    private boolean fails;

    public Faulty() {}

    Faulty(boolean fails) {
      this.fails = fails;
    }

    public boolean isFails() {
      if (fails) {
        throw new IllegalStateException("no value");
      }
      return false;
    }

    public void setFails(boolean fails) {
      this.fails = fails;
    }
  }

  @Test
  void aGetterMayFail() throws IOException {
    try (Writer<Faulty> writer = Writer.of(Faulty.class).to(out)) {
      writer.write(new Faulty(false));
      EncodeException e = assertThrows(EncodeException.class, () -> writer.write(new Faulty(true)));
      assertRow(1, e);
      assertEquals("no value", e.getCause().getMessage());
      writer.writeAll(List.of(new Faulty(false), new Faulty(false)));
      assertEquals(3, writer.rows());
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
    try (Writer<Object> writer = Writer.ofAny().to(out)) {
      assertSame(failure, assertThrows(RuntimeException.class, () -> writer.writeAll(iterator)));
      assertEquals(before, writer.rows());
      writer.write((long) before);
    }
    Same.assertSame(longs(0, before + 1), rows());
  }

  @Test
  void aClosedWriterTakesNoRows() throws IOException {
    Writer<Part> writer = Writer.of(Part.class).to(out);
    writer.write(new Part(1, "a"));
    writer.close();
    int length = out.size();
    writer.close();
    assertEquals(length, out.size());
    for (org.junit.jupiter.api.function.Executable call :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> writer.write(new Part(1, "a")),
            () -> writer.writeAll(List.of()),
            writer::flush)) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertEquals("this Writer is closed", e.getMessage());
    }
    assertEquals(1, writer.rows());
    assertEquals(length, writer.bytesWritten());
  }

  @Test
  void aCallDuringAnotherOneIsRefused() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (Writer<Object> writer = Writer.ofAny().to(out)) {
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
      for (org.junit.jupiter.api.function.Executable call :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> writer.write(2L), writer::flush, writer::close)) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertTrue(e.getMessage().contains("another call of this Writer is running"));
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
    }
    Same.assertSame(List.of(1L, 4L), rows());
  }

  @Test
  void nullsAreNamed() throws IOException {
    Writer.Options<Part> options = Writer.of(Part.class);
    assertNamed("codec", () -> Writer.of((Codec<?>) null));
    assertNamed("wire", () -> options.withWire(null));
    assertNamed("compression", () -> options.withCompression(null));
    assertNamed("progress", () -> options.withProgress(null));
    assertNamed("out", () -> options.to((OutputStream) null));
    assertNamed("channel", () -> options.to((WritableByteChannel) null));
    assertNamed("file", () -> options.to((Path) null));
    assertNamed("file", () -> options.appendTo(null));
    try (Writer<Part> writer = options.to(out)) {
      assertNamed("rows", () -> writer.writeAll((Iterable<Part>) null));
      assertNamed("rows", () -> writer.writeAll((Iterator<Part>) null));
    }
  }

  static void assertNamed(String name, org.junit.jupiter.api.function.Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void optionsAreNotChanged() throws IOException {
    Writer.Options<Part> plain = Writer.of(Part.class);
    byte[] before = StreamsTest.written(plain, StreamsTest.parts(500), 500);
    plain.withCompression(Compression.zstd()).withWire(Wire.ROW);
    assertArrayEquals(before, StreamsTest.written(plain, StreamsTest.parts(500), 500));
    try (Codec<Part> codec = Codec.of(Part.class, Wire.ROW)) {
      byte[] rows = StreamsTest.written(Writer.of(codec), StreamsTest.parts(500), 500);
      assertEquals(0, rows[8]);
      assertEquals(1, before[8]);
    }
  }

  @Test
  void aWriterThatWasNotClosedHasCutItsStream() throws IOException {
    // What it had written is a stream that was cut.
    Writer<Part> writer = Writer.of(Part.class).to(out);
    writer.writeAll(StreamsTest.parts(10));
    writer.flush();
    Reader<Part> reader = Reader.of(Part.class).from(new ByteArrayInputStream(out.toByteArray()));
    assertEquals(10, reader.frames().iterator().next().size());
    assertThrows(DecodeException.class, () -> reader.iterator().hasNext());
  }
}
