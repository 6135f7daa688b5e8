package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One row by itself: what {@link Codec#encode} writes, and what {@link Codec#decode} reads. */
class SingleRowsTest {
  record Part(long key, String name) {}

  @Name("Part")
  record Newer(double key, String name, Integer count) {}

  private static final Part PART = new Part(7, "bolt");
  private static final Codec<Part> CODEC = Codec.of(Part.class);
  private static final Codec<Newer> NEWER = Codec.of(Newer.class);
  private static final Newer READ = new Newer(7, "bolt", null);

  /** Knows the schema of {@link Part}. */
  private static <T> Codec<T> named(Codec<T> codec) {
    return codec.withSchemas(new SchemaSet().add(CODEC.schema()));
  }

  @Test
  void aRowIsAMessageOfTheRowWire() {
    byte[] one = CODEC.encode(PART);
    assertArrayEquals(CODEC.withWire(Wire.ROW).encodeAll(List.of(PART)), one);
    assertArrayEquals(CODEC.encodeAll(List.of(PART)), one);
    assertEquals(1, Serow.loads(one).size());
    ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(3);
    assertEquals(one.length, CODEC.encodeInto(PART, buffer));
    byte[] written = new byte[one.length];
    buffer.get(3, written);
    assertArrayEquals(one, written);
    BufferTooSmallException small =
        assertThrows(
            BufferTooSmallException.class,
            () -> CODEC.encodeInto(PART, ByteBuffer.allocate(one.length - 1)));
    assertEquals(one.length, small.needed());
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void aWireAndACompressionHoldForOneRowToo(Wire wire) {
    Part large = new Part(7, "bolt".repeat(10_000));
    for (Compression compression : List.of(Compression.none(), Compression.zstd())) {
      Codec<Part> codec = CODEC.withWire(wire).withCompression(compression);
      byte[] one = codec.encode(large);
      assertArrayEquals(codec.encodeAll(List.of(large)), one);
      assertEquals(large, CODEC.decode(one));
      ByteBuffer buffer = ByteBuffer.allocate(one.length);
      assertEquals(one.length, codec.encodeInto(large, buffer));
      assertEquals(large, CODEC.decode(buffer.flip()));
      assertEquals(new Newer(7, large.name(), null), NEWER.decode(one));
    }
  }

  @Test
  void messagesThatFollowEachOtherAreReadAsAStream() {
    java.io.ByteArrayOutputStream file = new java.io.ByteArrayOutputStream();
    for (long key = 0; key < 3; key++) {
      file.writeBytes(CODEC.encode(new Part(key, "bolt")));
    }
    java.io.InputStream in = new java.io.ByteArrayInputStream(file.toByteArray());
    try (StreamReader<Part> reader = StreamReader.of(CODEC).from(in)) {
      assertEquals(List.of(0L, 1L, 2L), reader.stream().map(Part::key).toList());
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatReadsAMessageReadsARecord() {
    Codec<Part> codec = CODEC.withoutSchemaAndChecksum();
    byte[] record = codec.encode(PART);
    assertEquals(Long.BYTES + 7, record.length);
    assertEquals(PART, CODEC.decode(record));
    assertEquals(List.of(PART), CODEC.decodeAll(record));
    assertEquals(PART, codec.decode(CODEC.encode(PART)));
    List<Part> all = codec.decodeAll(ByteBuffer.allocateDirect(99).put(record).flip());
    all.add(PART);
    assertEquals(List.of(PART, PART), all);
    assertEquals(READ, named(NEWER).decode(record));
    assertEquals(List.of(READ), named(NEWER).decodeAll(record));
    // Messages need no set of schemas.
    assertEquals(READ, NEWER.decode(CODEC.encode(PART)));
    assertEquals(CODEC.schema().fingerprint(), unknown(() -> NEWER.decode(record)));
    DecodeException error = assertThrows(DecodeException.class, () -> NEWER.decodeAll(record));
    assertTrue(error.getMessage().contains("does not begin with SROW"), error.getMessage());
  }

  private static long unknown(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(SchemaException.class, call).fingerprint().orElseThrow();
  }

  @Test
  void withoutAFingerprintAllBytesAreTheValue() {
    Codec<Part> bare = CODEC.withoutFingerprint();
    byte[] value = bare.encode(PART);
    assertEquals(7, value.length);
    assertEquals(PART, bare.decode(value));
    assertThrows(DecodeException.class, () -> bare.decode(CODEC.encode(PART)));
    assertEquals(List.of(PART), bare.decodeAll(CODEC.encode(PART)));
    assertThrows(DecodeException.class, () -> bare.decodeAll(value));
  }

  @Test
  void aMessageOfSeveralRowsIsNotOneRow() {
    for (int rows : new int[] {0, 2, 1000}) {
      List<Part> parts = new ArrayList<>(java.util.Collections.nCopies(rows, PART));
      DecodeException error =
          assertThrows(DecodeException.class, () -> CODEC.decode(CODEC.encodeAll(parts)));
      assertEquals(
          "the message has " + rows + " rows and not one; read it with decodeAll",
          error.getMessage());
    }
  }

  @Test
  void damageIsAlwaysFound() {
    byte[] message = CODEC.encode(PART);
    for (int bit = 0; bit < 8 * message.length; bit++) {
      byte[] damaged = message.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      String text = assertThrows(SerowException.class, () -> CODEC.decode(damaged)).getMessage();
      assertNotEquals("", text);
    }
    for (int length = 0; length < message.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(message, length);
      assertThrows(DecodeException.class, () -> CODEC.decode(cut));
    }
    byte[] longer = java.util.Arrays.copyOf(message, message.length + 1);
    assertThrows(DecodeException.class, () -> CODEC.decode(longer));
  }

  record Picky(long key) {
    Picky {
      if (key < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  @Test
  void errorsNameTheRowAndItsPlace() {
    byte[] message =
        Codec.ofAny(Schema.of(Picky.class))
            .encode(Row.of("Picky", List.of("key"), new Object[] {-1L}));
    DecodeException error =
        assertThrows(DecodeException.class, () -> Codec.of(Picky.class).decode(message));
    assertEquals(0, error.row().orElseThrow());
    assertEquals("negative", error.getCause().getMessage());
    assertTrue(error.getMessage().startsWith("row 0, "), error.getMessage());
    EncodeException encode =
        assertThrows(
            EncodeException.class,
            () -> Codec.of(Schema.parse("(i64, str)")).encode(new Object[] {1L, null}));
    assertEquals("row 0, field 1 (str): cannot encode null", encode.getMessage());
  }
}
