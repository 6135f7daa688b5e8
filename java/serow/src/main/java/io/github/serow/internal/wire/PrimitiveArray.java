package io.github.serow.internal.wire;

import java.lang.reflect.Array;
import java.util.Arrays;

/** Arrays of Java's primitive types as lists. */
public final class PrimitiveArray {
  /** The number of elements for which capacity is ensured. */
  private static final int AT_ONCE = 1 << 10;

  private PrimitiveArray() {}

  /** Whether a value is an array that is a list where nothing declares the class. */
  public static boolean isOne(Object value) {
    return value instanceof long[]
        || value instanceof int[]
        || value instanceof short[]
        || value instanceof double[]
        || value instanceof boolean[];
  }

  /** The elements as objects; null if this is no such array. */
  public static Object[] boxed(Object value) {
    if (!isOne(value)) {
      return null;
    }
    Object[] boxed = new Object[Array.getLength(value)];
    Arrays.setAll(boxed, i -> Array.get(value, i));
    return boxed;
  }

  /** Writes the number of elements and the elements. */
  public static int write(Object array, RecordOut out, int begin) {
    int length = Array.getLength(array);
    int at = out.count(length, begin);
    for (int from = 0; from < length; from += AT_ONCE) {
      int to = Math.min(length, from + AT_ONCE);
      out.room(at, to - from);
      at = write(array, from, to, out, at);
    }
    return at;
  }

  private static int write(Object array, int from, int to, RecordOut out, int begin) {
    int at = begin;
    if (array instanceof long[] numbers) {
      for (int i = from; i < to; i++) {
        at = out.i64(numbers[i], at);
      }
    } else if (array instanceof int[] numbers) {
      for (int i = from; i < to; i++) {
        at = out.i64(numbers[i], at);
      }
    } else if (array instanceof short[] numbers) {
      for (int i = from; i < to; i++) {
        at = out.i64(numbers[i], at);
      }
    } else if (array instanceof double[] numbers) {
      for (int i = from; i < to; i++) {
        at = out.f64(Double.doubleToRawLongBits(numbers[i]), at);
      }
    } else if (array instanceof float[] numbers) {
      for (int i = from; i < to; i++) {
        at = out.f64(Double.doubleToRawLongBits(numbers[i]), at);
      }
    } else {
      boolean[] bits = (boolean[]) array;
      for (int i = from; i < to; i++) {
        at = out.bit(bits[i] ? 1 : 0, at);
      }
    }
    return at;
  }

  /** Reads {@code length} elements, which are in {@code column}, as an array. */
  public static Object read(ValueSource in, int column, int length, Class<?> element) {
    if (element == long.class) {
      return in.longs(column, length);
    }
    Object array = Array.newInstance(element, length);
    if (array instanceof int[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toInt(in.i64(column, ValueSource.NEXT));
      }
    } else if (array instanceof short[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toShort(in.i64(column, ValueSource.NEXT));
      }
    } else if (array instanceof double[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = in.f64(column, ValueSource.NEXT);
      }
    } else if (array instanceof float[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toFloat(in.f64(column, ValueSource.NEXT));
      }
    } else {
      boolean[] bits = (boolean[]) array;
      for (int i = 0; i < length; i++) {
        bits[i] = in.bit(column, ValueSource.NEXT);
      }
    }
    return array;
  }
}
