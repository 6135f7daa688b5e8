package io.github.serow.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * A native library in a file of its own, which the operating system can load. The file is in a
 * fresh folder that only this user may enter, and both are deleted when this is closed.
 *
 * <p>A process that is killed in between leaves its folder behind. So a process holds a lock on its
 * file, which the operating system takes from it when it ends, and deletes the files that nobody
 * holds a lock on.
 */
final class ExtractedLibrary implements AutoCloseable {
  private static final String FOLDER = "serow-";
  private static final String FILE = "libserow_jvm.so";

  /** A folder without a file that is older than this belongs to no process that is starting. */
  private static final int STARTING_SECONDS = 60;

  private final Path folder;
  private final FileChannel channel;

  /** Write the library to a file in a folder within {@code place}. */
  ExtractedLibrary(InputStream library, Path place) throws IOException {
    // The JDK makes the folder with mode 0700 and a name that cannot be guessed.
    folder = Files.createTempDirectory(place, FOLDER);
    FileChannel opened = null;
    try {
      opened = FileChannel.open(file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      lock(opened);
      library.transferTo(Channels.newOutputStream(opened));
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      delete(folder);
      throw e;
    }
    channel = opened;
  }

  Path file() {
    return folder.resolve(FILE);
  }

  @Override
  public void close() throws IOException {
    delete(folder);
    channel.close();
  }

  /** Delete what processes that ended too early have left in {@code place}. */
  static void deleteAbandoned(Path place) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, FOLDER + "*")) {
      for (Path folder : folders) {
        deleteIfAbandoned(folder);
      }
    } catch (IOException | RuntimeException e) {
      // What can't be deleted is not in the way.
    }
  }

  private static void deleteIfAbandoned(Path folder) {
    Path file = folder.resolve(FILE);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (tryLock(channel) != null) {
        delete(folder);
      }
    } catch (java.nio.file.NoSuchFileException e) {
      deleteIfOld(folder);
    } catch (IOException | RuntimeException e) {
      // It is another user's, or something else that has such a name.
    }
  }

  private static void deleteIfOld(Path folder) {
    try {
      Instant modified = Files.getLastModifiedTime(folder).toInstant();
      if (modified.isBefore(Instant.now().minusSeconds(STARTING_SECONDS))) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // It has other files, so it is nothing of serow's.
    }
  }

  /** Holds a lock until the channel is closed. Where there are no locks files are left behind. */
  private static void lock(FileChannel channel) {
    try {
      tryLock(channel);
    } catch (IOException e) {
      // Nobody else gets one either, and so nobody deletes the file.
    }
  }

  /** Null if another process, or this one, has the lock. */
  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static void delete(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
    Files.deleteIfExists(folder);
  }
}
