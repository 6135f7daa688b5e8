package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.StreamsTest.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that are cut, damaged, slow or hostile. */
class ReaderTest {
  private static final int PER_FRAME = 40;

  /** Streams of the same rows, in each wire with each compression. */
  static List<byte[]> streams() throws IOException {
    List<byte[]> streams = new ArrayList<>();
    for (Wire wire : Wire.values()) {
      for (Compression compression : StreamsTest.COMPRESSIONS) {
        StreamWriter.Options<Part> options =
            StreamWriter.of(Part.class).withWire(wire).withCompression(compression);
        streams.add(StreamsTest.written(options, StreamsTest.parts(100), PER_FRAME));
      }
    }
    return streams;
  }

  private static StreamReader<Part> reader(byte[] bytes) {
    return StreamReader.of(Part.class).from(new ByteArrayInputStream(bytes));
  }

  /** Reads rows until an error, which the reader must repeat. Returns the rows. */
  private static List<Part> rowsBeforeAnError(byte[] bytes) {
    List<Part> rows = new ArrayList<>();
    StreamReader<Part> reader = reader(bytes);
    SerowException e = assertThrows(SerowException.class, () -> reader.forEach(rows::add));
    assertTrue(e instanceof DecodeException || e instanceof LimitException, e.toString());
    assertSame(e, assertThrows(SerowException.class, () -> reader.iterator().hasNext()));
    assertEquals(rows.size(), reader.rows());
    return rows;
  }

  @ParameterizedTest
  @MethodSource("streams")
  void aCutStreamGivesItsWholeFrames(byte[] bytes) throws IOException {
    List<Part> parts = StreamsTest.parts(100);
    assertEquals(parts, StreamsTest.read(StreamReader.of(Part.class), bytes));
    int most = 0;
    for (int length = 1; length < bytes.length; length++) {
      List<Part> rows = rowsBeforeAnError(Arrays.copyOf(bytes, length));
      assertTrue(rows.size() % PER_FRAME == 0 || rows.size() == 100, rows.size() + " rows");
      assertTrue(rows.size() >= most);
      assertEquals(parts.subList(0, rows.size()), rows);
      most = rows.size();
    }
    // The last byte is one of the index.
    assertEquals(100, most);
  }

