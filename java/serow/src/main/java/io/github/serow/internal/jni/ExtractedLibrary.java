package io.github.serow.internal.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A native library that was extracted to a file, so that the operating system can load it. The file
 * is in a new folder that only this user can access; closing this deletes both.
 *
 * <p>A process that is killed before it has loaded the library leaves its folder behind. Processes
 * that start an hour later delete it.
 */
final class ExtractedLibrary implements AutoCloseable {
  private static final String FOLDER = "serow-";
  private static final String FILE = "libserow_jvm.so";

  /** Longer than any process takes to load its library. */
  private static final Duration LOADING = Duration.ofHours(1);

  private final Path folder;

  /** Writes the library to a file in a new folder in {@code place}. */
  ExtractedLibrary(InputStream library, Path place) throws IOException {
    // The JDK creates the folder with mode 0700 and an unpredictable name.
    folder = Files.createTempDirectory(place, FOLDER);
    try {
      Files.copy(library, file());
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  Path file() {
    return folder.resolve(FILE);
  }

  @Override
  public void close() throws IOException {
    delete(folder);
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
    try {
      Instant modified = Files.getLastModifiedTime(folder).toInstant();
      // A link could lead to a library that its owner wants to keep.
      if (modified.isBefore(Instant.now().minus(LOADING))
          && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        delete(folder);
      }
    } catch (IOException e) {
      // It contains other files or belongs to another user, so it has such a name by accident.
    }
  }

  private static void delete(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
    Files.deleteIfExists(folder);
  }
}
