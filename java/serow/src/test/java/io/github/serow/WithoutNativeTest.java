package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What works where no native library can be loaded: new JVMs without it. */
@Tag("once")
class WithoutNativeTest {
  /** Checks what works. The first argument is the reason that errors name. */
  public static final class Program {
    private static final List<LogRecord> LOG = new ArrayList<>();

    record Part(long key, String name, Optional<BigDecimal> price, List<LocalDate> dates) {}

    private Program() {}

    public static void main(String[] args) throws Exception {
      Logger logger = Logger.getLogger("io.github.serow");
      logger.setUseParentHandlers(false);
      logger.addHandler(
          new Handler() {
            @Override
            public void publish(LogRecord record) {
              LOG.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
          });
      schemas();
      assertEquals(0, LOG.size());
      goldenMessages();
      classes();
      otherVersions();
      frames(args[0]);
      assertEquals(1, LOG.size());
      assertEquals(args[1], LOG.get(0).getLevel().getName());
      String line = LOG.get(0).getMessage();
      assertTrue(line.startsWith("serow's native code is not loaded: "), line);
      assertTrue(line.contains(args[0]), line);
      System.out.println("works");
    }

    private static void schemas() {
      Schema schema = Schema.parse("(i64, str?)");
      assertEquals(schema, Schema.infer(List.of(tuple(1L, null), tuple(2L, "a"))));
      assertEquals("[i64]", Schema.infer(List.of(List.of(1L))).toString());
      assertTrue(Schema.of(Part.class).toString().startsWith("Part{"));
      assertTrue(schema.fingerprint() != 0);
    }

    private static Object[] tuple(Object... fields) {
      return fields;
    }

    private static void goldenMessages() throws Exception {
      int read = 0;
      for (Path file : GoldenTest.messages()) {
        if (!file.toString().contains(".row.")) {
          continue;
        }
        List<Object> rows;
        try {
          rows = GoldenTest.rows(file);
        } catch (PartsText.NotInJava e) {
          continue;
        }
        byte[] message = Files.readAllBytes(file);
        Same.assertSame(rows, Serow.loads(message));
        ByteBuffer direct = ByteBuffer.allocateDirect(message.length + 2).position(1);
        direct.put(message).flip().position(1);
        Same.assertSame(rows, Serow.loads(direct));
        assertEquals(0, direct.remaining());
        assertArrayEquals(message, GoldenTest.inRowWire(file, rows));
        read++;
      }
      assertTrue(read > 25, read + " messages");
    }

    private static void classes() {
      Part part = new Part(7, "almond", Optional.of(new BigDecimal("9.01")), List.of());
      List<Part> parts = Arrays.asList(part, part);
      Codec<Part> codec = Codec.of(Part.class).withWire(Wire.ROW);
      assertEquals(Tier.JAVA, codec.tier());
      codec.compile();
      byte[] message = codec.encodeAll(parts);
      assertEquals(parts, codec.decodeAll(message));
      assertEquals(part, codec.decode(codec.encode(part)));
      ByteBuffer buffer = ByteBuffer.allocate(message.length + 1).position(1);
      assertEquals(message.length, codec.encodeAllInto(parts, buffer));
      assertArrayEquals(message, Arrays.copyOfRange(buffer.array(), 1, message.length + 1));
      assertEquals(parts, codec.decodeAll(buffer.flip().position(1)));
      assertThrows(
          BufferTooSmallException.class,
          () -> codec.encodeAllInto(parts, ByteBuffer.allocate(message.length - 1)));
      EncodeException misfit =
          assertThrows(
              EncodeException.class, () -> codec.encodeAll(Arrays.asList(part, null, part)));
      assertEquals(1, misfit.row().orElse(-1));
      buffer.clear().put(message).flip();
      assertEquals(parts, codec.decodeAll(buffer.duplicate()));
      assertThrows(
          EncodeException.class,
          () -> codec.encodeAllInto(Arrays.asList(part, null, part), buffer));
      assertThrows(DecodeException.class, () -> codec.decodeAll(buffer));
      assertThrows(DecodeException.class, () -> codec.decodeAll(Arrays.copyOf(message, 60)));
      byte[] other = Serow.dumps(List.of(1L), Wire.ROW);
      SchemaException e = assertThrows(SchemaException.class, () -> codec.decodeAll(other));
      assertTrue(
          e.getMessage().startsWith("frame 0 has rows of schema i64, but the codec is for Part{"),
          e.getMessage());
      assertTrue(e.getMessage().contains("a row: i64 can't be read as record"), e.getMessage());
      // A frame without rows may have any schema.
      assertEquals(List.of(), codec.decodeAll(Serow.dumps(List.of(), Wire.ROW)));
    }

    private static void otherVersions() {
      Schema earlier = Schema.parse("Part{key: i64}");
      Schema current = Schema.parse("Part{key: i64, name: str?}");
      Codec<Object> writer = Codec.ofAny(earlier).withWire(Wire.ROW);
      Codec<Object> reader = Codec.ofAny(current).withSchemas(new SchemaSet().add(earlier));
      Row row = Row.of("Part", List.of("key"), new Object[] {7L});
      Row expected = Row.of("Part", List.of("key", "name"), new Object[] {7L, null});
      assertEquals(expected, reader.decode(writer.encode(row)));
      assertEquals(List.of(expected), reader.decodeAll(writer.encodeAll(List.of(row))));
      Row own = Row.of("Part", List.of("key", "name"), new Object[] {7L, "a"});
      assertEquals(own, reader.decode(reader.encode(own)));
    }

    private static void frames(String reason) throws Exception {
      Codec<Object> codec = Codec.ofAny(Schema.parse("i64"));
      Codec<Object> ofFrames = codec.withWire(Wire.FRAME);
      assertNeedsNative(reason, "the frame wire", () -> ofFrames.encodeAll(List.of(1L)));
      assertNeedsNative(reason, "the frame wire", () -> ofFrames.encode(1L));
      assertNeedsNative(reason, "the compiler", codec::ir);
      java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
      assertNeedsNative(reason, "a StreamWriter", () -> StreamWriter.of(codec).to(out));
      assertEquals(0, out.size());
      java.io.InputStream in = java.io.InputStream.nullInputStream();
      assertNeedsNative(reason, "a StreamReader", () -> StreamReader.of(codec).from(in));
      assertEquals(5L, codec.decode(codec.encode(5L)));
      assertEquals(5L, codec.decode(codec.withoutSchemaAndChecksum().encode(5L)));
      assertEquals(List.of(5L), codec.decodeAll(codec.encodeAll(List.of(5L))));
      assertEquals(List.of(1L), codec.decodeAll(Serow.dumps(List.of(1L), Wire.ROW)));

      // Messages of all sizes are on the row wire by default.
      for (List<?> rows :
          List.of(
              Collections.nCopies(128, 1L),
              Collections.nCopies(100_000, 1L),
              List.of("x".repeat(20_000)))) {
        byte[] message = Serow.dumps(rows);
        assertArrayEquals(Serow.dumps(rows, Wire.ROW), message);
        assertEquals(rows, Serow.loads(message));
      }
      List<Object> itself = new ArrayList<>();
      itself.add(itself);
      assertThrows(LimitException.class, () -> Serow.dumps(itself));
      assertThrows(EncodeException.class, () -> Serow.dumps(List.of(1L, new Object())));
      assertNeedsNative(reason, "the compiler", () -> Codec.ofAny(Schema.parse("i64")).ir());
      for (Path file : GoldenTest.messages()) {
        if (file.toString().contains(".frame.")) {
          byte[] message = Files.readAllBytes(file);
          assertNeedsNative(reason, "the frame wire", () -> Serow.loads(message));
        }
      }
    }

    private static void assertNeedsNative(
        String reason, String what, org.junit.jupiter.api.function.Executable call) {
      SerowException e = assertThrows(SerowException.class, call);
      assertEquals(SerowException.class, e.getClass());
      assertTrue(
          e.getMessage().startsWith(what + " needs serow's native library, which is not loaded: "),
          e.getMessage());
      assertTrue(e.getMessage().contains(reason), e.getMessage());
      assertTrue(e.getMessage().contains("Wire.ROW"), e.getMessage());
    }
  }

