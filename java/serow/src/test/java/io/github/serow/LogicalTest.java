package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.TieredCode;
import io.github.serow.internal.types.TypeForms;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of several components, from Java and back. */
class LogicalTest {
  /** The last microsecond in 64 bits, and its last nanosecond. */
  static final LocalDateTime LAST = LocalDateTime.parse("+294247-01-10T04:00:54.775807999");

  static final LocalDateTime FIRST = LocalDateTime.parse("-290308-12-21T19:59:05.224192");

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static Stream<List<?>> rows() {
    BigInteger power = BigInteger.TWO.pow(63);
    LocalDateTime twice = LocalDateTime.of(2024, 10, 27, 2, 30);
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    return Stream.of(
        list(power, power.negate(), power.subtract(BigInteger.ONE), BigInteger.ZERO),
        list(power.shiftLeft(1), power.not(), power.shiftLeft(10_000), BigInteger.ONE),
        list(new byte[0], new byte[] {0, -1, 127, -128}, new byte[1000]),
        list(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.allocate(0)),
        list(LocalDate.MIN, LocalDate.EPOCH, LocalDate.MAX),
        list(LocalTime.MIN, LocalTime.of(23, 59, 59, 999_999_999), LocalTime.of(0, 0, 0, 1)),
        list(OffsetTime.MIN, OffsetTime.MAX, LocalTime.NOON.atOffset(ZoneOffset.ofHours(2))),
        list(FIRST, LAST, FIRST.plusNanos(1), LocalDateTime.of(1969, 12, 31, 23, 59, 59, 1)),
        list(FIRST.atOffset(ZoneOffset.MAX), LAST.atOffset(ZoneOffset.MIN)),
        list(LAST.plusNanos(1), FIRST.minusNanos(1), LocalDateTime.MIN, LocalDateTime.MAX),
        list(OffsetDateTime.MIN, OffsetDateTime.MAX, LocalDateTime.MIN.atZone(BERLIN)),
        list(OffsetDateTime.parse("1883-11-18T12:03:57.999999999-04:56:02")),
        list(
            twice.atZone(BERLIN).withEarlierOffsetAtOverlap(),
            twice.atZone(BERLIN).withLaterOffsetAtOverlap(),
            twice.atZone(ZoneId.of("UTC")),
            twice.atZone(ZoneId.of("Australia/Lord_Howe")),
            LocalDateTime.of(1800, 1, 1, 0, 0).atZone(BERLIN)),
        list(twice.atOffset(ZoneOffset.UTC), twice.atZone(BERLIN), twice.atZone(ZoneId.of("GMT"))),
        list(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
        list(Duration.ofSeconds(Long.MIN_VALUE)),
        list(new BigDecimal("0"), new BigDecimal("0.00"), new BigDecimal("-1E+7")),
        list(
            BigDecimal.valueOf(Long.MIN_VALUE, Integer.MIN_VALUE),
            BigDecimal.valueOf(Long.MAX_VALUE, Integer.MAX_VALUE),
            new BigDecimal(power, 3),
            new BigDecimal(power.shiftLeft(500).negate(), -3)),
        list(uuid, new UUID(0, 0), new UUID(-1, -1)),
        list(new Complex(-0.0, Double.NaN), new Complex(Double.longBitsToDouble(~0L), 1)),
        list(
            NdArray.of(new float[] {1, -0f, Float.NaN, 4, 5, 6}, 2, 3),
            NdArray.of(new long[0], 0, 3),
            NdArray.of(new boolean[] {true}).withBigEndian(true),
            NdArray.of(new short[200], 200).withBigEndian(true)),
        list(NdArray.of(new int[] {7}), list(7L), null, tuple(NdArray.of(new double[1], 1), 1L)),
        list(power, "a", 1.5, null),
        list(LocalDate.EPOCH, twice, LocalTime.NOON, null, twice.atOffset(ZoneOffset.UTC)),
        list(new byte[] {1}, "a", ByteBuffer.wrap(new byte[] {1}), list(new byte[] {2})),
        list(tuple(1L, new BigDecimal("1.10")), tuple(2L, null), tuple(3L, 2.5)),
        list(tuple(list(uuid, uuid), list(LocalDate.MIN)), tuple(list(), list((Object) null))),
        list(tuple(tuple(power), list(tuple(twice.atZone(BERLIN))))));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comesBackEqualInBothLayouts(List<?> rows) {
    for (Wire wire : Wire.values()) {
      Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
      Codec<Object> codec = Codec.ofAny(Schema.infer(rows)).withWire(wire);
      Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comesBackEqualByGeneratedCode(List<?> rows) {
    List<Object> many = new ArrayList<>();
    while (many.size() < 3 * TieredCode.WORTH_IT) {
      many.addAll(rows);
    }
    for (Wire wire : Wire.values()) {
      Same.assertSame(many, Serow.loads(Serow.dumps(many, wire)));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void longSequencesOfThem(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int count : new int[] {0, 1, 100, 30_000}) {
      List<Object> numbers = new ArrayList<>();
      List<Object> times = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        numbers.add(i % 7 == 0 ? null : new BigDecimal(BigInteger.TWO.pow(i % 90), i % 5));
        times.add(tuple(FIRST.plusDays(i).atZone(BERLIN), list(Duration.ofDays(i))));
      }
      rows.add(tuple(numbers, times, LocalDate.EPOCH));
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
    // The same by generated code.
    Codec<Object> codec = Codec.ofAny(Schema.infer(rows)).withWire(wire);
    List<Object> many = new ArrayList<>(Collections.nCopies(3 * TieredCode.WORTH_IT, rows.get(1)));
    many.addAll(rows);
    Same.assertSame(many, codec.decodeAll(codec.encodeAll(many)));
  }

  @Test
  void theTypesAreToldByTheirClasses() {
    List<Object> row =
        list(
            BigInteger.ONE,
            new byte[0],
            ByteBuffer.allocateDirect(3),
            LocalDate.MIN,
            LocalTime.MIN,
            OffsetTime.MIN,
            FIRST,
            FIRST.atOffset(ZoneOffset.UTC),
            Duration.ZERO,
            BigDecimal.TEN,
            new UUID(1, 2),
            new Complex(1, 2),
            NdArray.of(new byte[6], 2, 3));
    String types =
        "int, bytes, bytearray, date, time, timetz, timestamp, timestamptz, duration, decimal,"
            + " uuid, complex, ndarray";
    assertEquals("[" + types + "]", Schema.infer(list(row)).toString());
    assertArrayEquals(
        new int[] {4, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 41, 6},
        Schema.parse("[" + types + "]").typeList());
  }

  @Test
  void allTypesOfTheListAreKnown() {
    IntStream codes = IntStream.concat(IntStream.range(16, 28), IntStream.range(41, 50));
    for (int code : codes.toArray()) {
      CompositeType type = CompositeTypes.ofCode(code);
      assertEquals(code, type.code());
      assertEquals(TypeForms.text(new int[] {code}), type.name());
    }
    assertThrows(SchemaException.class, () -> TypeForms.text(new int[] {28}));
    assertEquals(null, CompositeTypes.ofCode(28));
    assertEquals(null, CompositeTypes.ofCode(50));
    assertEquals(null, CompositeTypes.ofCode(15));
  }

  @Test
  void numbersBeyondTheirSizeAreRefused() {
    Object[][] refused = {
      {"u8", 256L, "(u8): cannot encode java.lang.Long 256, which is beyond u8"},
      {"i32", BigInteger.TWO.pow(31), "BigInteger 2147483648, which is beyond i32"},
      {"u64", -1, "Integer -1, which is beyond u64"},
      {"u64", BigInteger.TWO.pow(64), "which is beyond u64"},
      {"f32", 0.1, "Double 0.1, which no float equals; round it by (float) first"},
      {"f32", 1L, "cannot encode java.lang.Long"},
      {"u16", 0.5, "cannot encode java.lang.Double"},
    };
    for (Object[] one : refused) {
      for (Wire wire : Wire.values()) {
        Codec<Object> codec = Codec.ofAny(Schema.parse((String) one[0])).withWire(wire);
        EncodeException e =
            assertThrows(EncodeException.class, () -> codec.encodeAll(list(one[1])));
        assertTrue(e.getMessage().contains((String) one[2]), e.getMessage());
        assertThrows(EncodeException.class, () -> codec.encode(one[1]));
      }
    }
    Codec<Object> codec = Codec.ofAny(Schema.parse("[u64]"));
    List<Object> row = list((byte) 1, (short) 2, 3, 4L, BigInteger.valueOf(5));
    List<?> back = (List<?>) codec.decodeAll(codec.encodeAll(list(row))).get(0);
    for (int i = 0; i < 5; i++) {
      assertEquals(BigInteger.valueOf(i + 1), back.get(i));
    }

    Codec<Object> either = Codec.ofAny(Schema.parse("f32|u8"));
    assertEquals(list(0.5, 7L), either.decodeAll(either.encodeAll(list(0.5f, (short) 7))));
  }

  @Test
  void anIntegerOf64BitsFitsIntAndABigIntegerIsNeverAnI64() {
    assertEquals("int", Schema.infer(list(1L, BigInteger.ONE)).toString());
    assertEquals("int", Schema.infer(list(BigInteger.ONE)).toString());
    Codec<Object> codec = Codec.ofAny(Schema.parse("int"));
    List<Object> back = codec.decodeAll(codec.encodeAll(list(1L, 2, (short) 3, (byte) 4)));
    for (int i = 0; i < 4; i++) {
      assertEquals(BigInteger.valueOf(i + 1), back.get(i));
    }

    Codec<Object> longs = Codec.ofAny(Schema.parse("i64"));
    EncodeException e =
        assertThrows(EncodeException.class, () -> longs.encodeAll(list(BigInteger.ONE)));
    assertEquals("row 0, (i64): cannot encode java.math.BigInteger", e.getMessage());

    Codec<Object> either = Codec.ofAny(Schema.parse("int|str"));
    assertEquals(
        list(BigInteger.ONE, "a", BigInteger.TWO),
        either.decodeAll(either.encodeAll(list(1L, "a", BigInteger.TWO))));

    // The message's first rows are in a frame of 64-bit integers.
    List<Object> late = new ArrayList<>(Collections.nCopies(1000, (Object) 7L));
    late.add(BigInteger.ONE.shiftLeft(64));
    Same.assertSame(late, Serow.loads(Serow.dumps(late, Wire.FRAME)));
  }

  /** A subclass might add anything. */
  static final class Number2 extends BigInteger {
    private static final long serialVersionUID = 1L;

    Number2() {
      super("2");
    }
  }

  @Test
  void subclassesAreErrors() {
    BigDecimal decimal =
        new BigDecimal("1.0") {
          private static final long serialVersionUID = 1L;
        };
    for (Object value : list(new Number2(), decimal)) {
      EncodeException e =
          assertThrows(EncodeException.class, () -> Serow.dumps(list(value), Wire.FRAME));
      Class<?> type = value.getClass();
      assertEquals(
          "row 0: cannot encode "
              + type.getTypeName()
              + ", whose class may add anything; encode a plain "
              + type.getSuperclass().getTypeName(),
          e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void buffersAreTakenFromPositionToLimitAndNotMoved(Wire wire) {
    ByteBuffer direct = ByteBuffer.allocateDirect(10);
    for (int i = 0; i < 10; i++) {
      direct.put(i, (byte) i);
    }
    direct.position(2).limit(5);
    ByteBuffer slice = ByteBuffer.wrap(new byte[] {9, 9, 2, 3, 4, 9}).slice(2, 3);
    List<Object> rows = list(direct, slice, direct.asReadOnlyBuffer(), slice.asReadOnlyBuffer());
    List<Object> back = Serow.loads(Serow.dumps(rows, wire));
    Same.assertSame(rows, back);
    assertEquals(2, direct.position());
    assertEquals(5, direct.limit());
    for (Object value : back) {
      ByteBuffer buffer = (ByteBuffer) value;
      assertTrue(buffer.hasArray());
      assertArrayEquals(new byte[] {2, 3, 4}, buffer.array());
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void equalBytesAreArraysOfTheirOwn(Wire wire) {
    byte[] bytes = {1, 2, 3};
    List<Object> rows = Collections.nCopies(200, tuple(bytes, ByteBuffer.wrap(bytes)));
    List<Object> back = Serow.loads(Serow.dumps(rows, wire));
    Object[] first = (Object[]) back.get(0);
    Object[] second = (Object[]) back.get(1);
    assertNotSame(first[0], second[0]);
    assertNotSame(((ByteBuffer) first[1]).array(), ((ByteBuffer) second[1]).array());
    ((byte[]) first[0])[0] = 9;
    Same.assertSame(rows.subList(1, 200), new ArrayList<>(back.subList(1, 200)));
  }

  private static void assertRefused(String message, Object value) {
    List<Object> rows = list(tuple(1L, value));
    String place = "row 0, field 1";
    EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(rows, Wire.FRAME));
    assertEquals(place + ": cannot encode " + message, e.getMessage());
    e = assertThrows(EncodeException.class, () -> Schema.infer(rows));
    assertEquals(place + ": cannot encode " + message, e.getMessage());
    Codec<Object> codec = Codec.ofAny(Schema.parse("(i64, timestamp|timestamptz|str)"));
    e = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
    assertEquals(place + " (str|timestamp|timestamptz): cannot encode " + message, e.getMessage());
  }

  @Test
  void whatTheWireCannotHoldIsRefused() {
    for (String zone : List.of("+01:00", "Z", "UTC+1", "GMT-02:30", "UT")) {
      ZonedDateTime time = LocalDateTime.of(2024, 1, 1, 0, 0).atZone(ZoneId.of(zone));
      assertRefused(
          "java.time.ZonedDateTime "
              + time
              + ", whose zone is not a region; use toOffsetDateTime()",
          time);
    }
    assertRefused(
        "java.time.Instant, which has no local time; use atOffset(ZoneOffset.UTC)", Instant.EPOCH);
    assertRefused(
        "java.util.Date, which has no local time; use toInstant().atOffset(ZoneOffset.UTC)",
        new Date(0));
    assertRefused("java.time.Year, which is a number; use getValue", Year.of(2024));
  }

  @Test
  void theErrorDoesNotDependOnEarlierRows() {
    OffsetDateTime fits = LAST.atOffset(ZoneOffset.UTC);
    List<Object> rows = new ArrayList<>(Collections.nCopies(5000, tuple(fits, 1L)));
    rows.set(4000, tuple(LAST.atZone(ZoneOffset.UTC), 1L));
    EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(rows, Wire.FRAME));
    String start = "row 4000, field 0 (timestamptz): cannot encode java.time.ZonedDateTime +294247";
    assertTrue(e.getMessage().startsWith(start), e.getMessage());
    rows.set(4000, tuple(null, 1L));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.FRAME)));
  }
}
