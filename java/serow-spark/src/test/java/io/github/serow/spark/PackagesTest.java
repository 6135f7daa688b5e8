package io.github.serow.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the packages may use. */
class PackagesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/github/serow/spark");

  /** The imports of a package that begin with {@code forbidden}, a regular expression. */
  private static List<String> imports(String folder, String forbidden) throws IOException {
    Pattern pattern = Pattern.compile("import (?:static )?(" + forbidden + ").*;");
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SOURCES.resolve(folder))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        Matcher imports = pattern.matcher(Files.readString(file));
        while (imports.find()) {
          found.add(file + ": " + imports.group());
        }
      }
    }
    return found;
  }

  /** PySpark's JVM has only the jar of this module. */
  @Test
  void whatPythonCallsNeedsNoOtherJar() throws IOException {
    String others = "io\\.github\\.serow\\.(?!spark\\.Unchecked;)";
    assertEquals(List.of(), imports("pyspark", others));
    assertEquals(List.of(), imports("text", others));
  }

  @Test
  void exactRowsKnowNeitherSparkNorKryo() throws IOException {
    String others = "org\\.|com\\.|scala\\.|io\\.github\\.serow\\.spark\\.(?!exact\\.)";
    assertEquals(List.of(), imports("exact", others));
  }
}
