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
    Codec<Object[]> codec = Codec.of(PART);
    List<Object[]> rows = parts(5000);
    Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
    assertEquals(PART, codec.schema());
    assertTrue(codec.decodeAll(codec.encodeAll(List.of())).isEmpty());
  }

  @Test
  void encodesIntoBuffersOfEveryKind() {
    Codec<Object[]> codec = Codec.of(PART).withWire(Wire.ROW);
    List<Object[]> rows = parts(10);
    byte[] message = codec.encodeAll(rows);
    ByteBuffer sliced = ByteBuffer.allocate(message.length + 9).position(4).slice();
    for (ByteBuffer buffer :
        List.of(ByteBuffer.allocateDirect(message.length + 3), sliced, ByteBuffer.allocate(9999))) {
      buffer.position(3);
      assertEquals(message.length, codec.encodeAllInto(rows, buffer));
      assertEquals(3 + message.length, buffer.position());
      byte[] written = new byte[message.length];
      buffer.flip().position(3).get(written);
      assertArrayEquals(message, written);
    }
  }

  @Test
  void afterAnErrorABufferHasNoMessage() {
    Codec<Object[]> codec = Codec.of(PART);
    List<Object[]> rows = parts(10);
    byte[] message = codec.encodeAll(rows);
    List<Object[]> misfit = parts(5_000);
    misfit.set(4_999, new Object[] {"a text"});
    for (ByteBuffer buffer :
        List.of(ByteBuffer.allocate(message.length), ByteBuffer.allocateDirect(message.length))) {
      codec.encodeAllInto(rows, buffer);
      assertEquals(rows.size(), codec.decodeAll(buffer.rewind()).size());
      buffer.rewind().limit(message.length - 1);
      BufferTooSmallException e =
          assertThrows(BufferTooSmallException.class, () -> codec.encodeAllInto(rows, buffer));
      assertTrue(e.getMessage().contains("takes " + message.length + " bytes"), e.getMessage());
      assertNoMessage(codec, buffer);

      buffer.clear();
      codec.encodeAllInto(rows, buffer);
      buffer.rewind();
      assertThrows(EncodeException.class, () -> codec.encodeAllInto(misfit, buffer));
      assertNoMessage(codec, buffer);
    }
    assertThrows(
        BufferTooSmallException.class,
        () -> codec.encodeAllInto(rows, ByteBuffer.allocateDirect(0)));
    assertThrows(
        ReadOnlyBufferException.class,
        () -> codec.encodeAllInto(rows, ByteBuffer.allocate(9999).asReadOnlyBuffer()));
  }

  private static void assertNoMessage(Codec<Object[]> codec, ByteBuffer buffer) {
    assertEquals(0, buffer.position());
    assertThrows(DecodeException.class, () -> codec.decodeAll(buffer.duplicate()));
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
      Codec<Object[]> codec = Codec.of(PART);
      List<Object[]> rows = parts(count);
      rows.get(17)[field] = values[misfit];
      EncodeException e = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
      assertEquals(message, e.getMessage());
    }
  }

  @Test
  void aMisfitOfTheWholeRowNamesTheRow() {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str)"));
    List<Object[]> rows = new ArrayList<>(List.of(row(1L, "a"), row(1L)));
    EncodeException e = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
    assertEquals(
        "row 1, ((i64, str)): cannot encode a tuple of 1 (java.lang.Object[])", e.getMessage());
    rows.set(1, null);
    e = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
    assertEquals("row 1, ((i64, str)): cannot encode null", e.getMessage());
  }

  @Test
  void messagesOfAnotherSchemaAreRefused() {
    Codec<Object[]> codec = Codec.of(PART);
    byte[] other = Serow.dumps(list(tuple(1L, "a")));
    SchemaException e = assertThrows(SchemaException.class, () -> codec.decodeAll(other));
    assertTrue(e.getMessage().contains("(i64, str)"), e.getMessage());
    assertTrue(codec.decodeAll(Serow.dumps(list())).isEmpty());
  }

  @Test
  void onlyTuplesAreObjectArrays() {
    assertThrows(SchemaException.class, () -> Codec.of(Schema.parse("i64")));
    assertThrows(SchemaException.class, () -> Codec.of(Schema.parse("(i64,)|str")));
    for (String text : List.of("(i64,)", "(i64,)?", "(i64, ...)", "(i64,)|(i64, str)")) {
      assertEquals(text, Codec.of(Schema.parse(text)).schema().toString());
    }
    Codec<Object> codec = Codec.ofAny(Schema.parse("i64?"));
    List<Object> rows = list(1, null, 3L);
    Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
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
      Same.assertSame(list((Object) row), codec.decodeAll(codec.encodeAll(List.<Object[]>of(row))));
      if (i % 200 == 0) {
        System.gc();
      }
    }
  }
}
