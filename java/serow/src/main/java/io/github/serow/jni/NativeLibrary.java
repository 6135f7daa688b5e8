package io.github.serow.jni;

import io.github.serow.SerowException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Finds and loads the native library, once per class loader.
 *
 * <p>The system property {@code serow.native.path} names a library to load. Otherwise the library
 * in the jar is loaded. The operating system can only load it from a file, so it is extracted to a
 * file, which is deleted right after loading.
 */
public final class NativeLibrary {
  static final String PATH_PROPERTY = "serow.native.path";

  /** Property: maximum bytes that encoders and decoders together keep between messages. */
  static final String MEMORY_PROPERTY = "serow.memory";

  private static final long PER_PROCESSOR = 128L << 20;

  /** Why the library can't be used, as one line; null if it can. */
  private static final String FAILURE = load();

  private NativeLibrary() {}

  /**
   * Throws if the library is not loaded. The reason is stored and repeated for each call; an error
   * of class initialization would show it only the first time.
   */
  public static void require() {
    if (FAILURE != null) {
      throw new SerowException(FAILURE);
    }
  }

  private static String load() {
    try {
      String path = System.getProperty(PATH_PROPERTY);
      if (path != null) {
        loadFrom(Path.of(path).toAbsolutePath());
      } else {
        loadFromJar(platform(System.getProperty("os.name"), System.getProperty("os.arch")));
      }
      int abi = Native.abi();
      if (abi != Native.ABI) {
        return "serow's native library and its jar have different versions (interface "
            + abi
            + " and "
            + Native.ABI
            + "); take both from one build";
      }
      Native.memoryBudget(memoryBudget());
      Native.compilerStart();
      return null;
    } catch (SerowException e) {
      return e.getMessage();
    } catch (IOException | UnsatisfiedLinkError | SecurityException e) {
      // The message of an IOException is often only a path.
      return "cannot load the native library of serow: "
          + (e instanceof IOException ? e : e.getMessage())
          + "; if the temporary directory does not allow programs, set another one with"
          + " -Djava.io.tmpdir, or the path of the library with -D"
          + PATH_PROPERTY;
    }
  }

  /**
   * The bytes that encoders and decoders may keep between messages: the value of the property, or
   * 128 MiB for each processor but at most a quarter of the maximum heap.
   */
  private static long memoryBudget() {
    String text = System.getProperty(MEMORY_PROPERTY);
    if (text == null) {
      Runtime runtime = Runtime.getRuntime();
      return Math.min(runtime.availableProcessors() * PER_PROCESSOR, runtime.maxMemory() / 4);
    }
    try {
      long bytes = Long.parseLong(text);
      if (bytes >= 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new SerowException(
        "-D" + MEMORY_PROPERTY + " must be a number of bytes, for example 67108864, not " + text);
  }

  /** The name of a platform's folder in the jar, for example linux-x86_64. */
  static String platform(String osName, String osArch) {
    String arch =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "aarch64";
          default -> osArch;
        };
    String os = osName.toLowerCase(Locale.ROOT);
    return (os.startsWith("linux") ? "linux" : os.replace(' ', '-')) + "-" + arch;
  }

  static void loadFromJar(String platform) throws IOException {
    String resource = "/io/github/serow/native/" + platform + "/libserow_jvm.so";
    try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
      if (library == null) {
        throw new SerowException(
            "this jar of serow has no native library for "
                + platform
                + "; build one with `cargo build --release -p serow-jvm` and give its path with -D"
                + PATH_PROPERTY);
      }
      Path place = Path.of(System.getProperty("java.io.tmpdir"));
      ExtractedLibrary.deleteAbandoned(place);
      try (ExtractedLibrary extracted = new ExtractedLibrary(library, place)) {
        loadFrom(extracted.file());
      }
    }
  }

  @SuppressWarnings("restricted") // Java 24 and later warn: see --enable-native-access in Serow.
  private static void loadFrom(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new SerowException(
          "serow's native library is not at " + file + "; see -D" + PATH_PROPERTY);
    }
    System.load(file.toString());
  }
}
