package io.github.serow.mapping;

import io.github.serow.Complex;
import io.github.serow.DecodeException;
import io.github.serow.NdArray;
import io.github.serow.SchemaException;
import io.github.serow.logical.CompositeType;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.Narrow;
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
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** A class of single values, such as a number, a text or a date. */
public class ScalarMapping extends Mapping {
  /** By class, including primitive classes. */
  private static final Map<Class<?>, ScalarMapping> ALL = new HashMap<>();

  static {
    add(new ScalarMapping(TypeCodes.I64, Long.class), long.class);
    add(new SmallInteger(Integer.class), int.class);
    add(new SmallInteger(Short.class), short.class);
    add(new SmallInteger(Byte.class), byte.class);
    add(new ScalarMapping(TypeCodes.F64, Double.class), double.class);
    add(new SmallFloat(), float.class);
    add(new ScalarMapping(TypeCodes.BOOL, Boolean.class), boolean.class);
    add(new ScalarMapping(TypeCodes.STR, String.class), String.class);
    logical(CompositeTypes.INT, BigInteger.class);
    logical(CompositeTypes.BYTES, byte[].class);
    logical(CompositeTypes.BYTEARRAY, ByteBuffer.class);
    logical(CompositeTypes.DATE, LocalDate.class);
    logical(CompositeTypes.LOCAL_TIME, LocalTime.class);
    logical(CompositeTypes.OFFSET_TIME, OffsetTime.class);
    logical(CompositeTypes.LOCAL_DATE_TIME, LocalDateTime.class);
    logical(CompositeTypes.DURATION, Duration.class);
    logical(CompositeTypes.DECIMAL, BigDecimal.class);
    logical(CompositeTypes.UUID, UUID.class);
    logical(CompositeTypes.COMPLEX, Complex.class);
    logical(CompositeTypes.NDARRAY, NdArray.class);
    logical(CompositeTypes.OFFSET_DATE_TIME, OffsetDateTime.class);
    logical(CompositeTypes.ZONED_DATE_TIME, ZonedDateTime.class);
    logical(CompositeTypes.INSTANT, Instant.class);
    add(new OneChar(), char.class);
    add(new Chars(), char[].class);
  }

  /** They make the plain objects of texts. */
  private static final Map<Class<?>, Function<String, Object>> PARSERS =
      Map.ofEntries(
          Map.entry(Long.class, Long::valueOf),
          Map.entry(Integer.class, Long::valueOf),
          Map.entry(Short.class, Long::valueOf),
          Map.entry(Byte.class, Long::valueOf),
          Map.entry(Double.class, Double::valueOf),
          Map.entry(Float.class, text -> (double) Float.parseFloat(text)),
          Map.entry(Boolean.class, ScalarMapping::parseBoolean),
          Map.entry(String.class, text -> text),
          Map.entry(Character.class, text -> text),
          Map.entry(char[].class, text -> text),
          Map.entry(BigInteger.class, BigInteger::new),
          Map.entry(BigDecimal.class, BigDecimal::new),
          Map.entry(LocalDate.class, LocalDate::parse),
          Map.entry(LocalTime.class, LocalTime::parse),
          Map.entry(OffsetTime.class, OffsetTime::parse),
          Map.entry(LocalDateTime.class, LocalDateTime::parse),
          Map.entry(OffsetDateTime.class, OffsetDateTime::parse),
          Map.entry(ZonedDateTime.class, ZonedDateTime::parse),
          Map.entry(Instant.class, Instant::parse),
          Map.entry(Duration.class, Duration::parse),
          Map.entry(UUID.class, UUID::fromString));

  private final int code;
  private final Class<?> type;

  /** The type of several components whose objects are of this class, or null. */
  private final CompositeType logical;

  ScalarMapping(int code, Class<?> type) {
    this(code, type, null);
  }

  private ScalarMapping(int code, Class<?> type, CompositeType logical) {
    this.code = code;
    this.type = type;
    this.logical = logical;
  }

  private static void add(ScalarMapping scalar, Class<?> type) {
    ALL.put(type, scalar);
    ALL.put(scalar.type, scalar);
  }

  private static void logical(CompositeType logical, Class<?> type) {
    add(new ScalarMapping(logical.code(), type, logical), type);
  }

  /** The mapping of a class, or null if it is not a class of single values. */
  public static ScalarMapping of(Class<?> type) {
    return ALL.get(type);
  }

  @Override
  public final void describe(TypeList list) {
    list.add(code);
  }

  @Override
  public final void bind(Type bound) {
    super.bind(bound);
    if (logical != null) {
      bound.logical = logical;
    }
  }

  @Override
  protected Object parse(String text) {
    Function<String, Object> parser = PARSERS.get(type);
    if (parser == null) {
      return super.parse(text);
    }
    try {
      Object plain = parser.apply(text);
      // Checks whether the Java type can represent it.
      wrap(plain);
      return plain;
    } catch (IllegalArgumentException | DateTimeException | DecodeException e) {
      throw new SchemaException("is no " + type.getSimpleName());
    }
  }

  private static Object parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  /** A class whose values differ from plain objects in both directions. */
  private abstract static class Changed extends ScalarMapping {
    Changed(int code, Class<?> type) {
      super(code, type);
    }

    @Override
    public boolean unwraps() {
      return true;
    }

    @Override
    public boolean wraps() {
      return true;
    }
  }

  /** Integers of fewer than 64 bits. */
  private static final class SmallInteger extends ScalarMapping {
    private final Class<?> type;

    SmallInteger(Class<?> type) {
      super(TypeCodes.I64, type);
      this.type = type;
    }

    @Override
    public boolean wraps() {
      return true;
    }

    @Override
    public Object wrap(Object plain) {
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
      super(TypeCodes.F64, Float.class);
    }

    @Override
    public Object unwrap(Object value) {
      return value instanceof Float number ? (Object) (double) number : value;
    }

    @Override
    public Object wrap(Object plain) {
      return Narrow.toFloat((Double) plain);
    }
  }

  /** A char, which is encoded as a text of this char. */
  private static final class OneChar extends Changed {
    OneChar() {
      super(TypeCodes.STR, Character.class);
    }

    @Override
    public Object unwrap(Object value) {
      return value instanceof Character ? value.toString() : value;
    }

    @Override
    public Object wrap(Object plain) {
      String text = (String) plain;
      if (text.length() != 1) {
        throw new DecodeException(
            "cannot decode a text of " + text.length() + " chars as a char; use String");
      }
      return text.charAt(0);
    }
  }

  /** An array of chars, which is encoded as a text. */
  private static final class Chars extends Changed {
    Chars() {
      super(TypeCodes.STR, char[].class);
    }

    @Override
    public boolean isFixed() {
      return false;
    }

    @Override
    public Object unwrap(Object value) {
      return value instanceof char[] chars ? new String(chars) : value;
    }

    @Override
    public Object wrap(Object plain) {
      return ((String) plain).toCharArray();
    }
  }
}
