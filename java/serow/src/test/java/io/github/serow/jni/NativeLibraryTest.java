package io.github.serow.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.serow.CompiledTest;
import io.github.serow.Jvm;
import io.github.serow.RoundTrip;
import io.github.serow.Serow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  private static List<String> run(String option) throws IOException, InterruptedException {
    return new Jvm(List.of(option), Map.of()).run(RoundTrip.class).lines();
  }

  @Test
  void theLibraryInTheJarLeavesNothingBehind(@TempDir Path directory) throws Exception {
    assertEquals(List.of("[1, a]", "[1, a]"), run("-Djava.io.tmpdir=" + directory));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.filter(path -> path.toString().contains("serow")).toList());
    }
  }

  /** A program that is killed while its library is in a file. */
  public static final class Killed {
    private Killed() {}

    /** Extracts the library, and ends without cleaning up. */
    public static void main(String[] args) throws IOException {
      Path place = Path.of(System.getProperty("java.io.tmpdir"));
      try (InputStream resource =
          Serow.class.getResourceAsStream("native/linux-x86_64/libserow_jvm.so")) {
        new ExtractedLibrary(resource, place);
        System.out.println("extracted");
        System.in.read();
        Runtime.getRuntime().halt(7);
      }
    }
  }

  private static List<Path> folders(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(path -> path.getFileName().toString().startsWith("serow-")).toList();
    }
  }

  @Test
  void whatAKilledProcessLeavesIsDeletedByTheNext(@TempDir Path directory) throws Exception {
    String option = "-Djava.io.tmpdir=" + directory;
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            option,
            "-cp",
            System.getProperty("java.class.path"),
            Killed.class.getName());
    Process killed = new ProcessBuilder(command).start();
    try (var lines = killed.inputReader()) {
      assertEquals("extracted", lines.readLine());
      // While the process lives, no other process deletes its file.
      run(option);
      assertEquals(1, folders(directory).size());
      killed.destroyForcibly().waitFor();
    }
    assertEquals(1, folders(directory).size());
    Path others = Files.createDirectory(directory.resolve("serow-of-somebody"));
    Files.writeString(others.resolve("notes"), "mine");
    run(option);
    assertEquals(List.of(others), folders(directory));
  }

  @Test
  void thePropertyNamesALibrary(@TempDir Path directory) throws Exception {
    Path library = directory.resolve("a library.so");
    try (InputStream resource =
        Serow.class.getResourceAsStream("native/linux-x86_64/libserow_jvm.so")) {
      Files.copy(resource, library);
    }
    assertEquals(List.of("[1, a]", "[1, a]"), run("-Dserow.native.path=" + library));
  }

  @Test
  void aMissingLibraryIsReportedInOneLineByEachCall(@TempDir Path directory) throws Exception {
    Path missing = directory.resolve("missing.so");
    String line = "serow's native library is not at " + missing + "; see -Dserow.native.path";
    assertEquals(List.of(line, line), run("-Dserow.native.path=" + missing));
    Path text = Files.writeString(directory.resolve("text.so"), "not a library");
    List<String> lines = run("-Dserow.native.path=" + text);
    assertEquals(2, lines.size());
    String begin = "the frame wire needs serow's native library, which is not loaded: cannot load ";
    assertTrue(lines.get(0).startsWith(begin), lines.get(0));
    assertEquals(lines.get(0), lines.get(1));
  }

  @Test
  void platformsHaveNames() {
    assertEquals("linux-x86_64", NativeLibrary.platform("Linux", "amd64"));
    assertEquals("linux-aarch64", NativeLibrary.platform("Linux", "aarch64"));
    assertEquals("mac-os-x-aarch64", NativeLibrary.platform("Mac OS X", "aarch64"));
  }

  @Test
  void theCompilerWorks() {
    assumeTrue(CompiledTest.hasCompiler());
    String report = Native.compilerSelfTest();
    assertTrue(report.contains("LLVM 22"), report);
    assertTrue(report.contains("i64"), report);
  }
}
