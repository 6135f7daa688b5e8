package io.github.serow.logical;

import io.github.serow.DecodeException;
import io.github.serow.jni.Native;
import io.github.serow.wire.BytesColumn;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;

/**
 * A type of several components: converts Java objects to components and back. {@code
 * docs/wire-format.md} defines the components of each type.
 *
 * <p>Native code has checked that components are a valid value. This class checks whether Java's
 * class can represent the value.
 */
public abstract class CompositeType {
  private static final int MAX_INTS = 3;

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

  /** Whether {@code value} is an instance of a class of this type. */
  public abstract boolean takes(Object value);

  /**
   * Why the components can't represent {@code value}, an instance of this type; null if they can.
   */
  public String refusal(Object value) {
    return null;
  }

  /**
   * Writes the components of a value to {@code flat.slots}, which have the capacity, from {@code
   * slot} on. Returns the next slot.
   *
   * @throws TypeMismatch if the value is not of this type, or its components can't represent it
   */
  public abstract int write(Object value, FlatRows flat, int slot) throws TypeMismatch;

  /**
   * Reads a value from its components.
   *
   * @param numbers the column of the first integer or float; the others follow it
   * @param bytes the column of the bytes
   * @param row the row of the value, if each row has one; otherwise {@link Columns#NEXT}
   * @throws DecodeException if Java can't represent it; the message says why, but not where
   */
  public abstract Object read(Columns columns, int numbers, int bytes, int row);

  /**
   * Lets native code check components, after it has found that some in their frame are invalid.
   *
   * @throws DecodeException if these are invalid; the message says why, but not where
   */
  public final void check(Columns columns, int numbers, int bytes, int row) {
    long[] parts = new long[MAX_INTS];
    for (int i = 0; i < ints; i++) {
      parts[i] = columns.part(numbers + i, row);
    }
    for (int i = 0; i < floats; i++) {
      columns.floatPart(numbers + i, row);
    }
    byte[] text = new byte[0];
    if (hasBytes) {
      BytesColumn column = columns.bytes(bytes);
      text = column.get(column.entry(row));
    }
    Native.checkParts(code, parts, text, text.length);
  }

  /** The error for a value that Java's class can't represent. */
  public static DecodeException cannotHold(String value, String why) {
    return new DecodeException("cannot decode " + value + ": " + why + "; decode it in Rust");
  }

  @Override
  public String toString() {
    return name;
  }
}
