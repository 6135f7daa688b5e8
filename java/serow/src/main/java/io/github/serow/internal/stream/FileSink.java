package io.github.serow.internal.stream;

import io.github.serow.DecodeException;
import io.github.serow.internal.message.MessageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes a stream to a file that serow opens, and leaves whole frames in it after an error. */
public final class FileSink implements ByteSink {
  private final Path path;
  private final FileChannel file;

  /** Whether the file has a length, unlike a pipe or a device. */
  private final boolean isRegular;

  /** The number of bytes in the file up to the last whole frame. */
  private long whole;

  private long written;

  private final MessageFile.End begin;

  private FileSink(Path path, FileChannel file, boolean isRegular, MessageFile.End begin) {
    this.path = path;
    this.file = file;
    this.isRegular = isRegular;
    this.begin = begin;
    whole = begin.length();
    written = whole;
  }

  @Override
  public MessageFile.End begin() {
    return begin;
  }

  /** Creates a file, or removes what is in it. */
  public static FileSink create(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING);
    return new FileSink(path, file, Files.isRegularFile(path), NEW_LOG);
  }

  /**
   * Opens a file behind the messages in it, or creates it.
   *
   * @throws DecodeException if the file does not end with a whole message
   */
  public static FileSink append(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    try {
      MessageFile.End end = MessageFile.end(file);
      file.position(end.length());
      return new FileSink(path, file, Files.isRegularFile(path), end);
    } catch (DecodeException e) {
      file.close();
      throw new DecodeException(
          path + ": " + e.getMessage(), null, -1, null, e.offset().orElse(-1));
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    ByteSink.writeAll(file, ByteBuffer.wrap(bytes, 0, length));
    written += length;
  }

  @Override
  public void endFrames() {
    whole = written;
  }

  @Override
  public void dropPart() throws IOException {
    if (!isRegular) {
      return;
    }
    if (file.isOpen()) {
      file.truncate(whole);
      return;
    }
    // The thread was interrupted, which closes a channel.
    boolean wasInterrupted = Thread.interrupted();
    try (FileChannel again = FileChannel.open(path, StandardOpenOption.WRITE)) {
      again.truncate(whole);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
