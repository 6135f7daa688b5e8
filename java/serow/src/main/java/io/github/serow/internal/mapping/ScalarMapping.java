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

/** A class of single values, such as a number, a text or a date. */
public final class ScalarMapping extends Mapping {
  /** Makes the node of a place. */
  private interface Maker {
    Node node(Place place);
  }

  /** By class, including primitive classes. */
  private static final Map<Class<?>, ScalarMapping> ALL = new HashMap<>();

  static {
    number(TypeCodes.I64, Long.class, long.class);
    number(TypeCodes.I64, Integer.class, int.class);
    number(TypeCodes.I64, Short.class, short.class);
    number(TypeCodes.I64, Byte.class, byte.class);
    number(TypeCodes.F64, Double.class, double.class);
    number(TypeCodes.F64, Float.class, float.class);
    number(TypeCodes.BOOL, Boolean.class, boolean.class);
    text(String.class, Nodes::plain);
    text(char[].class, ScalarMapping::chars);
    text(Character.class, ScalarMapping::oneChar);
    ALL.put(char.class, ALL.get(Character.class));
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
  }

  private final Class<?> javaClass;
  private final Type type;
  private final Maker maker;

  private ScalarMapping(Class<?> javaClass, int code, Maker maker) {
    this.javaClass = javaClass;
    this.maker = maker;
    type = Type.plain(code);
    ALL.put(javaClass, this);
  }

  private static void number(int code, Class<?> type, Class<?> primitive) {
    Maker maker = place -> new NumberNode(place, primitive);
    ALL.put(primitive, new ScalarMapping(type, code, maker));
  }

  private static void text(Class<?> type, Maker maker) {
    new ScalarMapping(type, TypeCodes.STR, maker);
  }

  private static void logical(CompositeType logical, Class<?> type) {
    new ScalarMapping(type, logical.code(), place -> new LogicalNode(place, logical));
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
    try {
      Object value = parse(text);
      return value == null ? super.ofDefault(text) : value;
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new SchemaException("is no " + javaClass.getSimpleName());
    }
  }

  /** Makes a value of a text; null if texts mean none. */
  private Object parse(String text) {
    return switch (javaClass.getSimpleName()) {
      case "Long" -> Long.valueOf(text);
      case "Integer" -> Integer.valueOf(text);
      case "Short" -> Short.valueOf(text);
      case "Byte" -> Byte.valueOf(text);
      case "Double" -> Double.valueOf(text);
      case "Float" -> Float.valueOf(text);
      case "Boolean" -> parseBoolean(text);
      case "String" -> text;
      case "char[]" -> text.toCharArray();
      case "Character" -> parseChar(text);
      case "BigInteger" -> new BigInteger(text);
      case "LocalDate" -> LocalDate.parse(text);
      case "LocalTime" -> LocalTime.parse(text);
      case "OffsetTime" -> OffsetTime.parse(text);
      case "LocalDateTime" -> LocalDateTime.parse(text);
      case "Duration" -> Duration.parse(text);
      case "BigDecimal" -> new BigDecimal(text);
      case "UUID" -> UUID.fromString(text);
      case "OffsetDateTime" -> OffsetDateTime.parse(text);
      case "ZonedDateTime" -> ZonedDateTime.parse(text);
      case "Instant" -> Instant.parse(text);
      default -> null;
    };
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
