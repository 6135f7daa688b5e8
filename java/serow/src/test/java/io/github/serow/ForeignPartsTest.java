package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.TieredCode;
import io.github.serow.internal.wire.Format;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.StringJoiner;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Components that Java has not written: of values that Java can't represent, and invalid ones. */
class ForeignPartsTest {
  private static final long NO_OFFSET = Long.MIN_VALUE;
  private static final long HOUR = 3_600_000_000L;

  /** The components of a value: integers or the bits of floats, and the bytes if it has any. */
  record Parts(String type, long[] numbers, String bytes) {
    static Parts of(String type, long... numbers) {
      return new Parts(type, numbers, null);
    }

    Parts with(String text) {
      return new Parts(type, numbers, text);
    }

    private byte[] text() {
      return bytes == null ? new byte[0] : bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The message of a row with this value, written without Java's checks. */
    byte[] message(Wire wire) {
      return ForeignPartsTest.message(wire, type, this);
    }

    /** The value in the notation of {@code tests/golden/README.md}. */
    String words(int code) {
      StringJoiner words = new StringJoiner(" ");
      for (long number : numbers) {
        words.add(code == 27 ? String.format("f%016x", number) : "i" + number);
      }
      if (bytes != null) {
        StringBuilder hex = new StringBuilder("s");
        for (byte b : text()) {
          hex.append(String.format("%02x", b));
        }
        words.add(hex);
      }
      return words.toString();
    }

    @Override
    public String toString() {
      return type + " " + Arrays.toString(numbers) + " " + bytes;
    }
  }

  /** The message of rows with one field. */
  private static byte[] message(Wire wire, String schema, Parts... rows) {
    RecordOut out = new RecordOut();
    int end = 0;
    for (Parts row : rows) {
      int value = end + RecordIn.LENGTH;
      out.ensure(value, 64);
      int at = value;
      for (long number : row.numbers) {
        at = row.type.equals("complex") ? out.f64(number, at) : out.i64(number, at);
      }
      if (row.bytes != null) {
        at = out.bytes(row.text(), at);
      }
      out.putInt(end, at - value);
      end = at;
    }
    return message(wire, schema, out, end, rows.length);
  }

  /** The message of records. */
  private static byte[] message(Wire wire, String schema, RecordOut out, int end, int rows) {
    Binding binding = Binding.of(Schema.parse(schema));
    return EncodeContext.ofRecords(binding, Format.plain(wire), out.bytes, 0, end, rows);
  }

  private static void assertNotHeld(String message, Parts parts) {
    for (Wire wire : Wire.values()) {
      byte[] bytes = parts.message(wire);
      DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(bytes));
      assertEquals("frame 0, row 0, (" + parts.type + "): " + message, e.getMessage());
    }
  }

  private static void assertNotDecoded(String message, Parts parts) {
    assertNotHeld("cannot decode " + message, parts);
  }

  private static final String DROP =
      "; declare the class of the rows, which drops it, or drop it by"
          + " withTimes(Times.PORTABLE), of a codec, a reader's options or Serow.options(), or where"
          + " it is encoded, in Python by times='portable'";

  private static void assertLacked(String message, Object portable, Parts parts) {
    assertNotHeld("cannot decode " + message + DROP, parts);
    for (Wire wire : Wire.values()) {
      byte[] bytes = parts.message(wire);
      Same.assertSame(List.of(portable), Serow.options().withTimes(Times.PORTABLE).loads(bytes));
      Codec<Object> codec = Codec.ofAny(Schema.parse(parts.type)).withWire(wire);
      assertThrows(DecodeException.class, () -> codec.decodeAll(bytes));
      Same.assertSame(List.of(portable), codec.withTimes(Times.PORTABLE).decodeAll(bytes));
    }
  }

  private static void assertWrong(String message, Parts parts) {
    assertNotHeld("its components are not a valid value: " + message, parts);
  }

  private static void assertHeld(Object value, Parts parts) {
    for (Wire wire : Wire.values()) {
      Same.assertSame(List.of(value), Serow.loads(parts.message(wire)));
    }
  }

  @Test
  void datesBeyondJavas() {
    long last = LocalDate.MAX.toEpochDay();
    assertHeld(LocalDate.MAX, Parts.of("date", last));
    String why = " days after 1970-01-01: java.time.LocalDate has years up to 999,999,999";
    assertNotDecoded("the date " + (last + 1) + why, Parts.of("date", last + 1));
    assertNotDecoded("the date " + Long.MIN_VALUE + why, Parts.of("date", Long.MIN_VALUE));
  }

