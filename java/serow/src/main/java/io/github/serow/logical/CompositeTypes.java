package io.github.serow.logical;

import io.github.serow.Complex;
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
 * The types of values that are made of parts. Generated classes name the constants here, which the
 * JIT compiler takes for what they are: a call of one of their methods becomes its code.
 */
public final class CompositeTypes {
  public static final CompositeType INT = new IntType();
  public static final CompositeType BYTES = new BytesType();
  public static final CompositeType BYTEARRAY = new ByteArrayType();
  public static final CompositeType DATE = new DateType();
  public static final CompositeType TIME = new TimeType();
  public static final CompositeType TIMETZ = new TimeTzType();
  public static final CompositeType TIMESTAMP = new TimestampType();
  public static final CompositeType TIMESTAMPTZ = new TimestampTzType();
  public static final CompositeType DURATION = new DurationType();
  public static final CompositeType DECIMAL = new DecimalType();
  public static final CompositeType UUID = new UuidType();
  public static final CompositeType COMPLEX = new ComplexType();

  /** All of them, in the order of their codes. */
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
          COMPLEX);

  /** The types of classes that have no subclasses, or whose subclasses are not taken. */
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
          Map.entry(Complex.class, COMPLEX));

  private CompositeTypes() {}

  /** The one of this code in a type list, or null. */
  public static CompositeType ofCode(int code) {
    int index = code - INT.code();
    return index >= 0 && index < ALL.size() ? ALL.get(index) : null;
  }

  /** The one that takes {@code value}, or null. */
  public static CompositeType of(Object value) {
    CompositeType type = BY_CLASS.get(value.getClass());
    if (type != null) {
      return type;
    }
    // The JDK's buffers are of classes that are not public.
    return BYTEARRAY.takes(value) ? BYTEARRAY : INT.takes(value) ? INT : null;
  }
}