  @ParameterizedTest
  @MethodSource("streams")
  void aDamagedByteIsNoticed(byte[] bytes) {
    List<Part> parts = StreamsTest.parts(100);
    Random random = new Random(17);
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) (1 + random.nextInt(255));
      List<Part> rows = rowsBeforeAnError(damaged);
      assertEquals(parts.subList(0, rows.size()), rows);
    }
  }

  @Test
  void errorsTellTheirPlaceInTheStream() throws IOException {
    byte[] bytes = streams().get(0);
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
    twice[2 * bytes.length - 1] ^= 1;
    StreamReader<Part> reader = reader(twice);
    DecodeException e = assertThrows(DecodeException.class, () -> reader.forEach(part -> {}));
    assertEquals(200, reader.rows());
    assertTrue(e.offset().orElse(-1) > bytes.length, e.getMessage());
    assertTrue(e.getMessage().startsWith("frame 6 "), e.getMessage());
    byte[] cut = Arrays.copyOf(twice, bytes.length + 3);
    e = assertThrows(DecodeException.class, () -> reader(cut).forEach(part -> {}));
    assertEquals(bytes.length, e.offset().orElse(-1));
  }

  record Percent(int value) {
    Percent {
      if (value > 100) {
        throw new IllegalArgumentException("more than 100");
      }
    }
  }

  @Name("Percent")
  record Any(int value) {}

  @Test
  void aRowThatItsClassRefusesIsNamed() throws IOException {
    List<Any> rows = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      rows.add(new Any(i == 95 ? 700 : i % 100));
    }
    byte[] bytes = StreamsTest.written(StreamWriter.of(Any.class), rows, PER_FRAME);
    StreamReader<Percent> reader =
        StreamReader.of(Percent.class).from(new ByteArrayInputStream(bytes));
    List<Percent> read = new ArrayList<>();
    DecodeException e = assertThrows(DecodeException.class, () -> reader.forEach(read::add));
    assertEquals(80, read.size());
    assertEquals(95, e.row().orElse(-1));
    assertTrue(e.getMessage().startsWith("frame 2, row 15"), e.getMessage());
    assertEquals("more than 100", e.getCause().getMessage());
  }

  /** Gives one byte, or two, at a time, and counts what it gave. */
  private static final class Slow extends InputStream {
    private final byte[] bytes;
    private int at;

    Slow(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return at < bytes.length ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (at == bytes.length) {
        return -1;
      }
      int count = Math.min(Math.min(length, 1 + at % 2), bytes.length - at);
      System.arraycopy(bytes, at, to, offset, count);
      at += count;
      return count;
    }
  }

  @ParameterizedTest
  @MethodSource("streams")
  void aSlowSourceIsReadNoFurtherThanNeeded(byte[] bytes) throws IOException {
    byte[] more = Arrays.copyOf(bytes, bytes.length + 50);
    Slow slow = new Slow(more);
    try (StreamReader<Part> reader = StreamReader.of(Part.class).oneStream().from(slow)) {
      Iterator<Part> rows = reader.iterator();
      for (int i = 0; i < 100; i++) {
        assertEquals(new Part(i, "Part#" + i % 17), rows.next());
        assertEquals(slow.at, reader.bytesRead());
      }
      assertTrue(slow.at < bytes.length);
      assertFalse(rows.hasNext());
      assertEquals(bytes.length, slow.at);
    }
  }

  @Test
  void largeFramesComeInManyReads() throws IOException {
    byte[] noise = new byte[5_000_000];
    new Random(2).nextBytes(noise);
    List<Object> rows = List.of(noise, "a", noise);
    byte[] bytes = StreamsTest.written(StreamWriter.ofAny(), rows, 1);
    Same.assertSame(rows, StreamsTest.read(StreamReader.ofAny(), bytes));
    try (StreamReader<Object> reader = StreamReader.ofAny().from(new Slow(bytes))) {
      Same.assertSame(rows, new ArrayList<>(reader.stream().toList()));
    }
  }

  @Test
  void aSourceThatFailsMayGoOn() throws IOException {
    byte[] bytes = streams().get(0);
    InputStream failing =
        new InputStream() {
          private final Slow slow = new Slow(bytes);
          private int reads;

          @Override
          public int read() {
            throw new AssertionError();
          }

          @Override
          public int read(byte[] to, int offset, int length) throws IOException {
            if (++reads % 10 == 0) {
              throw new SocketTimeoutException("too slow");
            }
            return slow.read(to, offset, length);
          }
        };
    StreamReader<Part> reader = StreamReader.of(Part.class).from(failing);
    List<Part> rows = new ArrayList<>();
    int failures = 0;
    for (boolean isRead = false; !isRead; ) {
      try {
        reader.forEach(rows::add);
        isRead = true;
      } catch (UncheckedIOException e) {
        assertEquals("too slow", e.getCause().getMessage());
        failures++;
      }
    }
    assertTrue(failures > 10, failures + " failures");
    assertEquals(StreamsTest.parts(100), rows);
  }

  @Test
  void aChannelThatDoesNotWaitIsAnError() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel source = pipe.source()) {
      source.configureBlocking(false);
      StreamReader<Part> reader = StreamReader.of(Part.class).from(source);
      UncheckedIOException e =
          assertThrows(UncheckedIOException.class, () -> reader.iterator().hasNext());
      assertTrue(e.getMessage().contains("no bytes now"), e.getMessage());
      source.configureBlocking(true);
      sink.write(ByteBuffer.wrap(Serow.dumps(StreamsTest.parts(3))));
      assertEquals(3, reader.frames().iterator().next().size());
      reader.close();
      assertTrue(source.isOpen());
    }
  }

  /** The reader must not ask for the memory that a length claims. */
  @Test
  void aFrameMayLieAboutItsLength() throws IOException {
    byte[] bytes = streams().get(0);
    for (long length : new long[] {1L << 20, 1L << 31, 1L << 40, 1L << 62, Long.MAX_VALUE, -1}) {
      byte[] lying = bytes.clone();
      ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putLong(8 + 16, length);
      assertEquals(List.of(), rowsBeforeAnError(lying));
    }
  }

  @Test
  void aCompressedFrameMayLieAboutItsSize() throws IOException {
    for (Compression compression : StreamsTest.COMPRESSIONS.subList(1, 4)) {
      byte[] bytes =
          StreamsTest.written(
              StreamWriter.of(Part.class).withWire(Wire.ROW).withCompression(compression),
              StreamsTest.parts(100),
              100);
      for (long lie : new long[] {0, 1, 1L << 31, 1L << 40, Long.MAX_VALUE, -1}) {
        assertEquals(List.of(), rowsBeforeAnError(CompressionTest.claiming(bytes, lie)));
      }
    }
  }

  @Test
  void whatIsNoStreamIsAnError(@TempDir Path folder) throws IOException {
    for (String text : List.of("x", "no stream", "SROW", "SROW no stream at all")) {
      DecodeException e =
          assertThrows(DecodeException.class, () -> reader(text.getBytes()).iterator().hasNext());
      assertEquals(0, e.offset().orElse(0), e.getMessage());
    }
    assertThrows(
        NoSuchFileException.class, () -> StreamReader.ofAny().from(folder.resolve("missing.srow")));
  }

  @Test
  void aClosedReaderGivesNoRows(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("parts.srow");
    Files.write(file, streams().get(0));
    StreamReader<Part> reader = StreamReader.of(Part.class).from(file);
    Iterator<Part> rows = reader.iterator();
    rows.next();
    reader.close();
    reader.close();
    IllegalStateException e = assertThrows(IllegalStateException.class, rows::next);
    assertEquals("this StreamReader is closed", e.getMessage());
    // It may also be closed before its first row, after its last row, and after an error.
    StreamReader.of(Part.class).from(file).close();
    StreamReader<Part> all = StreamReader.of(Part.class).from(file);
    assertEquals(100, all.stream().count());
    all.close();
    StreamReader<Object> wrong = StreamReader.of(Codec.ofAny(Schema.parse("i64"))).from(file);
    assertThrows(SchemaException.class, () -> wrong.iterator().hasNext());
    wrong.close();
  }

  @Test
  void inputStreamsAreNotClosed() throws IOException {
    InputStream in =
        new ByteArrayInputStream(streams().get(0)) {
          @Override
          public void close() {
            throw new AssertionError("the reader must not close it");
          }
        };
    try (StreamReader<Part> reader = StreamReader.of(Part.class).from(in)) {
      assertEquals(100, reader.stream().count());
    }
  }

  @Test
  void aCallDuringAnotherOneIsRefused() throws IOException {
    byte[] bytes = streams().get(0);
    List<StreamReader<Part>> readers = new ArrayList<>();
    InputStream nested =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError();
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            readers.get(0).iterator().hasNext();
            return -1;
          }
        };
    readers.add(StreamReader.of(Part.class).from(nested));
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> readers.get(0).iterator().hasNext());
    assertTrue(e.getMessage().contains("another call of this StreamReader is running"));
    // Many readers at once, each with memory of its own.
    List<Iterator<Part>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(reader(bytes).iterator());
    }
    for (Part part : StreamsTest.parts(100)) {
      for (Iterator<Part> rows : all) {
        assertEquals(part, rows.next());
      }
    }
  }

  @Test
  void progressMayFail() throws IOException {
    boolean[] fails = {true};
    StreamReader<Part> reader =
        StreamReader.of(Part.class)
            .withProgress(
                (rows, bytes) -> {
                  if (fails[0]) {
                    throw new IllegalArgumentException("stop");
                  }
                })
            .from(new ByteArrayInputStream(streams().get(0)));
    assertThrows(IllegalArgumentException.class, () -> reader.iterator().hasNext());
    fails[0] = false;
    assertEquals(StreamsTest.parts(100), reader.stream().toList());
  }

  @Test
  void nullsAreNamed() {
    StreamReader.Options<Part> options = StreamReader.of(Part.class);
    WriterTest.assertNamed("codec", () -> StreamReader.of((Codec<?>) null));
    WriterTest.assertNamed("progress", () -> options.withProgress(null));
    WriterTest.assertNamed("in", () -> options.from((InputStream) null));
    WriterTest.assertNamed("channel", () -> options.from((ReadableByteChannel) null));
    WriterTest.assertNamed("file", () -> options.from((Path) null));
  }

  @Test
  void aParallelStreamHoldsAFrameForEachThread() throws IOException {
    int perFrame = 10_000;
    int frames = 60;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = StreamWriter.ofAny().to(out)) {
      for (long i = 0; i < frames * perFrame; i++) {
        writer.write(i);
        if ((i + 1) % perFrame == 0) {
          writer.flush();
        }
      }
      writer.finish();
    }
    AtomicLong done = new AtomicLong();
    AtomicLong most = new AtomicLong();
    Progress progress = (rows, bytes) -> most.accumulateAndGet(rows - done.get(), Math::max);
    try (StreamReader<Object> reader =
        StreamReader.ofAny()
            .withProgress(progress)
            .from(new ByteArrayInputStream(out.toByteArray()))) {
      List<Object> rows = reader.stream().parallel().peek(row -> done.incrementAndGet()).toList();
      assertEquals(LongStream.range(0, frames * perFrame).boxed().toList(), rows);
    }
    int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
    assertTrue(most.get() <= (threads + 1L) * perFrame, most + " rows at once");
  }
}
