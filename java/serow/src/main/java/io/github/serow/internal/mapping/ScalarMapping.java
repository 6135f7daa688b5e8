package io.github.serow.internal.mapping;

import io.github.serow.Complex;
import io.github.serow.DecodeException;
import io.github.serow.NdArray;
import io.github.serow.SchemaException;
import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.LogicalNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.NumberNode;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
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
public final class ScalarMapping extends Mapping {
  /** Makes the node of a place. */
  private interface Maker {
    Node node(Place place);
  }

  /** By class, including primitive classes. */
  private static final Map<Class<?>, ScalarMapping> ALL = new HashMap<>();

  static {
    number(TypeCodes.I64, Long.class, long.class, Long::valueOf);
    number(TypeCodes.I64, Integer.class, int.class, Integer::valueOf);
    number(TypeCodes.I64, Short.class, short.class, Short::valueOf);
    number(TypeCodes.I64, Byte.class, byte.class, Byte::valueOf);
    number(TypeCodes.F64, Double.class, double.class, Double::valueOf);
    number(TypeCodes.F64, Float.class, float.class, Float::valueOf);
    number(TypeCodes.BOOL, Boolean.class, boolean.class, ScalarMapping::parseBoolean);
    text(String.class, Nodes::plain, text -> text);
    text(char[].class, ScalarMapping::chars, String::toCharArray);
    text(Character.class, ScalarMapping::oneChar, ScalarMapping::parseChar);
    ALL.put(char.class, ALL.get(Character.class));
    logical(CompositeTypes.INT, BigInteger.class, BigInteger::new);
    logical(CompositeTypes.BYTES, byte[].class, null);
    logical(CompositeTypes.BYTEARRAY, ByteBuffer.class, null);
    logical(CompositeTypes.DATE, LocalDate.class, LocalDate::parse);
    logical(CompositeTypes.LOCAL_TIME, LocalTime.class, LocalTime::parse);
    logical(CompositeTypes.OFFSET_TIME, OffsetTime.class, OffsetTime::parse);
    logical(CompositeTypes.LOCAL_DATE_TIME, LocalDateTime.class, LocalDateTime::parse);
    logical(CompositeTypes.DURATION, Duration.class, Duration::parse);
    logical(CompositeTypes.DECIMAL, BigDecimal.class, BigDecimal::new);
    logical(CompositeTypes.UUID, UUID.class, UUID::fromString);
    logical(CompositeTypes.COMPLEX, Complex.class, null);
    logical(CompositeTypes.NDARRAY, NdArray.class, null);
    logical(CompositeTypes.OFFSET_DATE_TIME, OffsetDateTime.class, OffsetDateTime::parse);
    logical(CompositeTypes.ZONED_DATE_TIME, ZonedDateTime.class, ZonedDateTime::parse);
    logical(CompositeTypes.INSTANT, Instant.class, Instant::parse);
  }

  private final Class<?> javaClass;
  private final Type type;
  private final Maker maker;

  /** Makes a value of a text; null if texts mean none. */
  private final Function<String, Object> parser;

  private ScalarMapping(
      Class<?> javaClass, int code, Maker maker, Function<String, Object> parser) {
    this.javaClass = javaClass;
    this.maker = maker;
    this.parser = parser;
    type = Type.plain(code);
    ALL.put(javaClass, this);
  }

  private static void number(
      int code, Class<?> type, Class<?> primitive, Function<String, Object> parser) {
    Maker maker = place -> new NumberNode(place, primitive);
    ALL.put(primitive, new ScalarMapping(type, code, maker, parser));
  }

  private static void text(Class<?> type, Maker maker, Function<String, Object> parser) {
    new ScalarMapping(type, TypeCodes.STR, maker, parser);
  }

  private static void logical(
      CompositeType logical, Class<?> type, Function<String, Object> parser) {
    new ScalarMapping(type, logical.code(), place -> new LogicalNode(place, logical), parser);
  }

  /** The mapping of a class; null if it is not one of these. */
  public static ScalarMapping of(Class<?> type) {
    return ALL.get(type);
  }

  @Override
  public Type type() {
    return type;
  }

  @Override
  public Node node(Place place) {
    return maker.node(place);
  }

  @Override
  public boolean isFixed() {
    return javaClass != char[].class;
  }

  @Override
  Object ofDefault(String text) {
    if (parser == null) {
      return super.ofDefault(text);
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new SchemaException("is no " + javaClass.getSimpleName());
    }
  }

  private static Object parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  private static Object parseChar(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException();
    }
    return text.charAt(0);
  }

  private static Node oneChar(Place place) {
    return new WrappedNode(
        place,
        Nodes.plain(place),
        Character.class::isInstance,
        value -> value instanceof Character ? value.toString() : value,
        text -> onlyChar((String) text));
  }

  private static Object onlyChar(String text) {
    if (text.length() != 1) {
      throw new DecodeException(
          "cannot decode a text of " + text.length() + " chars as a char; use String");
    }
    return text.charAt(0);
  }

  private static Node chars(Place place) {
    return new WrappedNode(
        place,
        Nodes.plain(place),
        char[].class::isInstance,
        value -> value instanceof char[] chars ? new String(chars) : value,
        text -> ((String) text).toCharArray());
  }
}
