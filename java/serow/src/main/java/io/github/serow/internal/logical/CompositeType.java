package io.github.serow.internal.logical;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.util.Locale;

/**
 * A type of several components: converts Java objects to components and back. {@code
 * docs/wire-format.md} defines the components of each type.
 *
 * <p>The components are known to be a valid value, or {@link Components} checks them. This class
 * checks whether Java's class can represent the value.
 */
public abstract class CompositeType {
  private final String constant;
  private final int code;
  private final String name;
  private final int ints;
  private final int floats;
  private final boolean hasBytes;

  /**
   * Creates a type.
   *
   * @param code its code in type lists
   * @param name its name in the text of schemas
   * @param ints the number of integer components
   * @param floats the number of float components
   * @param hasBytes whether the last component is bytes
   */
  public CompositeType(int code, String name, int ints, int floats, boolean hasBytes) {
    this(name.toUpperCase(Locale.ROOT), code, name, ints, floats, hasBytes);
  }

  /** {@code constant} is the name of the constant in {@link CompositeTypes}. */
  CompositeType(String constant, int code, String name, int ints, int floats, boolean hasBytes) {
    this.constant = constant;
    this.code = code;
    this.name = name;
    this.ints = ints;
    this.floats = floats;
    this.hasBytes = hasBytes;
  }

  public final int code() {
    return code;
  }

  public final String name() {
    return name;
  }

  /** The name of the constant in {@link CompositeTypes}. */
  public final String constant() {
    return constant;
  }

  public final int ints() {
    return ints;
  }

  public final int floats() {
    return floats;
  }

  public final boolean hasBytes() {
    return hasBytes;
  }

  /** The number of slots of a value in flat rows. */
  public final int slots() {
    return ints + floats + (hasBytes ? 1 : 0);
  }

  /** The smallest number of bytes of a value on the row wire. */
  public int leastBytes() {
    return ints + floats * Double.BYTES + (hasBytes ? 1 : 0);
  }

  /** Whether {@code value} is an instance of a class of this type. */
  public abstract boolean takes(Object value);

  /**
   * Why the components can't represent {@code value}, an instance of this type; null if they can.
   */
  public String refusal(Object value) {
    return null;
  }

  /**
   * Checks that a value of this type is not too large to be written.
   *
   * @throws LimitException if it is; the message says why, but not where
   */
  public void checkSize(Object value) {}

  /** The exception for a value that has no components of this type. */
  final TypeMismatch mismatch(Object value) {
    String refusal = takes(value) ? refusal(value) : null;
    return refusal == null
        ? new TypeMismatch(value)
        : new TypeMismatch(value, value.getClass().getTypeName() + " " + refusal);
  }

  /**
   * Writes the components of a value at {@code at}, where integers and floats have the capacity.
   * Returns the position after them.
   *
   * @throws TypeMismatch if the value is not of this type, or its components can't represent it
   */
  public abstract int write(Object value, ValueSink out, int at);

  /**
   * Reads a value from its components.
   *
   * @param numbers the column of the first integer or float; the others follow it
   * @param bytes the column of the bytes
   * @param row the row of the value, if each row has one; otherwise {@link ValueSource#NEXT}
   * @throws DecodeException if Java can't represent it; the message says why, but not where
   */
  public abstract Object read(ValueSource in, int numbers, int bytes, int row);

  /** The error for a value that Java's class can't represent. */
  public static DecodeException cannotHold(String value, String why) {
    return new DecodeException("cannot decode " + value + ": " + why);
  }

  /** The error for a part of a time that Java's class lacks, and that can be dropped. */
  static DecodeException lacks(String value, String why) {
    return new DecodeException(
        "cannot decode "
            + value
            + ": "
            + why
            + "; declare the class of the rows, which drops it, or drop it by"
            + " withTimes(Times.PORTABLE), of a codec, a reader's options or Serow.options(), or where"
            + " it is encoded, in Python by"
            + " times='portable'");
  }

  @Override
  public String toString() {
    return name;
  }
}
