package io.github.serow.internal.jni;

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
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
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

  private static List<Path> folders(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.sorted().toList();
    }
  }

  private static Path folder(Path directory, String name, String file, Duration age)
      throws IOException {
    Path folder = Files.createDirectory(directory.resolve(name));
    Files.writeString(folder.resolve(file), "bytes");
    Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(age)));
    return folder;
  }

  @Test
  void whatAKilledProcessLeavesIsDeletedAnHourLater(@TempDir Path directory) throws Exception {
    String library = "libserow_jvm.so";
    folder(directory, "serow-1", library, Duration.ofMinutes(61));
    Path others = folder(directory, "serow-of-somebody", "notes", Duration.ofDays(9));
    Path starting = folder(directory, "serow-starting", library, Duration.ofMinutes(59));
    ExtractedLibrary.deleteAbandoned(directory);
    assertEquals(List.of(others, starting), folders(directory));
    assertEquals(1, folders(starting).size());
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
