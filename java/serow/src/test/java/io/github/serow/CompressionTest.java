package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed messages: what comes back, what is refused, and what the bytes are. */
@Tag("once")
class CompressionTest {
  private static final int COMPRESSION_OF_FIRST_FRAME = 8 + 2;

  record Part(long key, String name, Optional<BigDecimal> price, List<LocalDate> dates) {}

  static List<Compression> compressions() {
    return List.of(
        Compression.zstd(),
        Compression.zstd(-7),
        Compression.zstd(19),
        Compression.zstd(22),
        Compression.lz4());
  }

  private static int code(Compression compression) {
    return compression.isNone() ? 0 : compression.equals(Compression.lz4()) ? 2 : 1;
  }

  static List<Part> parts(int count) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LocalDate date = LocalDate.of(1992, 1, 1).plusDays(i % 100);
      BigDecimal price = i % 5 == 0 ? null : BigDecimal.valueOf(i * 7L % 1000, 2);
      List<LocalDate> dates = i % 3 == 0 ? List.of() : List.of(date, date.plusDays(i % 7));
      parts.add(new Part(i * 3L % 1009, "Part#" + i % 97, Optional.ofNullable(price), dates));
    }
    return parts;
  }

  private static List<Object[]> tuples(int count) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object note = i % 3 == 0 ? "carefully final" : null;
      rows.add(new Object[] {(long) i, "Customer#" + i % 97, i * 0.25, note});
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void rowsComeBackFromSmallerMessages(Compression compression) {
    List<Part> parts = parts(5_000);
    for (Wire wire : Wire.values()) {
      Codec<Part> plain = Codec.of(Part.class).withWire(wire);
      Codec<Part> codec = plain.withCompression(compression);
      byte[] message = codec.encodeAll(parts);
      assertEquals(code(compression), message[COMPRESSION_OF_FIRST_FRAME]);
      assertTrue(message.length < plain.encodeAll(parts).length, message.length + " bytes");
      assertEquals(parts, codec.decodeAll(message));
      assertEquals(parts, plain.decodeAll(message));
      for (ByteBuffer buffer :
          List.of(
              ByteBuffer.allocate(message.length + 2),
              ByteBuffer.allocateDirect(message.length + 2))) {
        buffer.limit(message.length + 1).position(1);
        assertEquals(message.length, codec.encodeAllInto(parts, buffer));
        byte[] written = new byte[message.length];
        buffer.flip().position(1).get(written);
        assertArrayEquals(message, written);
        assertEquals(parts, plain.decodeAll(buffer.position(1)));
        buffer.limit(message.length).position(1);
        BufferTooSmallException e =
            assertThrows(BufferTooSmallException.class, () -> codec.encodeAllInto(parts, buffer));
        assertEquals(message.length, e.needed());
      }
      // Single records are as they were.
      assertArrayEquals(plain.encode(parts.get(1)), codec.encode(parts.get(1)));
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void dumpsCompresses(Compression compression) {
    for (int count : new int[] {0, 1, 100, 129, 5_000}) {
      List<Object[]> rows = tuples(count);
      for (Wire wire : Wire.values()) {
        byte[] message = Serow.options().withWire(wire).withCompression(compression).dumps(rows);
        Same.assertSame(rows, Serow.loads(message));
        assertTrue(message.length <= Serow.dumps(rows, wire).length);
      }
      // The wire does not depend on the compression.
      byte[] message = Serow.options().withCompression(compression).dumps(rows);
      Wire wire = Serow.dumps(rows)[8] == 0 ? Wire.ROW : Wire.FRAME;
      assertArrayEquals(
          Serow.options().withWire(wire).withCompression(compression).dumps(rows), message);
      assertEquals(count >= 100 ? code(compression) : 0, message[COMPRESSION_OF_FIRST_FRAME]);
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void schemasWidenInCompressedMessages(Compression compression) {
    List<Object> rows = new ArrayList<>(tuples(3_000));
    rows.add(Map.of("a", 1L));
    rows.addAll(parts(2_000).stream().map(Part::name).toList());
    rows.add(List.of(1L, 2.5));
    Same.assertSame(rows, Serow.loads(Serow.options().withCompression(compression).dumps(rows)));
    rows.add(new Object());
    EncodeException e =
        assertThrows(
            EncodeException.class, () -> Serow.options().withCompression(compression).dumps(rows));
    assertEquals(rows.size() - 1, e.row().orElse(-1));
  }

  @Test
  void noCompressionIsThePlainMessage() {
    List<Part> parts = parts(300);
    Codec<Part> plain = Codec.of(Part.class);
    Codec<Part> none =
        plain.withCompression(Compression.zstd()).withCompression(Compression.none());
    assertArrayEquals(plain.encodeAll(parts), none.encodeAll(parts));

    assertArrayEquals(
        Serow.dumps(parts), Serow.options().withCompression(Compression.none()).dumps(parts));
  }

  @Test
  void whatDoesNotShrinkIsPlain() {
    byte[] noise = new byte[100_000];
    new Random(5).nextBytes(noise);
    for (Compression compression : compressions()) {
      byte[] message =
          Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(List.of(noise));
      assertArrayEquals(Serow.dumps(List.of(noise), Wire.ROW), message);
    }
  }

  @Test
  void levelsMatter() {
    List<Part> parts = parts(20_000);
    int fast =
        Serow.options()
            .withWire(Wire.ROW)
            .withCompression(Compression.zstd(-7))
            .dumps(parts)
            .length;
    int normal =
        Serow.options().withWire(Wire.ROW).withCompression(Compression.zstd()).dumps(parts).length;
    int small =
        Serow.options()
            .withWire(Wire.ROW)
            .withCompression(Compression.zstd(19))
            .dumps(parts)
            .length;
    assertTrue(small < normal && normal < fast, small + ", " + normal + ", " + fast);
    // The preferred level is that of the other languages.
    assertArrayEquals(
        Serow.options().withCompression(Compression.zstd(1)).dumps(parts),
        Serow.options().withCompression(Compression.zstd()).dumps(parts));
  }

  @ParameterizedTest
  @ValueSource(ints = {-8, 23, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void levelsHaveBounds(int level) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Compression.zstd(level));
    assertEquals(
        "level must be from -7 (fast) to 22 (small) for zstd, not " + level, e.getMessage());
  }

  @Test
  void compressionsAreValues() {
    assertEquals(Compression.zstd(), Compression.zstd(1));
    assertEquals(Compression.zstd(3).hashCode(), Compression.zstd(3).hashCode());
    assertNotEquals(Compression.zstd(3), Compression.zstd(2));
    assertNotEquals(Compression.zstd(), Compression.lz4());
    assertNotEquals(Compression.none(), Compression.lz4());
    assertEquals("none", Compression.none().toString());
    assertEquals("zstd(-7)", Compression.zstd(-7).toString());
    assertEquals("lz4", Compression.lz4().toString());
    Codec<Object> codec = Codec.ofAny(Schema.parse("i64"));
    assertEquals("Codec(i64)", codec.toString());
    assertEquals(
        "Codec(i64, FRAME, zstd(3))",
        codec.withWire(Wire.FRAME).withCompression(Compression.zstd(3)).toString());
  }

  @Test
  void aCodecKeepsItsCompression() {
    List<Part> parts = parts(1_000);
    Codec<Part> codec = Codec.of(Part.class).withCompression(Compression.lz4());
    Codec<Part> other = codec.withSchemas(new SchemaSet()).withoutFingerprint();
    assertArrayEquals(codec.encodeAll(parts), other.encodeAll(parts));
  }

  /** Gives the first frame's body another length before compression, and seals the message. */
  static byte[] claiming(byte[] message, long plainLength) {
    ByteBuffer buffer = ByteBuffer.wrap(message.clone()).order(ByteOrder.LITTLE_ENDIAN);
    int schema = buffer.getInt(8 + 8);
    buffer.putLong(8 + 24 + schema, plainLength);
    return LyingContentTest.seal(buffer.array());
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void aBodyThatLiesAboutItsSizeIsRefused(Compression compression) {
    List<Object[]> rows = tuples(1_000);
    byte[] message = Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows);
    int schema = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(8 + 8);
    long length = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getLong(8 + 24 + schema);
    assertArrayEquals(message, claiming(message, length));
    for (long lie : new long[] {0, 1, length - 1, length + 1, 1L << 31, 1L << 40, 1L << 63, -1}) {
      byte[] lying = claiming(message, lie);
      SerowException e = assertThrows(SerowException.class, () -> Serow.loads(lying));
      assertTrue(e instanceof DecodeException || e instanceof LimitException, e.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void damagedBodiesAreRefusedOrGiveRows(Compression compression) {
    byte[] message =
        Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(tuples(150));
    Random random = new Random(11);
    int refused = 0;
    for (int at = 8 + 24; at < message.length - 8; at++) {
      byte[] lying = message.clone();
      lying[at] ^= (byte) (1 + random.nextInt(255));
      try {
        Serow.loads(LyingContentTest.seal(lying));
      } catch (DecodeException | LimitException e) {
        refused++;
      }
    }
    assertTrue(refused > 100, refused + " of " + message.length);
  }

  @Test
  void anUnknownCompressionIsNamed() {
    byte[] message = Serow.options().withCompression(Compression.zstd()).dumps(tuples(1_000));
    message[COMPRESSION_OF_FIRST_FRAME] = 7;
    DecodeException e =
        assertThrows(DecodeException.class, () -> Serow.loads(LyingContentTest.seal(message)));
    assertTrue(
        e.getMessage().contains("compression that this version of serow does not know"),
        e.getMessage());
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void anyRowsComeBack(@ForAll("mixedRows") List<Object> rows) {
    List<Object> plain = Serow.loads(Serow.dumps(rows));
    for (Compression compression : Arrays.asList(Compression.zstd(), Compression.lz4())) {
      for (Wire wire : Wire.values()) {
        Same.assertSame(
            plain,
            Serow.loads(Serow.options().withWire(wire).withCompression(compression).dumps(rows)));
      }
      Same.assertSame(plain, Serow.loads(Serow.options().withCompression(compression).dumps(rows)));
    }
  }
}
