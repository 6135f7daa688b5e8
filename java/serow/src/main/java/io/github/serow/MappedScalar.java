package io.github.serow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A class of single values: a number, a text, a date. */
class MappedScalar extends Mapped {
  /** By class, primitive ones too. */
  private static final Map<Class<?>, MappedScalar> ALL = new HashMap<>();

  static {
    add(new MappedScalar(TypeList.I64, Long.class), long.class);
    add(new SmallInteger(Integer.class), int.class);
    add(new SmallInteger(Short.class), short.class);
    add(new SmallInteger(Byte.class), byte.class);
    add(new MappedScalar(TypeList.F64, Double.class), double.class);
    add(new SmallFloat(), float.class);
    add(new MappedScalar(TypeList.BOOL, Boolean.class), boolean.class);
    add(new MappedScalar(TypeList.STR, String.class), String.class);
    logical(Logicals.INT, BigInteger.class);
    logical(Logicals.BYTES, byte[].class);
    logical(Logicals.BYTEARRAY, ByteBuffer.class);
    logical(Logicals.DATE, LocalDate.class);
    logical(Logicals.TIME, LocalTime.class);
    logical(Logicals.TIMETZ, OffsetTime.class);
    logical(Logicals.TIMESTAMP, LocalDateTime.class);
    logical(Logicals.DURATION, Duration.class);
    logical(Logicals.DECIMAL, BigDecimal.class);
    logical(Logicals.UUID, UUID.class);
    logical(Logicals.COMPLEX, Complex.class);
    add(new WithOffset(), OffsetDateTime.class);
    add(new WithZone(), ZonedDateTime.class);
    add(new InUtc(), Instant.class);
  }

  private final int code;
  private final Class<?> type;

  MappedScalar(int code, Class<?> type) {
    this.code = code;
    this.type = type;
  }

  private static void add(MappedScalar scalar, Class<?> type) {
    ALL.put(type, scalar);
    ALL.put(scalar.type, scalar);
  }

  private static void logical(Logical logical, Class<?> type) {
    add(new MappedScalar(logical.code(), type), type);
  }

  /** That of a class, or null if its values are none of these. */
  static MappedScalar of(Class<?> type) {
    return ALL.get(type);
  }

  @Override
  final void describe(TypeList list) {
    list.add(code);
  }

  /** What differs from the plain objects both ways. */
  private abstract static class Changed extends MappedScalar {
    Changed(int code, Class<?> type) {
      super(code, type);
    }

    @Override
    boolean unwraps() {
      return true;
    }

    @Override
    boolean wraps() {
      return true;
    }
  }

  /** Integers of fewer than 64 bits. */
  private static final class SmallInteger extends MappedScalar {
    private final Class<?> type;

    SmallInteger(Class<?> type) {
      super(TypeList.I64, type);
      this.type = type;
    }

    @Override
    boolean wraps() {
      return true;
    }

    @Override
    Object wrap(Object plain) {
      long number = (Long) plain;
      if (type == Integer.class) {
        return Narrow.toInt(number);
      }
      return type == Short.class ? (Object) Narrow.toShort(number) : (Object) Narrow.toByte(number);
    }
  }

  /** Floats of 32 bits. */
  private static final class SmallFloat extends Changed {
    SmallFloat() {
      super(TypeList.F64, Float.class);
    }

    @Override
    Object unwrap(Object value) {
      return value instanceof Float number ? (Object) (double) number : value;
    }

    @Override
    Object wrap(Object plain) {
      return Narrow.toFloat((Double) plain);
    }
  }

  /** What has an offset and no region. */
  private static final class WithOffset extends MappedScalar {
    WithOffset() {
      super(Logicals.TIMESTAMPTZ.code(), OffsetDateTime.class);
    }

    @Override
    boolean wraps() {
      return true;
    }

    @Override
    Object wrap(Object plain) {
      if (plain instanceof ZonedDateTime) {
        throw new DecodeException(
            "cannot decode " + plain + " as an OffsetDateTime, which has no region");
      }
      return plain;
    }
  }

  /** What has a region, or an offset in place of one. */
  private static final class WithZone extends Changed {
    WithZone() {
      super(Logicals.TIMESTAMPTZ.code(), ZonedDateTime.class);
    }

    @Override
    Object unwrap(Object value) {
      return value instanceof ZonedDateTime time && time.getZone() instanceof ZoneOffset
          ? time.toOffsetDateTime()
          : value;
    }

    @Override
    Object wrap(Object plain) {
      return plain instanceof OffsetDateTime time ? time.toZonedDateTime() : plain;
    }
  }

  /** What has no clock: it is sent with that of UTC. */
  private static final class InUtc extends Changed {
    InUtc() {
      super(Logicals.TIMESTAMPTZ.code(), Instant.class);
    }

    @Override
    Object unwrap(Object value) throws Misfit {
      try {
        return value instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : value;
      } catch (DateTimeException e) {
        throw Misfit.MISFIT;
      }
    }

    @Override
    Object wrap(Object plain) {
      if (plain instanceof OffsetDateTime time && time.getOffset().equals(ZoneOffset.UTC)) {
        return time.toInstant();
      }
      throw new DecodeException(
          "cannot decode " + plain + " as an Instant, which has no clock but that of UTC");
    }
  }
}
