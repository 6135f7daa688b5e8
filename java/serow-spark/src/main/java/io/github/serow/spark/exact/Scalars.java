package io.github.serow.spark.exact;

import static io.github.serow.internal.types.TypeCodes.BOOL;
import static io.github.serow.internal.types.TypeCodes.F64;
import static io.github.serow.internal.types.TypeCodes.I64;
import static io.github.serow.internal.types.TypeCodes.STR;

import io.github.serow.DecodeException;
import io.github.serow.NdArray;
import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.WrappedNode.Step;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.wire.Narrow;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.StepMapping.Steps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;

/** Classes of single values. */
final class Scalars {
  private static final Step SAME = value -> value;

  /**
   * A {@link ByteBuffer} with an array that belongs to it alone: the array, the position, the limit
   * and the order of bytes. A mark is lost.
   */
  static final ExactClass BUFFER =
      new ScalarClass(
          ByteBuffer.allocate(0).getClass(),
          true,
          new Steps(Scalars::ofBuffer, Scalars::buffer),
          I64,
          I64,
          BOOL,
          CompositeTypes.BYTES.code());

  /** The classes of the JDK and of serow, except arrays. */
  static final List<ExactClass> ALL =
      List.of(
          new ScalarClass(String.class, false, Steps.NONE, STR),
          integer(Integer.class, SAME, Narrow::toInt),
          new ScalarClass(Long.class, false, new Steps(SAME, null), I64),
          new ScalarClass(Double.class, false, Steps.NONE, F64),
          new ScalarClass(Boolean.class, false, Steps.NONE, BOOL),
          // The integer of its bits keeps each NaN, and takes fewer bytes.
          integer(
              Float.class,
              value -> (long) Float.floatToRawIntBits((Float) value),
              bits -> Float.intBitsToFloat(Narrow.toInt(bits))),
          integer(Short.class, SAME, Narrow::toShort),
          integer(Byte.class, SAME, Narrow::toByte),
          integer(Character.class, value -> (long) (Character) value, Narrow::toChar),
          same(BigInteger.class, CompositeTypes.INT),
          same(BigDecimal.class, CompositeTypes.DECIMAL),
          same(UUID.class, CompositeTypes.UUID),
          same(LocalDate.class, CompositeTypes.DATE),
          same(LocalTime.class, CompositeTypes.TIME),
          same(LocalDateTime.class, CompositeTypes.TIMESTAMP),
          same(Duration.class, CompositeTypes.DURATION),
          same(NdArray.class, CompositeTypes.NDARRAY),
          // Its range is larger than that of a timestamp of serow's.
          new ScalarClass(
              Instant.class, false, new Steps(Scalars::ofInstant, Scalars::instant), I64, I64),
          date(Date.class, Date::new),
          date(java.sql.Date.class, java.sql.Date::new),
          date(Time.class, Time::new),
          new ScalarClass(
              Timestamp.class, true, new Steps(Scalars::ofTimestamp, Scalars::timestamp), I64, I64),
          BUFFER);

  private Scalars() {}

  /** A class of serow's plain values, which may have subclasses. */
  private static ExactClass same(Class<?> type, CompositeType of) {
    return new ScalarClass(type, false, new Steps(SAME, null), of.code());
  }

  private static ExactClass integer(Class<?> type, Step plain, LongFunction<Object> make) {
    return new ScalarClass(type, false, new Steps(plain, it -> make.apply((Long) it)), I64);
  }

  /** The milliseconds since 1970. */
  private static ExactClass date(Class<?> type, LongFunction<Object> make) {
    Steps steps = new Steps(it -> ((Date) it).getTime(), it -> make.apply((Long) it));
    return new ScalarClass(type, true, steps, I64);
  }

  private static Object ofInstant(Object value) {
    Instant instant = (Instant) value;
    return new Object[] {instant.getEpochSecond(), (long) instant.getNano()};
  }

  private static Object instant(Object plain) {
    Object[] parts = (Object[]) plain;
    return Instant.ofEpochSecond((Long) parts[0], (Long) parts[1]);
  }

  private static Object ofTimestamp(Object value) {
    Timestamp timestamp = (Timestamp) value;
    return new Object[] {timestamp.getTime(), (long) timestamp.getNanos()};
  }

  private static Object timestamp(Object plain) {
    Object[] parts = (Object[]) plain;
    Timestamp timestamp = new Timestamp((Long) parts[0]);
    timestamp.setNanos(Narrow.toInt((Long) parts[1]));
    return timestamp;
  }

  private static Object ofBuffer(Object value) {
    ByteBuffer buffer = (ByteBuffer) value;
    if (buffer.isReadOnly()
        || buffer.arrayOffset() != 0
        || buffer.array().length != buffer.capacity()) {
      throw new TypeMismatch(value);
    }
    return new Object[] {
      (long) buffer.position(),
      (long) buffer.limit(),
      buffer.order() == ByteOrder.BIG_ENDIAN,
      buffer.array()
    };
  }

  private static Object buffer(Object plain) {
    Object[] fields = (Object[]) plain;
    long position = (Long) fields[0];
    long limit = (Long) fields[1];
    byte[] bytes = (byte[]) fields[3];
    if (position < 0 || position > limit || limit > bytes.length) {
      throw new DecodeException("a buffer ends before its position or after its array");
    }
    return ByteBuffer.wrap(bytes)
        .limit((int) limit)
        .position((int) position)
        .order((Boolean) fields[2] ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  /** A class whose objects are kept as texts. */
  static ExactClass text(Class<?> type, RowClasses.Texts texts) {
    Step unwrapping =
        value -> {
          String text = texts.text(value);
          if (text == null) {
            throw new TypeMismatch(value);
          }
          return text;
        };
    Step wrapping =
        plain -> {
          try {
            return texts.object((String) plain);
          } catch (IllegalArgumentException e) {
            throw new ConstructionException(e);
          }
        };
    return new ScalarClass(type, false, new Steps(unwrapping, wrapping), STR);
  }
}
