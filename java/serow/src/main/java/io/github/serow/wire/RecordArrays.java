package io.github.serow.wire;

import java.lang.reflect.Array;

/** Primitive arrays in records; see {@link PrimitiveArray}. */
public final class RecordArrays {
  /** Arrays with more elements are made only after their bytes are known to be there. */
  private static final int MANY = 1 << 16;

  private RecordArrays() {}

  /**
   * Writes an array's length and elements at {@code at}, and ensures capacity for {@code rest} more
   * bytes. Returns the next position.
   */
  public static int write(Object value, RecordOut out, int at, int rest) throws TypeMismatch {
    if (value == null) {
      throw TypeMismatch.MISMATCH;
    }
    int length = Array.getLength(value);
    boolean isFloat = value instanceof double[] || value instanceof float[];
    int each = isFloat ? Double.BYTES : value instanceof boolean[] ? 1 : Varint.MOST;
    out.room(at, length, each, rest);
    byte[] to = out.bytes;
    int next = Varint.put(to, at, length);
    if (value instanceof double[] numbers) {
      for (int i = 0; i < length; i++) {
        Varint.LONG.set(to, next + 8 * i, Double.doubleToRawLongBits(numbers[i]));
      }
      return next + 8 * length;
    }
    if (value instanceof float[] numbers) {
      for (int i = 0; i < length; i++) {
        Varint.LONG.set(to, next + 8 * i, Double.doubleToRawLongBits(numbers[i]));
      }
      return next + 8 * length;
    }
    if (value instanceof boolean[] bits) {
      for (int i = 0; i < length; i++) {
        to[next + i] = bits[i] ? (byte) 1 : 0;
      }
      return next + length;
    }
    return writeIntegers(value, to, next);
  }

  private static int writeIntegers(Object value, byte[] to, int begin) {
    int next = begin;
    if (value instanceof long[] numbers) {
      for (long number : numbers) {
        next = Varint.put(to, next, Varint.zigzag(number));
      }
    } else if (value instanceof int[] numbers) {
      for (int number : numbers) {
        next = Varint.put(to, next, Varint.zigzag(number));
      }
    } else {
      for (short number : (short[]) value) {
        next = Varint.put(to, next, Varint.zigzag(number));
      }
    }
    return next;
  }

  /** Reads the next {@code length} values, whose least bytes are there, as such an array. */
  public static Object read(RecordIn in, int length, Class<?> element) {
    if (length > MANY && element == long.class) {
      in.checkVarints(length);
    }
    Object array = Array.newInstance(element, length);
    if (array instanceof long[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = in.i64();
      }
    } else if (array instanceof int[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toInt(in.i64());
      }
    } else if (array instanceof short[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toShort(in.i64());
      }
    } else if (array instanceof double[] numbers) {
      in.doubles(numbers);
    } else if (array instanceof float[] numbers) {
      for (int i = 0; i < length; i++) {
        numbers[i] = Narrow.toFloat(in.f64());
      }
    } else {
      boolean[] bits = (boolean[]) array;
      for (int i = 0; i < length; i++) {
        bits[i] = in.bit();
      }
    }
    return array;
  }
}
