package io.github.serow;

import java.util.List;

/**
 * The types of values that are made of parts. Generated classes name the constants here, which the
 * JIT compiler takes for what they are: a call of one of their methods becomes its code.
 */
final class Logicals {
  static final Logical INT = new IntType();
  static final Logical BYTES = new BytesType();
  static final Logical BYTEARRAY = new ByteArrayType();
  static final Logical DATE = new DateType();
  static final Logical TIME = new TimeType();
  static final Logical TIMETZ = new TimeTzType();
  static final Logical TIMESTAMP = new TimestampType();
  static final Logical TIMESTAMPTZ = new TimestampTzType();
  static final Logical DURATION = new DurationType();
  static final Logical DECIMAL = new DecimalType();
  static final Logical UUID = new UuidType();
  static final Logical COMPLEX = new ComplexType();

  /** All of them, in the order of their codes. */
  static final List<Logical> ALL =
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

  private Logicals() {}

  /** The one of this code in a type list, or null. */
  static Logical ofCode(int code) {
    int index = code - INT.code();
    return index >= 0 && index < ALL.size() ? ALL.get(index) : null;
  }

  /** The one that takes {@code value}, or null. */
  static Logical of(Object value) {
    for (Logical type : ALL) {
      if (type.takes(value)) {
        return type;
      }
    }
    return null;
  }
}
