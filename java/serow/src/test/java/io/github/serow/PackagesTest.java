package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the module are layers: each uses only those before it and the public types. */
class PackagesTest {
  private static final List<String> LAYERS =
      List.of(
          "threads",
          "jni",
          "wire",
          "compression",
          "logical",
          "types",
          "schema",
          "scala",
          "kotlin",
          "value",
          "row",
          "evolution",
          "mapping",
          "encode",
          "codec",
          "message",
          "stream",
          "cdata");

  private static final Path SOURCES = Path.of("src/main/java/io/github/serow/internal");

  private static final Pattern IMPORT =
      Pattern.compile("import (?:static )?io\\.github\\.serow\\.internal\\.([a-z]+)\\.");

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void packagesKnowOnlyThoseBelowThem() throws IOException {
    List<String> upwards = new ArrayList<>();
    for (int i = 0; i < LAYERS.size(); i++) {
      for (Path file : files(SOURCES.resolve(LAYERS.get(i)))) {
        Matcher imports = IMPORT.matcher(Files.readString(file));
        while (imports.find()) {
          if (LAYERS.indexOf(imports.group(1)) > i) {
            upwards.add(file + ": " + imports.group());
          }
        }
      }
    }
    assertEquals(List.of(), upwards);
  }

  @Test
  void everyPackageIsALayer() throws IOException {
    Set<String> folders = new TreeSet<>();
    for (Path file : files(SOURCES)) {
      if (!file.getParent().equals(SOURCES)) {
        folders.add(SOURCES.relativize(file).getName(0).toString());
      }
    }
    assertEquals(new TreeSet<>(LAYERS), folders);
  }

  @Test
  void noTwoTypesHaveOneName() throws IOException {
    List<String> names =
        files(SOURCES).stream().map(file -> file.getFileName().toString()).toList();
    assertEquals(List.of(), twice(names));
  }

  private static List<String> twice(List<String> names) {
    return names.stream()
        .collect(Collectors.groupingBy(name -> name, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(entry -> entry.getValue() > 1)
        .map(entry -> entry.getKey())
        .toList();
  }
}