  private static void assertWorks(String option, String reason, String level) throws Exception {
    List<String> options =
        List.of(option, "-Dserow.golden.dir=" + System.getProperty("serow.golden.dir"));
    Jvm.Result result = new Jvm(options, Map.of()).run(Program.class, reason, level);
    assertEquals(List.of("works"), result.lines());
  }

  @Test
  void nativeCodeMayBeTurnedOff() throws Exception {
    assertWorks("-Dserow.native=off", "-Dserow.native is off", "INFO");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Mac OS X", "Windows 11", "FreeBSD"})
  void otherSystemsHaveNoLibrary(String system) throws Exception {
    String platform = system.toLowerCase(java.util.Locale.ROOT).replace(' ', '-');
    assertWorks("-Dos.name=" + system, "no native library for " + platform, "WARNING");
  }

  @Test
  void theLibraryMayBeUnusable(@TempDir Path folder) throws Exception {
    Path library = Files.writeString(folder.resolve("library.so"), "no library");
    assertWorks(
        "-Dserow.native.path=" + library, "cannot load the native library of serow", "WARNING");
    // No file can be made, as in a locked container.
    Path missing = folder.resolve("missing");
    assertWorks("-Djava.io.tmpdir=" + missing, missing.toString(), "WARNING");
  }

  @Test
  void aWrongPropertyIsReportedByEachCall() throws Exception {
    String line = "-Dserow.native must be on or off, not no";
    Jvm jvm = new Jvm(List.of("-Dserow.native=no"), Map.of());
    assertEquals(List.of(line, line), jvm.run(RoundTrip.class).lines());
  }
}
