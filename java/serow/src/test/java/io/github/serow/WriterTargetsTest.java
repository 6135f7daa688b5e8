package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.StreamsTest.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Targets that fail, are full or slow, and files that are appended to. */
class WriterTargetsTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

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
                try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(target)) {
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
      StreamReader<Part> reader =
          StreamReader.of(Part.class).from(new ByteArrayInputStream(target.taken.toByteArray()));
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
    StreamWriter<Part> writer = StreamWriter.of(Part.class).to(new FailingStream(100));
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
    IOException e = assertThrows(IOException.class, () -> StreamWriter.of(Part.class).to(full));
    assertTrue(e.getMessage().contains("No space left"), e.getMessage());
    assertEquals(0, e.getSuppressed().length);
  }

  /** Writes frames to the file that the argument names, until that fails. Prints their rows. */
  public static final class FillsAFile {
    private FillsAFile() {}

    public static void main(String[] args) throws IOException {
      long flushed = 0;
      try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(Path.of(args[0]))) {
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

  /** The process may write files of 64 KiB only; then writing fails as on a full disk. */
  @Test
  void aFullDiskLeavesWholeFrames(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("parts.srow");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // It can't extract the library to a file.
    String library = "/io/github/serow/native/linux-x86_64/libserow_jvm.so";
    Path extracted = Path.of(WriterTargetsTest.class.getResource(library).toURI());
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", "ulimit -f 64; exec \"$@\"", "bash", java));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-Dserow.native.path=" + extracted);
    command.addAll(List.of(FillsAFile.class.getName(), file.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    long flushed = Long.parseLong(new String(process.getInputStream().readAllBytes()).trim());
    assertEquals(0, process.waitFor());
    assertTrue(flushed > 1_000, flushed + " rows");
    assertTrue(Files.size(file) < 64 << 10);
    List<Part> read = new ArrayList<>();
    try (StreamReader<Part> reader = StreamReader.of(Part.class).from(file)) {
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
    StreamWriter<Part> writer = StreamWriter.of(Part.class).to(file);
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
    try (StreamReader<Part> reader = StreamReader.of(Part.class).from(file)) {
      DecodeException e = assertThrows(DecodeException.class, () -> reader.forEach(read::add));
      assertTrue(e.getMessage().contains("cut"), e.getMessage());
    }
    assertEquals(parts, read);
    // Nothing can follow a stream that has no end.
    DecodeException e =
        assertThrows(DecodeException.class, () -> StreamWriter.of(Part.class).appendTo(file));
    assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
    assertEquals(whole, Files.size(file));
  }

  @Test
  void onlyWholeMessagesAreAppendedTo(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("parts.srow");
    byte[] first = StreamsTest.written(StreamWriter.of(Part.class), StreamsTest.parts(20), 7);
    byte[] second = Serow.dumps(StreamsTest.parts(3));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    for (int length = 1; length < both.length; length++) {
      Files.write(file, Arrays.copyOf(both, length));
      if (length == first.length) {
        continue;
      }
      DecodeException e =
          assertThrows(DecodeException.class, () -> StreamWriter.of(Part.class).appendTo(file));
      assertEquals(length < first.length ? 0 : first.length, e.offset().orElse(-1));
      assertEquals(length, Files.size(file));
    }
    // Lengths that exceed the file, or any number.
    for (int at = 8 + 16; at < 8 + 24; at++) {
      byte[] lying = second.clone();
      lying[at] ^= (byte) 0x81;
      Files.write(file, lying);
      assertThrows(DecodeException.class, () -> StreamWriter.of(Part.class).appendTo(file));
    }
    // A marker of the index that lies about the salt or the number of rows.
    int index =
        (int) ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getLong(first.length - 16);
    for (int at = first.length - index; at < first.length - index + 24; at++) {
      byte[] lying = first.clone();
      lying[at] ^= 1;
      Files.write(file, lying);
      assertThrows(DecodeException.class, () -> StreamWriter.of(Part.class).appendTo(file));
    }
    // An index that does not lead to the beginning of its message.
    for (int from = 1; from < first.length; from++) {
      Files.write(file, Arrays.copyOfRange(first, from, first.length));
      assertThrows(DecodeException.class, () -> StreamWriter.of(Part.class).appendTo(file));
      assertEquals(first.length - from, Files.size(file));
    }
    // The index must be of the log with which the file begins.
    Files.write(file, "anything".getBytes(StandardCharsets.US_ASCII));
    Files.write(file, first, StandardOpenOption.APPEND);
    assertThrows(DecodeException.class, () -> StreamWriter.of(Part.class).appendTo(file));
    Files.write(file, both);
    try (StreamWriter<Part> nothing = StreamWriter.of(Part.class).appendTo(file)) {
      nothing.finish();
    }
    assertEquals(
        23, StreamsTest.read(StreamReader.of(Part.class), Files.readAllBytes(file)).size());
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
    try (StreamWriter<Part> writer = StreamWriter.of(Part.class).to(slow(out))) {
      writer.writeAll(parts);
      writer.finish();
    }
    assertEquals(parts, StreamsTest.read(StreamReader.of(Part.class), out.toByteArray()));
  }

  @Test
  void aChannelThatDoesNotWaitIsAnError() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel source = pipe.source()) {
      sink.configureBlocking(false);
      byte[] noise = new byte[1 << 20];
      new java.util.Random(1).nextBytes(noise);
      StreamWriter<Object> writer = StreamWriter.ofAny().to(sink);
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
    StreamWriter<Part> writer = StreamWriter.of(Part.class).to(target);
    writer.write(new Part(1, "a"));
    assertEquals(32, out.size());
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
}
