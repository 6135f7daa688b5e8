package io.github.serow;

import java.util.Arrays;

/**
 * Arrays of numbers and of booleans, which are encoded as lists. {@code byte[]} is none of them, as
 * it is bytes; nor is {@code float[]} and {@code char[]}, as their elements alone have no type.
 */
final class PrimitiveArray {
  private PrimitiveArray() {}

  static boolean isOne(Object value) {
    return value instanceof long[]
        || value instanceof int[]
        || value instanceof short[]
        || value instanceof double[]
        || value instanceof boolean[];
  }

  /** The elements of an array as objects; null if {@code value} is no such array. */
  static Object[] boxed(Object value) {
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
}