  @Test
  void timestampsBeyondJavas() {
    // A second after Instant.MAX, and a distance that takes more than 64 bits of seconds.
    assertNotDecoded(
        "a time 31556889864403200 seconds from 1970: a LocalDateTime has years from -999999999 to"
            + " 999999999",
        Parts.of("timestamp", -5_489_245_713_842_814_976L, 1711L << 11));
    assertNotDecoded(
        "a time 41538374868278621028243970633760767 microseconds from 1970: a LocalDateTime has years"
            + " from -999999999 to 999999999",
        Parts.of("timestamptz", -1, 1L << 62, 0).with(""));
  }

  @Test
  void fold() {
    LocalTime one = LocalTime.of(1, 0);
    LocalDateTime first = one.atDate(LocalDate.EPOCH);
    String noFold = "has no fold";
    assertLacked(
        "01:00 with fold 1: java.time.LocalTime " + noFold, one, Parts.of("time", HOUR, 1));
    assertLacked(
        "1970-01-01T01:00:00.000000002 with fold 1: java.time.LocalDateTime " + noFold,
        first,
        Parts.of("timestamp", HOUR, 5));
    assertLacked(
        "01:00+01:00 with fold 1: java.time.OffsetTime " + noFold,
        one.atOffset(ZoneOffset.ofHours(1)),
        Parts.of("timetz", HOUR, 1, HOUR).with(""));
    assertLacked(
        "1970-01-01T01:00Z with fold 1: java.time.OffsetDateTime " + noFold,
        first.atOffset(ZoneOffset.UTC),
        Parts.of("timestamptz", HOUR, 1, 0).with(""));
  }

  @Test
  void offsets() {
    String why = " microseconds: java.time.ZoneOffset has whole seconds and up to 18 hours";
    for (long offset : new long[] {1, -999_999, 18 * HOUR + 1_000_000, -24 * HOUR + 1}) {
      assertNotDecoded(
          "01:00 at an offset of " + offset + why, Parts.of("timetz", HOUR, 0, offset).with(""));
      assertNotDecoded(
          "1970-01-01T01:00 at an offset of " + offset + why,
          Parts.of("timestamptz", HOUR, 0, offset).with("Europe/Berlin"));
    }
    assertHeld(
        LocalDate.EPOCH.atTime(1, 0).atOffset(ZoneOffset.MAX),
        Parts.of("timestamptz", HOUR, 0, 18 * HOUR).with(""));
    assertNotDecoded(
        "01:00 without an offset: java.time.OffsetTime has one",
        Parts.of("timetz", HOUR, 0, NO_OFFSET).with(""));
  }

  @Test
  void zones() {
    ZoneOffset ahead = ZoneOffset.ofHours(1);
    LocalTime one = LocalTime.of(1, 0);
    OffsetDateTime first = one.atDate(LocalDate.EPOCH).atOffset(ahead);
    String noName = ": java.time.ZoneOffset has no name";
    for (String name : List.of("CET", "", "UTC", "UTC+02:00", "UTC+1")) {
      assertLacked(
          "a time at +01:00 called " + name + noName,
          first,
          Parts.of("timestamptz", HOUR, 0, HOUR).with("=" + name));
      assertLacked(
          "a time at +01:00 called " + name + noName,
          one.atOffset(ahead),
          Parts.of("timetz", HOUR, 0, HOUR).with("=" + name));
    }
    // The names that Python gives to offsets say nothing else.
    assertHeld(first, Parts.of("timestamptz", HOUR, 0, HOUR).with("=UTC+01:00"));
    assertHeld(one.atOffset(ahead), Parts.of("timetz", HOUR, 0, HOUR).with("=UTC+01:00"));
    assertHeld(
        first.toLocalDateTime().atOffset(ZoneOffset.UTC),
        Parts.of("timestamptz", HOUR, 0, 0).with("=UTC"));
    assertNotDecoded(
        "01:00 in Europe/Berlin: java.time.OffsetTime has only an offset",
        Parts.of("timetz", HOUR, 0, NO_OFFSET).with("Europe/Berlin"));
    // Java accepts all of these but the first, as other spellings of offsets.
    for (String key : List.of("Mars/Phobos", "GMT+0", "+01:00", "Z", "UTC+1", "europe/berlin")) {
      assertNotDecoded(
          "a time of the zone " + key + ": this Java's time zone database lacks it",
          Parts.of("timestamptz", HOUR, 0, 0).with(key));
    }
  }

  private static Parts berlin(String clock, int rest, long offset) {
    long seconds = LocalDateTime.parse(clock).toEpochSecond(ZoneOffset.UTC);
    return Parts.of("timestamptz", seconds * 1_000_000, rest, offset).with("Europe/Berlin");
  }

