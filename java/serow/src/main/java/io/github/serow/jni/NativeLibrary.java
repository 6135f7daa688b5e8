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
 * inside the jar, which the operating system can only load from a file: it is written to a fresh
 * directory that only this user may enter, loaded, and deleted at once (a loaded library needs its
 * file no longer).
 */
public final class NativeLibrary {
  static final String PATH_PROPERTY = "serow.native.path";

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
      startCompiling();
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
   * Has rows be encoded by compiled code once it pays, and stops compiling when the JVM ends. A JVM
   * that is halted stops nothing, and need not: native code sees to that.
   */
  private static void startCompiling() {
    try {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(Native::compilerStop, "serow-stops-compiling"));
      Native.compilerStart();
    } catch (IllegalStateException e) {
      // The JVM is ending already, so nothing pays any more.
    }
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
      // The JDK makes the directory with mode 0700 and a name that cannot be guessed.
      Path directory = Files.createTempDirectory("serow-");
      Path file = directory.resolve("libserow_jvm.so");
      try {
        Files.copy(library, file);
        loadFrom(file);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
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
