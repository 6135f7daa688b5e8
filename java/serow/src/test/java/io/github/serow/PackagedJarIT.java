package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as users get it, on the module path and on the class path, without other jars. */
class PackagedJarIT {
  private static final String JAR = System.getProperty("serow.jar");

  private static final String MODULE =
      """
      module app {
        requires io.github.serow;

        opens app to io.github.serow;
      }
      """;

  /** Reads enough rows for generated classes, and a record whose package is opened to serow. */
  private static final String PROGRAM =
      """
      package app;

      import io.github.serow.Codec;
      import io.github.serow.Serow;
      import java.util.Collections;
      import java.util.List;

      class Main {
        record Part(long key, String name) {}

        public static void main(String[] args) {
          List<Object> rows = Collections.nCopies(5000, new Object[] {1L, "a", 2.5});
          System.out.println(Serow.loads(Serow.dumps(rows)).size());
          Codec<Part> codec = Codec.of(Part.class);
          System.out.println(codec.decodeAll(codec.encodeAll(List.of(new Part(7, "almond")))));
        }
      }
      """;

  @TempDir Path folder;
  private Path classes;

  @BeforeEach
  void writeSources() throws IOException {
    classes = Files.createDirectory(folder.resolve("classes"));
    Files.writeString(folder.resolve("Main.java"), PROGRAM);
    Files.writeString(folder.resolve("module-info.java"), MODULE);
  }

  /** The compiler's output for some files; empty if they compile. */
  private String compile(String pathOption, String... files) {
    List<String> arguments =
        new ArrayList<>(List.of(pathOption, JAR, "-Xlint:all", "-d", classes.toString()));
    for (String file : files) {
      arguments.add(folder.resolve(file).toString());
    }
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    ToolProvider.getSystemJavaCompiler().run(null, null, errors, arguments.toArray(String[]::new));
    return errors.toString(StandardCharsets.UTF_8);
  }

  /** The output of {@code java}, including errors. */
  private static List<String> java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      List<String> lines =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .toList();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void worksOnTheModulePath() {
    assertEquals("", compile("-p", "Main.java", "module-info.java"));
    assertEquals(
        List.of("5000", "[Part[key=7, name=almond]]"),
        java(
            "--enable-native-access=io.github.serow",
            "-p",
            JAR + ":" + classes,
            "-m",
            "app/app.Main"));
  }

  @Test
  void worksOnTheClassPath() {
    assertEquals("", compile("-cp", "Main.java"));
    assertEquals(
        List.of("5000", "[Part[key=7, name=almond]]"),
        java("--enable-native-access=ALL-UNNAMED", "-cp", JAR + ":" + classes, "app.Main"));
  }

  @Test
  void containsNoOptionalLibrary() throws IOException {
    try (ZipFile jar = new ZipFile(JAR)) {
      List<String> others =
          jar.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.endsWith(".class") && !name.startsWith("io/github/serow/"))
              .toList();
      assertEquals(List.of("module-info.class"), others);
    }
  }

  /** Without native code, zstd by a module that the program adds. */
  @Test
  void compressesByAModule() throws IOException {
    String program =
        """
        package app;

        import io.github.serow.Compression;
        import io.github.serow.Serow;
        import java.util.Collections;
        import java.util.List;

        class Main {
          public static void main(String[] args) {
            List<Object> rows = Collections.nCopies(100, "almond");
            byte[] message = Serow.options().withCompression(Compression.zstd()).dumps(rows);
            System.out.println(message[8 + 2] + " " + Serow.loads(message).equals(rows));
          }
        }
        """;
    Files.writeString(folder.resolve("Main.java"), program);
    assertEquals("", compile("-p", "Main.java", "module-info.java"));
    String library =
        Stream.of(System.getProperty("java.class.path").split(":"))
            .filter(entry -> entry.contains("aircompressor"))
            .findFirst()
            .orElseThrow();
    List<String> lines =
        java(
            "-Dserow.native=off",
            "--add-modules=aircompressor,jdk.unsupported",
            "-p",
            JAR + ":" + classes + ":" + library,
            "-m",
            "app/app.Main");
    assertTrue(lines.contains("1 true"), lines.toString());
  }

  @Test
  void exportsThePublicTypesAlone() {
    List<String> lines = java("-p", JAR, "--describe-module", "io.github.serow");
    assertEquals(
        List.of("exports io.github.serow"),
        lines.stream().filter(line -> line.startsWith("exports")).toList());
    assertEquals(
        List.of(
            "requires aircompressor static",
            "requires com.dynatrace.hash4j static",
            "requires java.base mandated",
            "requires org.jspecify static",
            "requires org.objectweb.asm static"),
        lines.stream().filter(line -> line.startsWith("requires")).sorted().toList());
  }

  @Test
  void keepsItsOtherPackagesToItself() throws IOException {
    Files.writeString(
        folder.resolve("Main.java"),
        "package app; class Main { io.github.serow.internal.schema.Names names; }");
    String errors = compile("-p", "Main.java", "module-info.java");
    assertTrue(errors.contains("package io.github.serow.internal.schema is not visible"), errors);
  }
}
