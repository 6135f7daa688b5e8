package io.github.serow.logical;

import io.github.serow.DecodeException;
import io.github.serow.jni.Native;
import io.github.serow.wire.BytesColumn;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;

/**
 * A type of values that are made of parts: how a Java object is taken apart, and how one is made of
 * parts. {@code docs/wire-format.md} says what the parts of each type mean.
 *
 * <p>Native code has checked that the parts make a valid value. The type checks here whether Java's
 * class can hold that value.
 */
public abstract class CompositeType {
  private static final int MAX_INTS = 3;

  private final int code;
  private final String name;
  private final int ints;
  private final int floats;
  private final boolean hasBytes;

  /**
   * A type.
   *
   * @param code its code in type lists
   * @param name its name in the text of schemas
   * @param ints how many integers it has among its parts
   * @param floats how many floats
   * @param hasBytes whether its last part is bytes
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

  /** The slots that a value takes in flat rows. */
  public final int slots() {
    return ints + floats + (hasBytes ? 1 : 0);
  }

  /** True if {@code value} is of a class of this type. */
  public abstract boolean takes(Object value);

  /** Why the parts can't hold {@code value}, which this type takes; null if they can. */
  public String refusal(Object value) {
    return null;
  }

  /**
   * Write the parts of a value to {@code flat.slots}, which have room for them, from {@code slot}
   * on. Returns the slot after them.
   *
   * @throws TypeMismatch if this type does not take the value, or refuses it
   */
  public abstract int write(Object value, FlatRows flat, int slot) throws TypeMismatch;

  /**
   * The value of parts.
   *
   * @param numbers the column of the first of them, which is an integer or a float; the others
   *     follow it
   * @param bytes the column of the bytes
   * @param row the row in which the value is, if each row has one; or else {@link Columns#NEXT}
   * @throws DecodeException if Java can't hold it; the message says why, and not where
   */
  public abstract Object read(Columns columns, int numbers, int bytes, int row);

  /**
   * Have native code look at parts, where it has found that some in their frame are wrong.
   *
   * @throws DecodeException if these are; the message says why, and not where
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

  /** The error for a value that Java's class can't hold. */
  public static DecodeException cannotHold(String value, String why) {
    return new DecodeException("cannot decode " + value + ": " + why + "; decode it in Rust");
  }

  @Override
  public String toString() {
    return name;
  }
}