  @Test
  void regionsRules() {
    var berlin = java.time.ZoneId.of("Europe/Berlin");
    var twice = LocalDateTime.of(2024, 10, 27, 2, 30);
    assertHeld(
        twice.atZone(berlin).withEarlierOffsetAtOverlap(),
        berlin("2024-10-27T02:30:00", 0, 2 * HOUR));
    assertHeld(
        twice.atZone(berlin).withLaterOffsetAtOverlap(), berlin("2024-10-27T02:30:00", 1, HOUR));
    String differ =
        ", and fold 1 needs a second of these: the time zone databases differ, or fold was set"
            + " without need, which java.time.ZonedDateTime can't represent";
    String rules = ": this Java's rules for the zone give ";
    assertNotDecoded(
        "2024-10-27T02:30+02:00[Europe/Berlin] with fold 1" + rules + "[+02:00, +01:00]" + differ,
        berlin("2024-10-27T02:30:00", 1, 2 * HOUR));
    assertNotDecoded(
        "2024-07-01T12:00+01:00[Europe/Berlin] with fold 0" + rules + "[+02:00]" + differ,
        berlin("2024-07-01T12:00:00", 0, HOUR));
    assertNotDecoded(
        "2024-07-01T12:00+02:00[Europe/Berlin] with fold 1" + rules + "[+02:00]" + differ,
        berlin("2024-07-01T12:00:00", 1, 2 * HOUR));
    String skipped = ": clocks skip this time there, so java.time.ZonedDateTime lacks it";
    assertNotDecoded(
        "2024-03-31T02:30+01:00[Europe/Berlin] with fold 0" + skipped,
        berlin("2024-03-31T02:30:00", 0, HOUR));
  }

  @Test
  void decimals() {
    String finite = ": java.math.BigDecimal has only finite numbers";
    String[] names = {"Infinity", "NaN", "sNaN", null, "-Infinity", "-NaN", "-sNaN"};
    for (int i = 0; i < names.length; i++) {
      if (names[i] != null) {
        assertNotDecoded(names[i] + finite, Parts.of("decimal", 3, i).with(""));
      }
    }
    assertNotDecoded("NaN" + finite, Parts.of("decimal", 3, 1).with("123"));
    assertNotDecoded(
        "-0E-2: java.math.BigDecimal has no negative zero",
        Parts.of("decimal", -8 + 2, 0).with(""));
    String exponents = ": java.math.BigDecimal has exponents from -2147483647 to 2147483648";
    for (long exponent : new long[] {-2147483648L, 2147483649L, 1L << 60, -1L << 61}) {
      assertNotDecoded(
          "a decimal of exponent " + exponent + exponents,
          Parts.of("decimal", 4 * exponent, 7).with(""));
    }
  }

  @Test
  void invalidComponents() {
    String day = "a time is not within a day";
    assertWrong(day, Parts.of("time", 24 * HOUR, 0));
    assertWrong(day, Parts.of("time", -1, 0));
    assertWrong(day, Parts.of("time", 0, 2000));
    assertWrong(day + ", or its zone is invalid", Parts.of("timetz", 0, 0, 24 * HOUR).with(""));
    assertWrong(day + ", or its zone is invalid", Parts.of("timetz", 0, 0, 0).with("\u00ff"));
    assertWrong("a timestamp has more than 999 nanoseconds", Parts.of("timestamp", 0, -1));
    assertWrong("a timestamp has more than 999 nanoseconds", Parts.of("timestamp", 0, 2000));
    assertWrong(
        "a timestamp has more than 999 nanoseconds", Parts.of("timestamp", 0, 4 * 2048 - 1));
    assertWrong(day, Parts.of("time", 0, 2048));
    assertWrong(
        "a timestamp has more than 999 nanoseconds, or its zone is invalid",
        Parts.of("timestamptz", 0, 0, NO_OFFSET).with(""));
    assertWrong(
        "a duration has more nanoseconds than a second", Parts.of("duration", 0, 1_000_000_000));
    String digits = "an int has more bytes than it needs";
    assertWrong(digits, Parts.of("int", 0).with("\u0001"));
    assertWrong(digits, Parts.of("int", 0).with("12345678\u0000"));
    assertWrong(digits, Parts.of("int", 1).with("123456789"));
    String number = "a decimal has components of no number";
    assertWrong(number, Parts.of("decimal", 1, 0).with("1234"));
    assertWrong(number, Parts.of("decimal", 2, 1).with(""));
    assertWrong(number, Parts.of("decimal", 3, 3).with(""));
    assertWrong(number, Parts.of("decimal", 3, 0).with("1"));
    assertWrong(number, Parts.of("decimal", 7, 0).with(""));
  }

