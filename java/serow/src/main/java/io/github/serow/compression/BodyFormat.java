package io.github.serow.compression;

import io.github.serow.SerowException;
import io.github.serow.jni.NativeLibrary;
import java.util.List;
import java.util.function.Supplier;

/** The formats of compressed bodies, in the order of their numbers in the header of a frame. */
enum BodyFormat {
  ZSTD("com.github.luben:zstd-jni or io.airlift:aircompressor") {
    @Override
    Found find() {
      return Zstd.FOUND;
    }
  },
  LZ4("io.airlift:aircompressor") {
    @Override
    Found find() {
      return Lz4.FOUND;
    }
  };

  /**
   * The library for a format.
   *
   * @param library the first that works; null if there is none
   * @param problems why others that are there can't be used; empty if there are none
   */
  private record Found(CompressionLibrary library, String problems) {}

  // Each of these classes is initialized when its format is first used, so a program without
  // compression loads no library. They have lambdas because a reference to a constructor loads the
  // library too early, where nothing handles its absence.

  private static final class Zstd {
    static final Found FOUND = first(List.of(() -> new ZstdJni(), () -> new AircompressorZstd()));
  }

  private static final class Lz4 {
    static final Found FOUND = first(List.of(() -> new AircompressorLz4()));
  }

  /** The begins of the names of the libraries' classes. */
  private static final List<String> PACKAGES = List.of("com/github/luben/", "io/airlift/");

  /** The length of the body that shows whether a library works. */
  private static final int TEST_LENGTH = 256;

  /** The end of an error that says what to add. */
  static final String TO_PROGRAM = " to the class path, or as a module (--add-modules)";

  /** The libraries for the format. */
  private final String artifacts;

  BodyFormat(String artifacts) {
    this.artifacts = artifacts;
  }

  /** The format with this number in the header of a frame. */
  static BodyFormat of(int number) {
    return values()[number - 1];
  }

  abstract Found find();

  /**
   * Returns the library for the format.
   *
   * @param what what needs it, for an error
   * @throws SerowException if there is none
   */
  CompressionLibrary library(String what) {
    Found found = find();
    if (found.library == null) {
      throw NativeLibrary.missing(
          what, "Without it, add " + artifacts + TO_PROGRAM + found.problems);
    }
    return found.library;
  }

  /** The end of an error about a missing library: which ones are there and do not work. */
  String problems() {
    return find().problems;
  }

  /** Returns the first of the libraries that is there and works. */
  private static Found first(List<Supplier<CompressionLibrary>> libraries) {
    StringBuilder problems = new StringBuilder();
    for (Supplier<CompressionLibrary> each : libraries) {
      try {
        CompressionLibrary library = each.get();
        test(library);
        return new Found(library, problems.toString());
      } catch (DamagedBodyException | RuntimeException | LinkageError e) {
        // A library may lack native code for the platform, or the JVM may forbid what it does.
        if (!isMissing(e)) {
          Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
          String oneLine = cause.toString().replaceAll("\\s+", " ");
          problems.append("; one that is there does not work: ").append(oneLine);
        }
      }
    }
    return new Found(null, problems.toString());
  }

  private static boolean isMissing(Throwable error) {
    // Other classes may be missing too: aircompressor needs one of the module jdk.unsupported.
    return error instanceof NoClassDefFoundError
        && error.getCause() instanceof ClassNotFoundException
        && PACKAGES.stream().anyMatch(error.getMessage()::startsWith);
  }

  private static void test(CompressionLibrary library) throws DamagedBodyException {
    byte[] body = new byte[TEST_LENGTH];
    byte[] packed = new byte[(int) library.room(TEST_LENGTH)];
    int length = library.compress(body, 0, TEST_LENGTH, packed, 0, packed.length, 1);
    byte[] again = new byte[TEST_LENGTH + BodyDecompressor.SLACK];
    if (length < 0 || library.decompress(packed, 0, length, again, TEST_LENGTH) != TEST_LENGTH) {
      throw DamagedBodyException.damaged();
    }
  }
}
