package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Compressed messages where no native library can be loaded: new JVMs without it. */
@Tag("once")
class CompressionWithoutNativeTest {
  private static final String AIRCOMPRESSOR = "aircompressor";
  private static final String OFF =
      " needs serow's native library, which is not loaded: -Dserow.native is off. Without it, ";

  static List<Compression> compressions() {
    return List.of(
        Compression.zstd(1), Compression.zstd(3), Compression.zstd(19), Compression.lz4());
  }

  /** The class path of the tests without the library. */
  private static String classPathWithoutLibrary() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(AIRCOMPRESSOR))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static List<String> run(String classPath, Class<?> program, Path folder)
      throws IOException, InterruptedException {
    return new Jvm(List.of("-Dserow.native=off", "-XX:TieredStopAtLevel=1"), Map.of())
        .runOn(classPath, program, folder.toString())
        .lines();
  }

  private static Path file(Path folder, int number, Object compression) {
    return folder.resolve(number + "." + compression);
  }

  /** Rows of all kinds, in the row wire without compression. */
  private static List<byte[]> plainMessages() throws IOException {
    List<byte[]> messages = new ArrayList<>();
    for (Path file : RowMessagesTest.messages()) {
      messages.add(Files.readAllBytes(file));
    }
    byte[] noise = new byte[5_000];
    new Random(5).nextBytes(noise);
    messages.add(Serow.dumps(List.of(noise), Wire.ROW));
    // Several frames, and more than one of a schema.
    List<Object> mixed = new ArrayList<>(CompressionTest.parts(500));
    mixed.addAll(Collections.nCopies(500, 7L));
    mixed.addAll(CompressionTest.parts(500));
    messages.add(Serow.dumps(mixed, Wire.ROW));
    return messages;
  }

  /** Reads what native code wrote, and writes what native code is to read. */
  public static final class ReadAndWrite {
    private ReadAndWrite() {}

    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      int count = 0;
      for (int i = 0; Files.exists(file(folder, i, "plain")); i++) {
        List<Object> rows;
        try {
          rows = Serow.loads(Files.readAllBytes(file(folder, i, "plain")));
        } catch (DecodeException e) {
          // Java has no type for these.
          continue;
        }
        for (Compression compression : compressions()) {
          byte[] message = Files.readAllBytes(file(folder, i, compression));
          Same.assertSame(rows, Serow.loads(message));
          Same.assertSame(rows, Serow.loads(ByteBuffer.wrap(message)));
          byte[] own;
          try {
            own = Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows);
          } catch (SerowException e) {
            assertEquals(
                "compression ("
                    + compression
                    + ")"
                    + OFF
                    + "use Compression.zstd(): io.airlift:aircompressor has no levels",
                e.getMessage());
            System.out.println(compression);
            continue;
          }
          Same.assertSame(rows, Serow.loads(own));
          Files.write(file(folder, i, compression + ".java"), own);
          count++;
        }
      }
      codecs();
      System.out.println(count > 50);
    }

    private static void codecs() {
      List<CompressionTest.Part> parts = CompressionTest.parts(500);
      for (Compression compression : List.of(Compression.zstd(), Compression.lz4())) {
        Codec<CompressionTest.Part> plain = Codec.of(CompressionTest.Part.class).withWire(Wire.ROW);
        Codec<CompressionTest.Part> codec = plain.withCompression(compression);
        byte[] message = codec.encodeAll(parts);
        assertTrue(message.length < plain.encodeAll(parts).length);
        assertEquals(parts, plain.decodeAll(message));
        ByteBuffer buffer = ByteBuffer.allocateDirect(message.length);
        assertEquals(message.length, codec.encodeAllInto(parts, buffer));
        assertEquals(parts, codec.decodeAll(buffer.flip()));
        BufferTooSmallException e =
            assertThrows(
                BufferTooSmallException.class,
                () -> codec.encodeAllInto(parts, ByteBuffer.allocate(message.length - 1)));
        assertEquals(message.length, e.needed());

        // Few rows are on the row wire if nobody names one.
        List<Object> few = Collections.nCopies(100, "almond");
        byte[] small = Serow.options().withCompression(compression).dumps(few);
        assertEquals(0, small[8]);
        assertTrue(small.length < 200);
        assertEquals(few, Serow.loads(small));
      }
    }
  }

  @Test
  void messagesAreReadAndWritten(@TempDir Path folder) throws Exception {
    List<byte[]> messages = plainMessages();
    for (int i = 0; i < messages.size(); i++) {
      Files.write(file(folder, i, "plain"), messages.get(i));
      for (Compression compression : compressions()) {
        byte[] message;
        try {
          message =
              Serow.options()
                  .withWire(Wire.ROW)
                  .withCompression(compression)
                  .dumps(Serow.loads(messages.get(i)));
        } catch (DecodeException e) {
          break;
        }
        Files.write(file(folder, i, compression), message);
      }
    }
    List<String> lines = run(System.getProperty("java.class.path"), ReadAndWrite.class, folder);
    assertEquals(
        List.of("true", "zstd(19)", "zstd(3)"), lines.stream().distinct().sorted().toList());
    int read = 0;
    for (int i = 0; i < messages.size(); i++) {
      for (Compression compression : compressions()) {
        Path own = file(folder, i, compression + ".java");
        if (!Files.exists(own)) {
          continue;
        }
        byte[] message = Files.readAllBytes(own);
        Same.assertSame(Serow.loads(messages.get(i)), Serow.loads(message));
        read++;
      }
    }
    assertTrue(read > 60, read + " messages");
  }

  /** What says that a library is missing. */
  public static final class WithoutLibrary {
    private WithoutLibrary() {}

    public static void main(String[] args) throws IOException {
      List<Object> rows = Collections.nCopies(100, "almond");
      String add = OFF + "add io.airlift:aircompressor";
      for (int i = 0; i < 2; i++) {
        assertMissing(
            "compression (zstd(1))" + add,
            () -> Serow.options().withCompression(Compression.zstd()).dumps(rows));
        assertMissing(
            "compression (lz4)" + add,
            () -> Serow.options().withCompression(Compression.lz4()).dumps(rows));
        for (Compression compression : List.of(Compression.zstd(), Compression.lz4())) {
          byte[] message = Files.readAllBytes(file(Path.of(args[0]), 0, compression));
          boolean isZstd = message[8 + 2] == 1;
          assertMissing(
              "the row wire compressed by " + (isZstd ? "zstd" : "LZ4") + add,
              () -> Serow.loads(message));
        }
      }
      Codec<Object> codec =
          Codec.ofAny(Schema.parse("str")).withWire(Wire.ROW).withCompression(Compression.zstd(5));
      assertMissing("compression (zstd(5))" + add, () -> codec.encodeAll(rows));
      ByteBuffer buffer = ByteBuffer.allocate(1_000);
      assertMissing("compression (zstd(5))" + add, () -> codec.encodeAllInto(rows, buffer));
      assertEquals(0, buffer.position());
      assertEquals("almond", codec.decode(codec.withoutSchemaAndChecksum().encode("almond")));

      assertEquals(rows, Serow.loads(Serow.dumps(rows, Wire.ROW)));
      System.out.println("works");
    }

    private static void assertMissing(String what, Executable call) {
      SerowException e = assertThrows(SerowException.class, call);
      assertEquals(SerowException.class, e.getClass());
      assertEquals(
          what
              + " to the class path, or as a module (--add-modules); an attempt to use it ended with"
              + " java.lang.NoClassDefFoundError: io/airlift/compress/zstd/ZstdCompressor",
          e.getMessage());
    }
  }

  @Test
  void aMissingLibraryIsNamed(@TempDir Path folder) throws Exception {
    for (Compression compression : List.of(Compression.zstd(), Compression.lz4())) {
      byte[] message =
          Serow.options()
              .withWire(Wire.ROW)
              .withCompression(compression)
              .dumps(Collections.nCopies(100, "almond"));
      Files.write(file(folder, 0, compression), message);
    }
    assertEquals(List.of("works"), run(classPathWithoutLibrary(), WithoutLibrary.class, folder));
  }

  /** Uses zstd, where the library lacks a module that it needs. */
  public static final class Unusable {
    private Unusable() {}

    public static void main(String[] args) {
      List<Object> rows = Collections.nCopies(100, "almond");
      try {
        Serow.options().withCompression(Compression.zstd()).dumps(rows);
      } catch (SerowException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void theLibraryMayBeUnusable() throws Exception {
    List<String> options =
        List.of("-Dserow.native=off", "--limit-modules=java.base,java.logging,java.management");
    assertEquals(
        List.of(
            "compression (zstd(1))"
                + OFF
                + "add io.airlift:aircompressor to the class path, or as a module (--add-modules);"
                + " an attempt to use it ended with java.lang.NoClassDefFoundError: sun/misc/Unsafe"),
        new Jvm(options, Map.of()).run(Unusable.class).lines());
  }
}
