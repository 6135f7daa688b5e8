package io.github.serow.wire;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Arrays of numbers and of booleans, which are encoded as lists. {@code byte[]} is none of them, as
 * it is bytes; nor is {@code float[]} and {@code char[]}, as their elements alone have no type. A
 * property of the caller's may be a {@code float[]} as it may be a {@code float}.
 */
public final class PrimitiveArray {
  private PrimitiveArray() {}

  public static boolean isOne(Object value) {
    return value instanceof long[]
        || value instanceof int[]
        || value instanceof short[]
        || value instanceof double[]
        || value instanceof boolean[];
  }

  /** The elements of an array as objects; null if {@code value} is no such array. */
  public static Object[] boxed(Object value) {
    if (value instanceof long[] numbers) {
      return Arrays.stream(numbers).boxed().toArray();
    }
    if (value instanceof int[] numbers) {
      return Arrays.stream(numbers).boxed().toArray();
    }
    if (value instanceof double[] numbers) {
      return Arrays.stream(numbers).boxed().toArray();
    }
    if (value instanceof short[] numbers) {
      Object[] boxed = new Object[numbers.length];
      Arrays.setAll(boxed, i -> numbers[i]);
      return boxed;
    }
    if (value instanceof boolean[] bits) {
      Object[] boxed = new Object[bits.length];
      Arrays.setAll(boxed, i -> bits[i]);
      return boxed;
    }
    return null;
  }

  /**
   * Write an array's length and elements from {@code slot} on, and see to it that there is room for
   * {@code rest} more slots. Returns the slot after them.
   */
  public static int write(Object value, FlatRows flat, int slot, int rest) throws TypeMismatch {
    if (value == null) {
      throw TypeMismatch.MISMATCH;
    }
    int length = Array.getLength(value);
    long[] slots = flat.room(slot, length, 1, 1 + rest);
    slots[slot] = length;
    int at = slot + 1;
    if (value instanceof long[] numbers) {
      System.arraycopy(numbers, 0, slots, at, length);
    } else if (value instanceof int[] numbers) {
      for (int i = 0; i < length; i++) {
        slots[at + i] = numbers[i];
      }
    } else if (value instanceof short[] numbers) {
      for (int i = 0; i < length; i++) {
        slots[at + i] = numbers[i];
      }
    } else if (value instanceof double[] numbers) {
      for (int i = 0; i < length; i++) {
        slots[at + i] = Double.doubleToRawLongBits(numbers[i]);
      }
    } else if (value instanceof float[] numbers) {
      for (int i = 0; i < length; i++) {
        slots[at + i] = Double.doubleToRawLongBits(numbers[i]);
      }
    } else {
      boolean[] bits = (boolean[]) value;
      for (int i = 0; i < length; i++) {
        slots[at + i] = bits[i] ? 1 : 0;
      }
    }
    return at + length;
  }

  /** The next {@code length} values of a column of {@code columns}, as such an array. */
  public static Object read(Columns columns, int column, int length, Class<?> element) {
    if (element == long.class) {
      return columns.nextLongs(column, length);
    }
    Object array = Array.newInstance(element, length);
    if (array instanceof int[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toInt(columns.nextI64(column));
      }
    } else if (array instanceof short[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toShort(columns.nextI64(column));
      }
    } else if (array instanceof double[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = columns.nextF64(column);
      }
    } else if (array instanceof float[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toFloat(columns.nextF64(column));
      }
    } else {
      boolean[] bits = (boolean[]) array;
      for (int i = 0; i < length; i++) {
        bits[i] = columns.nextBit(column);
      }
    }
    return array;
  }
}
