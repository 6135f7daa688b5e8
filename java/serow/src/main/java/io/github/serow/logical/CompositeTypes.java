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
 * All composite types. Generated classes refer to these constants, so that the JIT compiler can
 * inline their methods.
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
          COMPLEX);

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
          Map.entry(Complex.class, COMPLEX));

  private CompositeTypes() {}

  /** The type with this code in type lists, or null. */
  public static CompositeType ofCode(int code) {
    int index = code - INT.code();
    return index >= 0 && index < ALL.size() ? ALL.get(index) : null;
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
