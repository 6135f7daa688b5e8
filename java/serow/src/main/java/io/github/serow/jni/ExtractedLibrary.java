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
 * A native library that was extracted to a file, so that the operating system can load it. The file
 * is in a new folder that only this user can access; closing this deletes both.
 *
 * <p>A killed process leaves its folder behind. Therefore a process locks its file. The operating
 * system releases the lock when the process ends, and other processes delete files without a lock.
 */
final class ExtractedLibrary implements AutoCloseable {
  private static final String FOLDER = "serow-";
  private static final String FILE = "libserow_jvm.so";

  /** A folder without a file is abandoned if it is older than this. */
  private static final int STARTING_SECONDS = 60;

  private final Path folder;
  private final FileChannel channel;

  /** Writes the library to a file in a new folder in {@code place}. */
  ExtractedLibrary(InputStream library, Path place) throws IOException {
    // The JDK creates the folder with mode 0700 and an unpredictable name.
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

  /** Deletes what killed processes have left in {@code place}. */
  static void deleteAbandoned(Path place) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, FOLDER + "*")) {
      for (Path folder : folders) {
        deleteIfAbandoned(folder);
      }
    } catch (IOException | RuntimeException e) {
      // Abandoned files do no harm if they can't be deleted.
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
      // It belongs to another user, or has such a name by accident.
    }
  }

  private static void deleteIfOld(Path folder) {
    try {
      Instant modified = Files.getLastModifiedTime(folder).toInstant();
      if (modified.isBefore(Instant.now().minusSeconds(STARTING_SECONDS))) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // It contains other files, so it does not belong to serow.
    }
  }

  /**
   * Locks the file until the channel is closed. Without support for locks, files are left behind.
   */
  private static void lock(FileChannel channel) {
    try {
      tryLock(channel);
    } catch (IOException e) {
      // Other processes get no lock either, so they don't delete the file.
    }
  }

  /** The lock, or null if another process or this one holds it. */
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
