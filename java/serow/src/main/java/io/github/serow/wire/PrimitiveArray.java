package io.github.serow.wire;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Arrays of numbers and booleans, which are encoded as lists. {@code byte[]} is not among them
 * because it is bytes; {@code float[]} and {@code char[]} are not, because their elements have no
 * type. But a property of a caller's class may be a {@code float[]}, like a {@code float}.
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

  /** The elements of an array as objects; null if {@code value} is not such an array. */
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
   * Writes an array's length and elements from {@code slot} on, and ensures capacity for {@code
   * rest} more slots. Returns the next slot.
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

  /** Reads the next {@code length} values of a column as such an array. */
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
