package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.StreamsTest.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are refused, targets that fail, and calls in a wrong order. */
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

  /** Fails once it has taken some bytes, after it took a part of the last ones. */
  private static final class FailingStream extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final int space;
    private int closed;

    FailingStream(int space) {
      this.space = space;
    }

    @Override
    public void write(int b) throws IOException {
      if (taken.size() == space) {
        throw new IOException("no space");
      }
      taken.write(b);
    }

    @Override
    public void close() {
      closed++;
    }
  }

  @Test
  void aFailingStreamEndsTheWriter() throws IOException {
    for (int space : new int[] {0, 5, 8, 100, 1_000}) {
      FailingStream target = new FailingStream(space);
      List<Part> parts = StreamsTest.parts(500);
      IOException e =
          assertThrows(
              IOException.class,
              () -> {
                try (Writer<Part> writer = Writer.of(Part.class).to(target)) {
                  for (int i = 0; i < 100; i++) {
                    writer.writeAll(parts.subList(5 * i, 5 * i + 5));
                    writer.flush();
                  }
                }
              });
      assertEquals("no space", e.getMessage());
      // Closing has written nothing, and has not failed again.
      assertEquals(0, e.getSuppressed().length);
      assertEquals(0, target.closed);
      assertEquals(space, target.taken.size());
      List<Part> read = new ArrayList<>();
      Reader<Part> reader =
          Reader.of(Part.class).from(new ByteArrayInputStream(target.taken.toByteArray()));
      if (space == 0) {
        assertFalse(reader.iterator().hasNext());
      } else {
        assertThrows(DecodeException.class, () -> reader.forEach(read::add));
      }
      assertEquals(parts.subList(0, read.size()), read);
      assertEquals(space >= 1_000, read.size() > 20);
    }
  }

  @Test
  void aWriterThatHasFailedSaysSo() throws IOException {
    Writer<Part> writer = Writer.of(Part.class).to(new FailingStream(100));
    writer.writeAll(StreamsTest.parts(50));
    assertThrows(IOException.class, writer::flush);
    IOException e = assertThrows(IOException.class, () -> writer.write(new Part(1, "a")));
    assertTrue(e.getMessage().contains("earlier error while writing"), e.getMessage());
    assertTrue(e.getMessage().contains("no space"), e.getMessage());
    assertThrows(IOException.class, writer::flush);
    writer.close();
    writer.close();
    assertThrows(IllegalStateException.class, () -> writer.write(new Part(1, "a")));
  }

  @Test
  void aFullDeviceIsAnError() throws IOException {
    Path full = Path.of("/dev/full");
    IOException e = assertThrows(IOException.class, () -> Writer.of(Part.class).to(full));
    assertTrue(e.getMessage().contains("No space left"), e.getMessage());
    assertEquals(0, e.getSuppressed().length);
  }

  /** Writes frames to the file that the argument names, until that fails. Prints their rows. */
  public static final class FillsAFile {
    private FillsAFile() {}

    public static void main(String[] args) throws IOException {
      long flushed = 0;
      try (Writer<Part> writer = Writer.of(Part.class).to(Path.of(args[0]))) {
        while (true) {
          writer.writeAll(StreamsTest.parts(500));
          writer.flush();
          flushed = writer.rows();
        }
      } catch (IOException e) {
        System.out.println(flushed);
      }
    }
  }

  /** The process may write files of 64 KiB only, which fails as a full disk does. */
  @Test
  void aFullDiskLeavesWholeFrames(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("parts.srow");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    String program = FillsAFile.class.getName();
    String limited = "ulimit -f 64; exec \"$0\" -cp \"$1\" \"$2\" \"$3\"";
    Process process =
        new ProcessBuilder("bash", "-c", limited, java, classPath, program, file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long flushed = Long.parseLong(new String(process.getInputStream().readAllBytes()).trim());
    assertEquals(0, process.waitFor());
    assertTrue(flushed > 1_000, flushed + " rows");
    assertTrue(Files.size(file) < 64 << 10);
    List<Part> read = new ArrayList<>();
    try (Reader<Part> reader = Reader.of(Part.class).from(file)) {
      DecodeException e = assertThrows(DecodeException.class, () -> reader.forEach(read::add));
      assertTrue(e.getMessage().contains("cut"), e.getMessage());
    }
    assertEquals(flushed, read.size());
    assertEquals(StreamsTest.parts(500), read.subList(read.size() - 500, read.size()));
  }

  /** The thread is interrupted while it writes to a file, which closes the file's channel. */
  @Test
  void anInterruptedFileEndsWithAWholeFrame(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("parts.srow");
    List<Part> parts = StreamsTest.parts(100);
    Writer<Part> writer = Writer.of(Part.class).to(file);
    writer.writeAll(parts);
    writer.flush();
    long whole = Files.size(file);
    writer.writeAll(parts);
    Thread.currentThread().interrupt();
    try {
      assertThrows(IOException.class, writer::flush);
      assertTrue(Thread.currentThread().isInterrupted());
    } finally {
      Thread.interrupted();
    }
    writer.close();
    assertEquals(whole, Files.size(file));
    List<Part> read = new ArrayList<>();
    try (Reader<Part> reader = Reader.of(Part.class).from(file)) {
      DecodeException e = assertThrows(DecodeException.class, () -> reader.forEach(read::add));
      assertTrue(e.getMessage().contains("cut"), e.getMessage());
    }
    assertEquals(parts, read);
    // Nothing can follow a stream that has no end.
    DecodeException e =
        assertThrows(DecodeException.class, () -> Writer.of(Part.class).appendTo(file));
    assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
    assertEquals(whole, Files.size(file));
  }

  @Test
  void onlyWholeMessagesAreAppendedTo(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("parts.srow");
    byte[] first = StreamsTest.written(Writer.of(Part.class), StreamsTest.parts(20), 7);
    byte[] second = Serow.dumps(StreamsTest.parts(3));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    for (int length = 1; length < both.length; length++) {
      Files.write(file, Arrays.copyOf(both, length));
      if (length == first.length) {
        continue;
      }
      DecodeException e =
          assertThrows(DecodeException.class, () -> Writer.of(Part.class).appendTo(file));
      assertEquals(length < first.length ? 0 : first.length, e.offset().orElse(-1));
      assertEquals(length, Files.size(file));
    }
    // Lengths that exceed the file, or any number.
    for (int at = 8 + 16; at < 8 + 24; at++) {
      byte[] lying = first.clone();
      lying[at] ^= (byte) 0x81;
      Files.write(file, lying);
      assertThrows(DecodeException.class, () -> Writer.of(Part.class).appendTo(file));
    }
    Files.write(file, both);
    Writer.of(Part.class).appendTo(file).close();
    assertEquals(23, StreamsTest.read(Reader.of(Part.class), Files.readAllBytes(file)).size());
  }

  /** Takes a byte or two at a time. */
  private static WritableByteChannel slow(ByteArrayOutputStream to) {
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer bytes) {
        int count = Math.min(bytes.remaining(), 1 + to.size() % 2);
        for (int i = 0; i < count; i++) {
          to.write(bytes.get());
        }
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {
        throw new AssertionError("the writer must not close it");
      }
    };
  }

  @Test
  void aChannelMayTakeFewBytes() throws IOException {
    List<Part> parts = StreamsTest.parts(2_000);
    try (Writer<Part> writer = Writer.of(Part.class).to(slow(out))) {
      writer.writeAll(parts);
    }
    assertEquals(parts, StreamsTest.read(Reader.of(Part.class), out.toByteArray()));
  }

  @Test
  void aChannelThatDoesNotWaitIsAnError() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel source = pipe.source()) {
      sink.configureBlocking(false);
      byte[] noise = new byte[1 << 20];
      new java.util.Random(1).nextBytes(noise);
      Writer<Object> writer = Writer.ofAny().to(sink);
      writer.write(noise);
      IOException e = assertThrows(IOException.class, writer::flush);
      assertTrue(e.getMessage().contains("blocking mode"), e.getMessage());
      writer.close();
      assertTrue(sink.isOpen() && source.isOpen());
    }
  }

  @Test
  void outputStreamsAreFlushedAndNotClosed() throws IOException {
    List<String> calls = new ArrayList<>();
    OutputStream target =
        new OutputStream() {
          @Override
          public void write(int b) {
            out.write(b);
          }

          @Override
          public void flush() {
            calls.add("flush");
          }

          @Override
          public void close() {
            calls.add("close");
          }
        };
    Writer<Part> writer = Writer.of(Part.class).to(target);
    writer.write(new Part(1, "a"));
    assertEquals(8, out.size());
    writer.flush();
    assertEquals(List.of("flush"), calls);
    assertEquals(out.size(), writer.bytesWritten());
    int before = out.size();
    // There is no row to flush.
    writer.flush();
    assertEquals(before, out.size());
    writer.close();
    assertEquals(List.of("flush", "flush", "flush"), calls);
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
