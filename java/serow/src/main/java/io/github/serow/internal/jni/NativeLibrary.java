package io.github.serow.internal.jni;

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
 * file, which is deleted right after loading. If {@code serow.native} is {@code off}, no library is
 * loaded.
 *
 * <p>Without the library serow reads and writes the row wire in Java. The log says so once. But a
 * wrong setting is an error: whoever names a library wants it to be used.
 */
public final class NativeLibrary {
  static final String PATH_PROPERTY = "serow.native.path";

  /** Property: {@code off} if no library is to be loaded. */
  static final String USE_PROPERTY = "serow.native";

  private static final String OFF = "off";

  /** Property: maximum bytes that encoders and decoders together keep between messages. */
  static final String MEMORY_PROPERTY = "serow.memory";

  private static final long PER_PROCESSOR = 128L << 20;

  /** Why the library can't be used; null if it can. */
  private static final Failure FAILURE = load();

  /**
   * Why the library can't be used.
   *
   * @param reason one line
   * @param isMistake whether a setting is wrong, so that each use is an error; otherwise serow
   *     works without the library
   */
  private record Failure(String reason, boolean isMistake) {}

  static {
    if (FAILURE != null && !FAILURE.isMistake) {
      boolean isWanted = !OFF.equals(System.getProperty(USE_PROPERTY));
      System.getLogger("io.github.serow")
          .log(
              isWanted ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
              "serow's native code is not loaded: "
                  + FAILURE.reason
                  + ". Single records and Wire.ROW work; Wire.FRAME and streams throw");
    }
  }

  private NativeLibrary() {}

  /**
   * Whether the library is loaded.
   *
   * @throws SerowException if a setting is wrong. The reason is stored and repeated for each call;
   *     an error of class initialization would show it only the first time.
   */
  public static boolean isLoaded() {
    if (FAILURE != null && FAILURE.isMistake) {
      throw new SerowException(FAILURE.reason);
    }
    return FAILURE == null;
  }

  /**
   * Throws if the library is not loaded.
   *
   * @param what what needs the library, for the message
   */
  public static void require(String what) {
    if (!isLoaded()) {
      throw missing(what, "The row wire (Wire.ROW) works without it");
    }
  }

  /**
   * Returns the error for something that can't be done because the library is not loaded.
   *
   * @param what what needs the library
   * @param instead what to do instead, as a sentence
   */
  public static SerowException missing(String what, String instead) {
    if (isLoaded()) {
      throw new IllegalStateException(what + " by native code is possible");
    }
    return new SerowException(
        what
            + " needs serow's native library, which is not loaded: "
            + FAILURE.reason
            + ". "
            + instead);
  }

  private static Failure load() {
    String use = System.getProperty(USE_PROPERTY, "on");
    if (use.equals(OFF)) {
      return new Failure("-D" + USE_PROPERTY + " is off", false);
    }
    try {
      if (!use.equals("on")) {
        throw new SerowException("-D" + USE_PROPERTY + " must be on or off, not " + use);
      }
      String path = System.getProperty(PATH_PROPERTY);
      if (path != null) {
        loadFrom(Path.of(path).toAbsolutePath());
      } else {
        String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
        if (!loadFromJar(platform)) {
          return new Failure(
              "serow's jars have no native library for "
                  + platform
                  + "; add the jar of its natives, or build one with `cargo build --release -p serow-jvm` and give its path with -D"
                  + PATH_PROPERTY,
              false);
        }
      }
      int abi;
      try {
        abi = Native.abi();
      } catch (UnsatisfiedLinkError e) {
        // The JVM finds native methods by the name of their class.
        return new Failure(
            "the native library has no methods for "
                + Native.class.getName()
                + ": a tool has moved serow's classes to another package, and must leave some where"
                + " they are; docs/jvm.md says which",
            false);
      }
      if (abi != Native.ABI) {
        throw new SerowException(
            "serow's native library and its jar have different versions (interface "
                + abi
                + " and "
                + Native.ABI
                + "); take both from one build");
      }
      Native.memoryBudget(memoryBudget());
      Native.compilerStart();
      StringBytes.find();
      return null;
    } catch (SerowException e) {
      return new Failure(e.getMessage(), true);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      // A native image has errors of its own, which are no LinkageErrors.
      // The message of an IOException is often only a path.
      return new Failure(
          "cannot load the native library of serow: "
              + (e instanceof UnsatisfiedLinkError ? e.getMessage() : e)
              + "; if the temporary directory does not allow programs, set another one with"
              + " -Djava.io.tmpdir, or the path of the library with -D"
              + PATH_PROPERTY,
          false);
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
    if (text.matches("[0-9]{1,18}")) {
      return Long.parseLong(text);
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

  /**
   * Loads the library in the jar, or in the jar of the platform's native library. Returns false if
   * there is none for the platform.
   */
  private static boolean loadFromJar(String platform) throws IOException {
    String resource = "io/github/serow/native/" + platform + "/libserow_jvm.so";
    try (InputStream library = resource(resource)) {
      if (library == null) {
        return false;
      }
      Path place = Path.of(System.getProperty("java.io.tmpdir"));
      ExtractedLibrary.deleteAbandoned(place);
      try (ExtractedLibrary extracted = new ExtractedLibrary(library, place)) {
        loadFrom(extracted.file());
      }
      return true;
    }
  }

  /** Opens a resource of serow's jar, or of another jar beside it; null if there is none. */
  private static InputStream resource(String name) {
    InputStream own = NativeLibrary.class.getResourceAsStream("/" + name);
    return own != null ? own : NativeLibrary.class.getClassLoader().getResourceAsStream(name);
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