  @Test
  void theirPlaceIsReported() {
    Parts right = Parts.of("time", HOUR, 0);
    Parts[] rows = new Parts[3 * TieredCode.WORTH_IT];
    Arrays.fill(rows, right);
    for (long wrong : new long[] {1, 2000}) {
      rows[3456] = Parts.of("time", HOUR, wrong);
      rows[5000] = Parts.of("time", HOUR, wrong);
      for (Wire wire : Wire.values()) {
        byte[] message = message(wire, "(time,)", rows);
        DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
        String place = "frame 0, row 3456, field 0 (time): ";
        assertTrue(e.getMessage().startsWith(place), e.getMessage());
      }
    }
  }

  @Test
  void theirPlaceInNestedValuesIsReported() {
    String schema = "([(str, time|date?, [complex])],)";
    RecordOut out = new RecordOut();
    int begin = RecordIn.LENGTH;
    int at = out.count(2, begin);
    // A date, which is the first arm of an optional union, and a list of one number.
    at = out.arm(0, out.bit(1, out.text("a", at, 0)));
    at = out.count(1, out.i64(7, at));
    at = out.f64(6, out.f64(5, at));
    // A time with a fold, which is the second arm, and an empty list.
    at = out.arm(1, out.bit(1, out.text("b", at, 0)));
    at = out.count(0, out.i64(1, out.i64(HOUR, at)));
    out.putInt(0, at - begin);
    int end = at;
    for (Wire wire : Wire.values()) {
      byte[] message = message(wire, schema, out, end, 1);
      DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
      assertEquals(
          "frame 0, row 0, field 0.1.1 ((date|time)?): cannot decode 01:00 with fold 1:"
              + " java.time.LocalTime has no fold"
              + DROP,
          e.getMessage());
    }
  }

  private static final Arbitrary<Long> NUMBERS =
      Arbitraries.oneOf(
          Arbitraries.longs(),
          Arbitraries.longs().between(-3, 2000),
          Arbitraries.longs().between(-26, 26).map(hours -> hours * HOUR),
          Arbitraries.longs().between(-90_000_000_000L, 90_000_000_000L),
          // Around the end of summer time and the end of winter time of 2024 in Europe/Berlin.
          Arbitraries.longs().between(-9, 9).map(n -> (1_729_994_400L + 600 * n) * 1_000_000),
          Arbitraries.longs().between(-9, 9).map(n -> (1_711_850_400L + 600 * n) * 1_000_000),
          Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, 1L, 999_999_999L, 1_000_000_000L));

  private static final Arbitrary<String> TEXTS =
      Arbitraries.oneOf(
          Arbitraries.of(
              "", "", "", "Europe/Berlin", "UTC", "=CET", "GMT+0", "123", "\u00ed\u00a0\u0080"),
          Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(12));

  @Provide
  Arbitrary<Parts> parts() {
    // Numbers of a size have other forms in the row wire.
    int sized = CompositeTypes.ALL.indexOf(CompositeTypes.F32);
    return Arbitraries.of(CompositeTypes.ALL.subList(0, sized))
        .flatMap(
            type ->
                Combinators.combine(
                        NUMBERS.list().ofSize(type.ints() + type.floats()),
                        type.hasBytes() ? TEXTS : Arbitraries.just(true).map(none -> null))
                    .as(
                        (numbers, text) ->
                            Parts.of(type.name(), numbers.stream().mapToLong(n -> n).toArray())
                                .with(text)));
  }

  /**
   * Components are decoded as this test decodes them, or give an error; and they are encoded to the
   * same bytes again.
   */
  @Property(tries = 6_000)
  void anyComponentsAreDecodedExactlyOrRefused(@ForAll("parts") Parts parts) {
    Schema schema = Schema.parse(parts.type);
    int code = schema.typeList()[0];
    for (Wire wire : Wire.values()) {
      byte[] message = parts.message(wire);
      List<Object> rows;
      try {
        rows = Serow.loads(message);
      } catch (DecodeException e) {
        assertTrue(e.getMessage().startsWith("frame 0, row 0, (" + parts.type + "): "));
        if (!e.getMessage().contains("components are not a valid value")) {
          Iterator<String> words = Arrays.asList(parts.words(code).split(" ")).iterator();
          assertThrows(PartsText.NotInJava.class, () -> PartsText.read(code, words));
        }
        continue;
      }
      Iterator<String> words = Arrays.asList(parts.words(code).split(" ")).iterator();
      Same.assertSame(List.of(PartsText.read(code, words)), rows);
      Codec<Object> codec = Codec.ofAny(schema).withWire(wire);
      assertArrayEquals(message, codec.encodeAll(rows));

      String written = PartsText.write(rows.get(0));
      boolean isSmall = code == 16 && written.startsWith("i");
      assertEquals(
          isSmall ? "i" + parts.numbers[0] : "c" + code + " " + parts.words(code), written);
    }
  }
}
