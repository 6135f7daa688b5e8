package io.github.serow.internal.logical;

import io.github.serow.Complex;
import io.github.serow.NdArray;
import io.github.serow.internal.wire.IntSize;
import io.github.serow.internal.wire.NdArrays;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All composite types. */
public final class CompositeTypes {
  public static final CompositeType INT = LargeNumbers.ofInt();

  /** {@code bytes}: a {@code byte[]}. Each decoded value is a new array. */
  public static final CompositeType BYTES =
      new CompositeType.Layout(17, "bytes", 0, 0, true, 24)
          .of(
              byte[].class,
              (value, out, at) -> out.bytes(value, at),
              (in, numbers, bytes, row) -> in.get(bytes, in.bytes(bytes, row)));

  /**
   * {@code bytearray}: any {@link ByteBuffer}, from its position to its limit, which do not move.
   * Each decoded value is a new heap buffer.
   */
  public static final CompositeType BYTEARRAY =
      new CompositeType.Layout(18, "bytearray", 0, 0, true, 88)
          .of(
              ByteBuffer.class,
              (value, out, at) -> out.bytes(value, at),
              (in, numbers, bytes, row) -> ByteBuffer.wrap(in.get(bytes, in.bytes(bytes, row))));

  /** {@code date}: a {@link LocalDate}. */
  public static final CompositeType DATE =
      new CompositeType.Layout(19, "date", 1, 0, false, 24)
          .of(
              LocalDate.class,
              (date, out, at) -> out.i64(date.toEpochDay(), at),
              (in, numbers, bytes, row) -> date(in, in.i64(numbers, row)));

  public static final CompositeType TIME = TimeTypes.time(Lacking.REFUSED);
  public static final CompositeType TIMETZ = TimeTypes.timeTz(Lacking.REFUSED);
  public static final CompositeType TIMESTAMP = TimeTypes.timestamp(Lacking.REFUSED);
  public static final CompositeType TIMESTAMPTZ = TimeTypes.timestampTz(Lacking.REFUSED);
  public static final CompositeType DURATION = TimeTypes.duration(Lacking.REFUSED);
  public static final CompositeType DECIMAL = LargeNumbers.ofDecimal();

  /** {@code uuid}: a {@link UUID}. */
  public static final CompositeType UUID =
      new CompositeType.Layout(26, "uuid", 2, 0, false, 32)
          .of(
              UUID.class,
              (uuid, out, at) -> {
                int next = out.i64(uuid.getMostSignificantBits(), at);
                return out.i64(uuid.getLeastSignificantBits(), next);
              },
              (in, numbers, bytes, row) -> {
                long first = in.i64(numbers, row);
                return new UUID(first, in.i64(numbers + 1, row));
              });

  /** {@code complex}: a {@link Complex}. */
  public static final CompositeType COMPLEX =
      new CompositeType.Layout(27, "complex", 0, 2, false, 32)
          .of(
              Complex.class,
              (number, out, at) -> {
                int next = out.f64(Double.doubleToRawLongBits(number.real()), at);
                return out.f64(Double.doubleToRawLongBits(number.imaginary()), next);
              },
              (in, numbers, bytes, row) -> {
                double real = in.f64(numbers, row);
                return new Complex(real, in.f64(numbers + 1, row));
              });

  /** {@code ndarray}: an {@link NdArray}, which has the same bytes. */
  public static final CompositeType NDARRAY =
      new CompositeType.Layout(41, "ndarray", 1, 0, true, 64)
          .of(
              NdArray.class,
              (array, out, at) ->
                  out.bytes(NdArrays.bytes(array), out.i64(NdArrays.code(array), at)),
              CompositeTypes::ndArray);

  /** {@code f32}: a {@link Double} that a {@code float} equals. A {@link Float} is accepted too. */
  public static final CompositeType F32 =
      new CompositeType.Layout(42, "f32", 0, 1, false, ObjectSizes.NUMBER)
          .of(
              Number.class,
              (number, out, at) -> out.f32(Double.doubleToRawLongBits(number.doubleValue()), at),
              (in, numbers, bytes, row) -> in.f32(numbers, row))
          .withTest(value -> value instanceof Double || value instanceof Float)
          .withRefusal(
              value ->
                  isFloat(value)
                      ? null
                      : value + ", which no float equals; round it by (float) first");

