package io.github.serow.logical;

import java.util.List;

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

  private CompositeTypes() {}

  /** The one of this code in a type list, or null. */
  public static CompositeType ofCode(int code) {
    int index = code - INT.code();
    return index >= 0 && index < ALL.size() ? ALL.get(index) : null;
  }

  /** The one that takes {@code value}, or null. */
  public static CompositeType of(Object value) {
    for (CompositeType type : ALL) {
      if (type.takes(value)) {
        return type;
      }
    }
    return null;
  }
}
