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
 * <p>The system property {@code serow.native.path} names a library to load. Otherwise it is the one
 * inside the jar, which the operating system can only load from a file: it is written to a file,
 * loaded, and the file is deleted at once, since a loaded library does not need it.
 */
public final class NativeLibrary {
  static final String PATH_PROPERTY = "serow.native.path";

  /** How many bytes encoders and decoders together may keep between messages. */
  static final String MEMORY_PROPERTY = "serow.memory";

  private static final long PER_PROCESSOR = 128L << 20;

  /** Why the library cannot be used, in one line; null if it can. */
  private static final String FAILURE = load();

  private NativeLibrary() {}

  /**
   * Sees to it that the library is loaded. A failure is kept and told at every call, rather than as
   * an error of class initialization, which names the reason only the first time.
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
        return "the native library of serow is of another version (interface "
            + abi
            + ") than its jar (interface "
            + Native.ABI
            + "); take both from one build";
      }
      Native.memoryBudget(memoryBudget());
      Native.compilerStart();
      return null;
    } catch (SerowException e) {
      return e.getMessage();
    } catch (IOException | UnsatisfiedLinkError | SecurityException e) {
      // An IOException's message is often no more than a path.
      return "cannot load the native library of serow: "
          + (e instanceof IOException ? e : e.getMessage())
          + "; if the temporary directory may not hold programs, give another with"
          + " -Djava.io.tmpdir or the library's own path with -D"
          + PATH_PROPERTY;
    }
  }

  /**
   * The bytes that encoders and decoders may keep between messages: what the property says, or 128
   * MiB for each processor, but no more than a quarter of what the heap may grow to.
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
      // It is said below.
    }
    throw new SerowException(
        "-D" + MEMORY_PROPERTY + " must be a number of bytes, such as 67108864, and not " + text);
  }

  /** The name of a platform in the jar's folder of native libraries, such as linux-x86_64. */
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
          "there is no native library of serow at " + file + "; see -D" + PATH_PROPERTY);
    }
    System.load(file.toString());
  }
}
