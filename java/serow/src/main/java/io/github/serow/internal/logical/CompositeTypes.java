package io.github.serow.internal.logical;

import io.github.serow.Complex;
import io.github.serow.NdArray;
import io.github.serow.internal.wire.IntSize;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;

/**
 * All composite types. Generated classes refer to these constants, so that the JIT compiler can
 * inline their methods.
 */
public final class CompositeTypes {
  public static final CompositeType INT = new IntType();
  public static final CompositeType BYTES = new BytesType();
  public static final CompositeType BYTEARRAY = new ByteArrayType();
  public static final CompositeType DATE = new DateType();
  public static final CompositeType TIME = new TimeType("TIME", Lacking.REFUSED);
  public static final CompositeType TIMETZ = new TimeTzType("TIMETZ", Lacking.REFUSED);
  public static final CompositeType TIMESTAMP = new TimestampType("TIMESTAMP", Lacking.REFUSED);
  public static final CompositeType TIMESTAMPTZ =
      new TimestampTzType("TIMESTAMPTZ", Lacking.REFUSED);
  public static final CompositeType DURATION = new DurationType("DURATION", Lacking.REFUSED);
  public static final CompositeType DECIMAL = new DecimalType();
  public static final CompositeType UUID = new UuidType();
  public static final CompositeType COMPLEX = new ComplexType();
  public static final CompositeType NDARRAY = new NdArrayType();
  public static final CompositeType F32 = new F32Type();
  public static final CompositeType I8 = new SizedIntType(43, IntSize.I8);
  public static final CompositeType I16 = new SizedIntType(44, IntSize.I16);
  public static final CompositeType I32 = new SizedIntType(45, IntSize.I32);
  public static final CompositeType U8 = new SizedIntType(46, IntSize.U8);
  public static final CompositeType U16 = new SizedIntType(47, IntSize.U16);
  public static final CompositeType U32 = new SizedIntType(48, IntSize.U32);
  public static final CompositeType U64 = new SizedIntType(49, IntSize.U64);

  // The types of times as classes that the caller has declared.
  public static final CompositeType LOCAL_TIME = new TimeType("LOCAL_TIME", Lacking.DROPPED);
  public static final CompositeType OFFSET_TIME = new TimeTzType("OFFSET_TIME", Lacking.DROPPED);
  public static final CompositeType LOCAL_DATE_TIME =
      new TimestampType("LOCAL_DATE_TIME", Lacking.DROPPED);
  public static final CompositeType OFFSET_DATE_TIME =
      new OffsetDateTimeType("OFFSET_DATE_TIME", Lacking.DROPPED);
  public static final CompositeType ZONED_DATE_TIME =
      new ZonedDateTimeType("ZONED_DATE_TIME", Lacking.DROPPED);
  public static final CompositeType INSTANT = new InstantType("INSTANT", Lacking.DROPPED);

  // Portable times: those of rows without a declared class, and those of declared classes.
  public static final CompositeType PORTABLE_TIME = new TimeType("PORTABLE_TIME", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_TIMETZ =
      new TimeTzType("PORTABLE_TIMETZ", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_TIMESTAMP =
      new TimestampType("PORTABLE_TIMESTAMP", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_TIMESTAMPTZ =
      new TimestampTzType("PORTABLE_TIMESTAMPTZ", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_DURATION =
      new DurationType("PORTABLE_DURATION", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_OFFSET_DATE_TIME =
      new OffsetDateTimeType("PORTABLE_OFFSET_DATE_TIME", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_ZONED_DATE_TIME =
      new ZonedDateTimeType("PORTABLE_ZONED_DATE_TIME", Lacking.PORTABLE);
  public static final CompositeType PORTABLE_INSTANT =
      new InstantType("PORTABLE_INSTANT", Lacking.PORTABLE);

  /** The {@code timestamptz} of rows without a declared class, among times that must differ. */
  public static final CompositeType DIFFERENT_TIMESTAMPTZ =
      new TimestampTzType("DIFFERENT_TIMESTAMPTZ", Lacking.DROPPED);

  /** Portable times that must differ, if they are others than the exact ones. */
  private static final Map<CompositeType, CompositeType> DIFFERENT =
      Map.of(
          TIME, LOCAL_TIME,
          TIMETZ, OFFSET_TIME,
          TIMESTAMP, LOCAL_DATE_TIME,
          TIMESTAMPTZ, DIFFERENT_TIMESTAMPTZ);

  private static final Map<CompositeType, CompositeType> PORTABLE =
      Map.ofEntries(
          Map.entry(TIME, PORTABLE_TIME),
          Map.entry(LOCAL_TIME, PORTABLE_TIME),
          Map.entry(TIMETZ, PORTABLE_TIMETZ),
          Map.entry(OFFSET_TIME, PORTABLE_TIMETZ),
          Map.entry(TIMESTAMP, PORTABLE_TIMESTAMP),
          Map.entry(LOCAL_DATE_TIME, PORTABLE_TIMESTAMP),
          Map.entry(TIMESTAMPTZ, PORTABLE_TIMESTAMPTZ),
          Map.entry(OFFSET_DATE_TIME, PORTABLE_OFFSET_DATE_TIME),
          Map.entry(ZONED_DATE_TIME, PORTABLE_ZONED_DATE_TIME),
          Map.entry(INSTANT, PORTABLE_INSTANT),
          Map.entry(DURATION, PORTABLE_DURATION));

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

  /**
   * How many of them have the codes from {@link #INT}'s on; the others have those from {@link
   * #NDARRAY}'s on.
   */
  private static final int FIRST = ALL.indexOf(NDARRAY);

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
          Map.entry(java.util.UUID.class, UUID),
          Map.entry(Complex.class, COMPLEX),
          Map.entry(NdArray.class, NDARRAY));

  private CompositeTypes() {}

  /**
   * The type whose times are portable; the same if it has no times. Times that must differ are not
   * rounded, because two might become equal.
   */
  public static CompositeType portable(CompositeType type, boolean differ) {
    return (differ ? DIFFERENT : PORTABLE).getOrDefault(type, type);
  }

  /** The type with this code in type lists, or null. */
  public static CompositeType ofCode(int code) {
    int at = code < NDARRAY.code() ? code - INT.code() : FIRST + code - NDARRAY.code();
    boolean isOne = code < NDARRAY.code() ? at >= 0 && at < FIRST : at < ALL.size();
    return isOne ? ALL.get(at) : null;
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