  public static final CompositeType I8 = LargeNumbers.ofSize(43, IntSize.I8);
  public static final CompositeType I16 = LargeNumbers.ofSize(44, IntSize.I16);
  public static final CompositeType I32 = LargeNumbers.ofSize(45, IntSize.I32);
  public static final CompositeType U8 = LargeNumbers.ofSize(46, IntSize.U8);
  public static final CompositeType U16 = LargeNumbers.ofSize(47, IntSize.U16);
  public static final CompositeType U32 = LargeNumbers.ofSize(48, IntSize.U32);
  public static final CompositeType U64 = LargeNumbers.ofSize(49, IntSize.U64);

  // The types of times as classes that the caller has declared.
  public static final CompositeType LOCAL_TIME = TimeTypes.time(Lacking.DROPPED);
  public static final CompositeType OFFSET_TIME = TimeTypes.timeTz(Lacking.DROPPED);
  public static final CompositeType LOCAL_DATE_TIME = TimeTypes.timestamp(Lacking.DROPPED);
  public static final CompositeType OFFSET_DATE_TIME = TimeTypes.offsetDateTime(Lacking.DROPPED);
  public static final CompositeType ZONED_DATE_TIME = TimeTypes.zonedDateTime(Lacking.DROPPED);
  public static final CompositeType INSTANT = TimeTypes.instant(Lacking.DROPPED);

  /** All types, in the order of their codes. */
  public static final List<CompositeType> ALL =
      List.of(
          INT,
          BYTES,
          BYTEARRAY,
          DATE,
          TIME,
          TIMETZ,
          TIMESTAMP,
          TIMESTAMPTZ,
          DURATION,
          DECIMAL,
          UUID,
          COMPLEX,
          NDARRAY,
          F32,
          I8,
          I16,
          I32,
          U8,
          U16,
          U32,
          U64);

  private static final Map<Integer, CompositeType> BY_CODE =
      ALL.stream().collect(Collectors.toMap(CompositeType::code, Function.identity()));

  /** Types by class, for classes that are final or whose subclasses are not accepted. */
  private static final Map<Class<?>, CompositeType> BY_CLASS =
      Map.ofEntries(
          Map.entry(BigInteger.class, INT),
          Map.entry(byte[].class, BYTES),
          Map.entry(LocalDate.class, DATE),
          Map.entry(LocalTime.class, TIME),
          Map.entry(OffsetTime.class, TIMETZ),
          Map.entry(LocalDateTime.class, TIMESTAMP),
          Map.entry(OffsetDateTime.class, TIMESTAMPTZ),
          Map.entry(ZonedDateTime.class, TIMESTAMPTZ),
          Map.entry(Duration.class, DURATION),
          Map.entry(BigDecimal.class, DECIMAL),
          Map.entry(UUID.class, UUID),
          Map.entry(Complex.class, COMPLEX),
          Map.entry(NdArray.class, NDARRAY));

  private CompositeTypes() {}

  private static LocalDate date(ValueSource in, long days) {
    try {
      return in.date(days);
    } catch (DateTimeException e) {
      throw CompositeType.cannotHold(
          "the date " + days + " days after 1970-01-01",
          "java.time.LocalDate has years up to 999,999,999");
    }
  }

  private static NdArray ndArray(ValueSource in, int numbers, int bytes, int row) {
    long code = in.i64(numbers, row);
    int length = in.bytes(bytes, row);
    in.take(ObjectSizes.ndArrayPadding(code, length));
    byte[] array = in.get(bytes, length);
    Components.checkNdArray(in, code, array);
    return NdArrays.ofComponents((int) code, array);
  }

  private static boolean isFloat(Object value) {
    double number = ((Number) value).doubleValue();
    return (float) number == number || Double.isNaN(number);
  }

  /**
   * The type whose times are portable; the same if it has no times. Times that must differ are not
   * rounded, because two might become equal.
   */
  public static CompositeType portable(CompositeType type, boolean differ) {
    return type.times() == null
        ? type
        : type.times().apply(differ ? Lacking.DROPPED : Lacking.PORTABLE);
  }

  /** The type with this code in type lists, or null. */
  public static CompositeType ofCode(int code) {
    return BY_CODE.get(code);
  }

  /** Whether values of the type with this code are bytes and nothing else. */
  public static boolean isBytes(int code) {
    return code == BYTES.code() || code == BYTEARRAY.code();
  }

  /** The type of {@code value}, or null. */
  public static CompositeType of(Object value) {
    CompositeType type = BY_CLASS.get(value.getClass());
    if (type != null) {
      return type;
    }
    // The classes of the JDK's buffers are not public.
    return BYTEARRAY.takes(value) ? BYTEARRAY : INT.takes(value) ? INT : null;
  }
}
