package io.github.serow;

import io.github.serow.internal.wire.Varint;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.JulianFields;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.UUID;

/**
 * Values of several components in the notation of {@code tests/golden/README.md}. The components
 * are computed here in other ways than serow computes them.
 */
final class PartsText {
  /** The notation of a value that no Java class can represent. */
  static final class NotInJava extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotInJava(String why) {
      super(why);
    }
  }

  private static final HexFormat HEX = HexFormat.of();
  private static final long EPOCH = 2_440_588; // 1970-01-01 as a Julian day
  private static final BigInteger DAY = BigInteger.valueOf(86_400_000_000L);
  private static final BigInteger SECOND = BigInteger.valueOf(1_000_000);

  private PartsText() {}

  /** The notation of {@code value}, or null if it does not have several components. */
  static String write(Object value) {
    if (value instanceof BigInteger number) {
      byte[] bytes = bytes(number);
      return bytes.length > 8 ? "c16 i0 " + hex(bytes) : "i" + number;
    }
    if (value instanceof byte[] bytes) {
      return "c17 " + hex(bytes);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return "c18 " + hex(bytes);
    }
    if (value instanceof LocalDate date) {
      return "c19 i" + days(date);
    }
    if (value instanceof LocalTime time) {
      return "c20 " + clock(time, 0);
    }
    if (value instanceof OffsetTime time) {
      return "c21 " + clock(time, 0) + offset(time) + " s";
    }
    if (value instanceof LocalDateTime time) {
      return "c22 " + clock(time, 0);
    }
    if (value instanceof OffsetDateTime time) {
      return "c23 " + clock(time, 0) + offset(time) + " s";
    }
    if (value instanceof ZonedDateTime time) {
      // Plain arithmetic gives the first of two equal times.
      int fold = time.equals(time.withEarlierOffsetAtOverlap()) ? 0 : 1;
      byte[] key = time.getZone().getId().getBytes(StandardCharsets.UTF_8);
      return "c23 " + clock(time, fold) + offset(time) + " " + hex(key);
    }
    if (value instanceof Duration duration) {
      return "c24 i" + duration.toSeconds() + " i" + duration.toNanosPart();
    }
    if (value instanceof BigDecimal number) {
      byte[] bytes = bytes(number.unscaledValue());
      boolean large = bytes.length > 8;
      BigInteger exponent = BigInteger.valueOf(number.scale()).negate();
      BigInteger first =
          exponent.multiply(BigInteger.valueOf(4)).add(BigInteger.valueOf(large ? 1 : 0));
      return "c25 i"
          + first
          + " i"
          + (large ? 0 : number.unscaledValue())
          + " "
          + hex(large ? bytes : new byte[0]);
    }
    if (value instanceof UUID uuid) {
      String digits = uuid.toString().replace("-", "");
      long first = Long.parseUnsignedLong(digits.substring(0, 16), 16);
      return "c26 i" + first + " i" + Long.parseUnsignedLong(digits.substring(16), 16);
    }
    if (value instanceof Complex number) {
      long real = Double.doubleToRawLongBits(number.real());
      long imaginary = Double.doubleToRawLongBits(number.imaginary());
      return "c27 f" + HEX.toHexDigits(real) + " f" + HEX.toHexDigits(imaginary);
    }
    if (value instanceof NdArray array) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      long[] shape = array.shape();
      bytes.write(2 * shape.length + 1);
      for (long length : shape) {
        bytes.writeBytes(varint(length));
      }
      byte[] elements = new byte[array.elements().remaining()];
      array.elements().get(elements);
      bytes.writeBytes(elements);
      int code = array.elementType().ordinal() + (array.isBigEndian() ? 16 : 0);
      return "c41 i" + code + " " + hex(bytes.toByteArray());
    }
    return null;
  }

  private static byte[] varint(long number) {
    byte[] room = new byte[2 * Varint.MOST];
    return Arrays.copyOf(room, Varint.put(room, 0, number));
  }

  private static NdArray array(int code, byte[] bytes) {
    // The lengths of golden arrays take a byte each.
    long[] shape = new long[bytes[0] >> 1];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = (bytes[i + 1] & 0xff) >> 1;
    }
    int begin = shape.length + 1;
    ByteBuffer elements = ByteBuffer.wrap(bytes, begin, bytes.length - begin);
    NdArray.ElementType type = NdArray.ElementType.values()[code % 16];
    return NdArray.of(type, elements, shape).withBigEndian(code >= 16);
  }

  private static String hex(byte[] bytes) {
    return "s" + HEX.formatHex(bytes);
  }

  /** Two's complement, lowest byte first, with one bit for the sign. */
  private static byte[] bytes(BigInteger number) {
    byte[] bytes = new byte[number.bitLength() / 8 + 1];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = number.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }

  private static BigInteger days(Temporal date) {
    return BigInteger.valueOf(date.getLong(JulianFields.JULIAN_DAY) - EPOCH);
  }

  private static String clock(Temporal time, int fold) {
    BigInteger micros = BigInteger.valueOf(time.getLong(ChronoField.MICRO_OF_DAY));
    if (time.isSupported(ChronoUnit.DAYS)) {
      micros = micros.add(days(time).multiply(DAY));
    }
    int rest = 2 * (time.get(ChronoField.NANO_OF_SECOND) % 1000) + fold;
    BigInteger low = BigInteger.valueOf(micros.longValue());
    BigInteger high = micros.subtract(low).shiftRight(64 - 11);
    return "i" + low + " i" + high.add(BigInteger.valueOf(rest));
  }

  private static String offset(Temporal time) {
    return " i" + SECOND.multiply(BigInteger.valueOf(time.get(ChronoField.OFFSET_SECONDS)));
  }

  /**
   * The value of the type with this code and the components that follow.
   *
   * @throws NotInJava if Java can't represent it
   */
  static Object read(int code, Iterator<String> words) {
    try {
      return switch (code) {
        case 16 -> number(integer(words), words);
        case 17 -> bytes(words);
        case 18 -> ByteBuffer.wrap(bytes(words));
        case 19 -> LocalDate.EPOCH.plusDays(integer(words));
        case 20 -> time(integer(words), noFold(words) / 2);
        case 21 -> time(integer(words), noFold(words) / 2).atOffset(mereOffset(words));
        case 22 -> dateTime(integer(words), noFold(words));
        case 23 -> zoned(integer(words), integer(words), integer(words), bytes(words));
        case 24 -> Duration.ofSeconds(integer(words)).plusNanos(integer(words));
        case 25 -> decimal(integer(words), integer(words), words);
        case 26 -> {
          String digits = HEX.toHexDigits(integer(words)) + HEX.toHexDigits(integer(words));
          String groups = "(.{8})(.{4})(.{4})(.{4})(.{12})";
          yield UUID.fromString(digits.replaceFirst(groups, "$1-$2-$3-$4-$5"));
        }
        case 27 -> new Complex(real(words), real(words));
        case 41 -> array((int) integer(words), bytes(words));
        default -> throw new IllegalArgumentException("c" + code);
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw new NotInJava(e.getMessage());
    }
  }

  private static String part(Iterator<String> words, char kind) {
    String word = words.next();
    if (word.charAt(0) != kind) {
      throw new IllegalArgumentException(word);
    }
    return word.substring(1);
  }

  private static long integer(Iterator<String> words) {
    return Long.parseLong(part(words, 'i'));
  }

  private static double real(Iterator<String> words) {
    return Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(part(words, 'f')));
  }

  private static byte[] bytes(Iterator<String> words) {
    return HEX.parseHex(part(words, 's'));
  }

  private static BigInteger number(long small, Iterator<String> words) {
    byte[] bytes = bytes(words);
    if (bytes.length == 0) {
      return BigInteger.valueOf(small);
    }
    BigInteger number = BigInteger.ZERO;
    for (int i = bytes.length - 1; i >= 0; i--) {
      number = number.shiftLeft(8).add(BigInteger.valueOf(bytes[i] & 0xff));
    }
    boolean negative = bytes[bytes.length - 1] < 0;
    return negative ? number.subtract(BigInteger.ONE.shiftLeft(8 * bytes.length)) : number;
  }

  /** The rest of a time that is not the second of two equal times. */
  private static long noFold(Iterator<String> words) {
    long rest = integer(words);
    if ((rest & 1) == 1) {
      throw new NotInJava("fold");
    }
    return rest;
  }

  private static LocalTime time(long micros, long nanos) {
    return LocalTime.MIDNIGHT.plus(micros, ChronoUnit.MICROS).plusNanos(nanos);
  }

  private static LocalDateTime dateTime(long micros, long rest) {
    BigInteger all = BigInteger.valueOf(Math.floorDiv(rest, 2048)).shiftLeft(64);
    all = all.add(BigInteger.valueOf(micros));
    long ofSecond = all.mod(SECOND).longValue();
    long seconds = all.subtract(BigInteger.valueOf(ofSecond)).divide(SECOND).longValueExact();
    LocalDateTime begin = LocalDate.EPOCH.atStartOfDay().plusSeconds(seconds);
    return begin.plus(ofSecond, ChronoUnit.MICROS).plusNanos(Math.floorMod(rest, 2048) / 2);
  }

  private static ZoneOffset offset(long micros) {
    if (micros % 1_000_000 != 0) {
      throw new NotInJava("an offset of " + micros);
    }
    return ZoneOffset.ofTotalSeconds(Math.toIntExact(micros / 1_000_000));
  }

  private static ZoneOffset mereOffset(Iterator<String> words) {
    ZoneOffset offset = offset(integer(words));
    if (bytes(words).length > 0) {
      throw new NotInJava("a time in a region");
    }
    return offset;
  }

  private static Object zoned(long micros, long rest, long offsetMicros, byte[] zone) {
    LocalDateTime clock = dateTime(micros, rest);
    ZoneOffset offset = offset(offsetMicros);
    boolean second = (rest & 1) == 1;
    if (zone.length == 0 && !second) {
      return clock.atOffset(offset);
    }
    String key = new String(zone, StandardCharsets.UTF_8);
    if (!ZoneId.getAvailableZoneIds().contains(key) || !ZoneId.of(key).getId().equals(key)) {
      throw new NotInJava(key);
    }
    ZonedDateTime first = clock.atZone(ZoneId.of(key)).withEarlierOffsetAtOverlap();
    ZonedDateTime last = first.withLaterOffsetAtOverlap();
    ZonedDateTime time = second ? last : first;
    boolean skipped = !time.toLocalDateTime().equals(clock);
    if (skipped || !time.getOffset().equals(offset) || second && first.equals(last)) {
      throw new NotInJava(clock + "" + offset + key);
    }
    return time;
  }

  private static BigDecimal decimal(long first, long second, Iterator<String> words) {
    if ((first & 2) != 0) {
      throw new NotInJava("not finite, or a negative zero");
    }
    BigInteger coefficient = number(second, words);
    return new BigDecimal(coefficient, Math.toIntExact(-Math.floorDiv(first, 4)));
  }
}
