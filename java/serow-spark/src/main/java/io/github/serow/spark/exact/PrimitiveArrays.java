package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.WrappedNode.Step;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.StepMapping.Steps;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Arrays of primitive values, kept as the bytes of their elements: little-endian, at full width.
 */
final class PrimitiveArrays {
  /** Arrays of more bytes are no part of a row. */
  private static final int MOST_BYTES = 1 << 24;

  static final ExactClass BYTES = of(byte[].class, new Steps(array -> array, null));

  static final List<ExactClass> ALL =
      List.of(
          BYTES,
          of(
              int[].class,
              Integer.BYTES,
              (to, array) -> to.asIntBuffer().put((int[]) array),
              (from, array) -> from.asIntBuffer().get((int[]) array)),
          of(
              long[].class,
              Long.BYTES,
              (to, array) -> to.asLongBuffer().put((long[]) array),
              (from, array) -> from.asLongBuffer().get((long[]) array)),
          of(
              double[].class,
              Double.BYTES,
              (to, array) -> to.asDoubleBuffer().put((double[]) array),
              (from, array) -> from.asDoubleBuffer().get((double[]) array)),
          of(
              float[].class,
              Float.BYTES,
              (to, array) -> to.asFloatBuffer().put((float[]) array),
              (from, array) -> from.asFloatBuffer().get((float[]) array)),
          of(
              short[].class,
              Short.BYTES,
              (to, array) -> to.asShortBuffer().put((short[]) array),
              (from, array) -> from.asShortBuffer().get((short[]) array)),
          of(
              char[].class,
              Character.BYTES,
              (to, array) -> to.asCharBuffer().put((char[]) array),
              (from, array) -> from.asCharBuffer().get((char[]) array)),
          of(boolean[].class, 1, PrimitiveArrays::putBits, PrimitiveArrays::getBits));

  /** Copies the elements of an array to bytes or from bytes. */
  private interface Copy {
    void elements(ByteBuffer bytes, Object array);
  }

  private PrimitiveArrays() {}

  private static ExactClass of(Class<?> type, Steps steps) {
    return new ScalarClass(type, true, steps, CompositeTypes.BYTES.code());
  }

  /** {@code each}: the number of bytes of an element. */
  private static ExactClass of(Class<?> type, int each, Copy put, Copy get) {
    Step toBytes =
        array -> {
          int length = Array.getLength(array);
          if (length > MOST_BYTES / each) {
            throw new TypeMismatch(array);
          }
          byte[] bytes = new byte[each * length];
          put.elements(littleEndian(bytes), array);
          return bytes;
        };
    Step toArray =
        plain -> {
          byte[] bytes = (byte[]) plain;
          if (bytes.length % each != 0) {
            throw new DecodeException("an array has a part of an element");
          }
          Object array = Array.newInstance(type.getComponentType(), bytes.length / each);
          get.elements(littleEndian(bytes), array);
          return array;
        };
    return of(type, new Steps(toBytes, toArray));
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void putBits(ByteBuffer to, Object array) {
    for (boolean bit : (boolean[]) array) {
      to.put(bit ? (byte) 1 : 0);
    }
  }

  private static void getBits(ByteBuffer from, Object array) {
    boolean[] bits = (boolean[]) array;
    for (int i = 0; i < bits.length; i++) {
      byte bit = from.get();
      if ((bit & -2) != 0) {
        throw new DecodeException("an array has a boolean that is neither 0 nor 1");
      }
      bits[i] = bit != 0;
    }
  }
}
