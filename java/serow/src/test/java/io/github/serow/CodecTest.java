package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.row;
import static io.github.serow.RoundTripTest.tuple;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecTest {
  private static final Schema PART = Schema.parse("(i64, str, f64?, [i64|str])");

  private static List<Object[]> parts(int count) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row((long) i, "part " + i % 10, i % 3 == 0 ? null : i / 8.0, list(1L, "a" + i)));
    }
    return rows;
  }

  @Test
  void encodesAndDecodes() {
    try (Codec<Object[]> codec = Codec.of(PART)) {
      List<Object[]> rows = parts(5000);
      Same.assertSame(rows, codec.decode(codec.encode(rows)));
      assertEquals(PART, codec.schema());
      assertTrue(codec.decode(codec.encode(List.of())).isEmpty());
    }
  }

  @Test
  void encodesIntoBuffersOfEveryKind() {
    try (Codec<Object[]> codec = Codec.of(PART, Wire.ROW)) {
      List<Object[]> rows = parts(10);
      byte[] message = codec.encode(rows);
      ByteBuffer sliced = ByteBuffer.allocate(message.length + 9).position(4).slice();
      for (ByteBuffer buffer :
          List.of(
              ByteBuffer.allocateDirect(message.length + 3), sliced, ByteBuffer.allocate(9999))) {
        buffer.position(3);
        assertEquals(message.length, codec.encodeInto(rows, buffer));
        assertEquals(3 + message.length, buffer.position());
        byte[] written = new byte[message.length];
        buffer.flip().position(3).get(written);
        assertArrayEquals(message, written);
      }
    }
  }

  @Test
  void afterAnErrorABufferHasNoMessage() {
    try (Codec<Object[]> codec = Codec.of(PART)) {
      List<Object[]> rows = parts(10);
      byte[] message = codec.encode(rows);
      List<Object[]> misfit = parts(5_000);
      misfit.set(4_999, new Object[] {"a text"});
      for (ByteBuffer buffer :
          List.of(ByteBuffer.allocate(message.length), ByteBuffer.allocateDirect(message.length))) {
        codec.encodeInto(rows, buffer);
        assertEquals(rows.size(), codec.decode(buffer.rewind()).size());
        buffer.rewind().limit(message.length - 1);
        BufferTooSmallException e =
            assertThrows(BufferTooSmallException.class, () -> codec.encodeInto(rows, buffer));
        assertTrue(e.getMessage().contains("takes " + message.length + " bytes"), e.getMessage());
        assertNoMessage(codec, buffer);

        buffer.clear();
        codec.encodeInto(rows, buffer);
        buffer.rewind();
        assertThrows(EncodeException.class, () -> codec.encodeInto(misfit, buffer));
        assertNoMessage(codec, buffer);
      }
      assertThrows(
          BufferTooSmallException.class,
          () -> codec.encodeInto(rows, ByteBuffer.allocateDirect(0)));
      assertThrows(
          ReadOnlyBufferException.class,
          () -> codec.encodeInto(rows, ByteBuffer.allocate(9999).asReadOnlyBuffer()));
    }
  }

  private static void assertNoMessage(Codec<Object[]> codec, ByteBuffer buffer) {
    assertEquals(0, buffer.position());
    assertThrows(DecodeException.class, () -> codec.decode(buffer.duplicate()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; 0; row 17, field 0 (i64): cannot encode java.lang.String",
        "1; 1; row 17, field 1 (str): cannot encode java.lang.Long",
        "2; 2; row 17, field 2 (f64?): cannot encode java.lang.Long",
        "3; 3; row 17, field 3.1 (i64|str): cannot encode java.lang.Double",
        "4; 3; row 17, field 3 ([i64|str]): cannot encode null",
        "5; 3; row 17, field 3 ([i64|str]): cannot encode a tuple of 0 (java.lang.Object[])",
      })
  void aMisfitNamesRowFieldAndClass(int misfit, int field, String message) {
    Object[] values = {"x", 1L, 1L, list(1L, 2.0), null, tuple()};
    for (int count : new int[] {20, 5000}) {
      try (Codec<Object[]> codec = Codec.of(PART)) {
        List<Object[]> rows = parts(count);
        rows.get(17)[field] = values[misfit];
        EncodeException e = assertThrows(EncodeException.class, () -> codec.encode(rows));
        assertEquals(message, e.getMessage());
      }
    }
  }

  @Test
  void aMisfitOfTheWholeRowNamesTheRow() {
    try (Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str)"))) {
      List<Object[]> rows = new ArrayList<>(List.of(row(1L, "a"), row(1L)));
      EncodeException e = assertThrows(EncodeException.class, () -> codec.encode(rows));
      assertEquals(
          "row 1, ((i64, str)): cannot encode a tuple of 1 (java.lang.Object[])", e.getMessage());
      rows.set(1, null);
      e = assertThrows(EncodeException.class, () -> codec.encode(rows));
      assertEquals("row 1, ((i64, str)): cannot encode null", e.getMessage());
    }
  }

  @Test
  void messagesOfAnotherSchemaAreRefused() {
    try (Codec<Object[]> codec = Codec.of(PART)) {
      byte[] other = Serow.dumps(list(tuple(1L, "a")));
      SchemaException e = assertThrows(SchemaException.class, () -> codec.decode(other));
      assertTrue(e.getMessage().contains("(i64, str)"), e.getMessage());
      assertTrue(codec.decode(Serow.dumps(list())).isEmpty());
    }
  }

  @Test
  void onlyTuplesAreObjectArrays() {
    assertThrows(SchemaException.class, () -> Codec.of(Schema.parse("i64")));
    assertThrows(SchemaException.class, () -> Codec.of(Schema.parse("(i64,)|str")));
    for (String text : List.of("(i64,)", "(i64,)?", "(i64, ...)", "(i64,)|(i64, str)")) {
      Codec.of(Schema.parse(text)).close();
    }
    try (Codec<Object> codec = Codec.ofAny(Schema.parse("i64?"))) {
      List<Object> rows = list(1, null, 3L);
      Same.assertSame(rows, codec.decode(codec.encode(rows)));
    }
  }

  @Test
  void aClosedCodecFailsAndItsSiblingWorks() {
    Codec<Object[]> codec = Codec.of(PART);
    Codec<Object[]> sibling = Codec.of(PART);
    byte[] message = codec.encode(parts(3));
    codec.close();
    codec.close();
    assertThrows(IllegalStateException.class, () -> codec.encode(parts(3)));
    assertThrows(IllegalStateException.class, () -> codec.decode(message));
    assertThrows(IllegalStateException.class, () -> codec.decode(ByteBuffer.wrap(message)));
    assertThrows(
        IllegalStateException.class, () -> codec.encodeInto(parts(3), ByteBuffer.allocate(9999)));
    assertThrows(IllegalStateException.class, codec::tier);
    assertThrows(IllegalStateException.class, codec::compile);
    assertThrows(IllegalStateException.class, codec::ir);
    assertEquals(3, sibling.decode(message).size());
    sibling.close();
  }

  @Test
  void manySchemasComeAndGo() {
    // More than the cache holds. Unused schemas are freed, even if nobody closes their codecs.
    for (int i = 1; i < 600; i++) {
      // Each number has different bits.
      String bits = Integer.toBinaryString(i).replace("0", "str?, ").replace("1", "bool?, ");
      Codec<Object[]> codec = Codec.of(Schema.parse("(" + bits + "i64?)"));
      Object[] row = new Object[Integer.toBinaryString(i).length() + 1];
      row[row.length - 1] = (long) i;
      Same.assertSame(list((Object) row), codec.decode(codec.encode(List.<Object[]>of(row))));
      if (i % 200 == 0) {
        System.gc();
      }
    }
  }
}
