package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Mapping.Step;
import io.github.serow.wire.TypeMismatch;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Arrays of primitive values, kept as the bytes of their elements: little-endian, at full width.
 */
final class PrimitiveArrays {
  /** Arrays of more bytes are no part of a row. */
  private static final int MOST_BYTES = 1 << 24;

  static final Class<?>[] CLASSES = {
    byte[].class,
    int[].class,
    long[].class,
    double[].class,
    float[].class,
    short[].class,
    char[].class,
    boolean[].class
  };

  /** Copies the elements of an array to bytes or from bytes. */
  private interface Copy {
    void elements(ByteBuffer bytes, Object array);
  }

  private PrimitiveArrays() {}

  static ExactClass of(Class<?> type) {
    return new Scalars.Scalar(type, CompositeTypes.BYTES.code(), steps(type));
  }

  private static Form.Steps steps(Class<?> type) {
    if (type == byte[].class) {
      return new Form.Steps(Scalars.of(type, array -> array), null);
    }
    if (type == boolean[].class) {
      return new Form.Steps(Scalars.of(type, PrimitiveArrays::ofBits), PrimitiveArrays::bits);
    }
    if (type == int[].class) {
      return steps(
          type,
          Integer.BYTES,
          (to, array) -> to.asIntBuffer().put((int[]) array),
          (from, array) -> from.asIntBuffer().get((int[]) array));
    }
    if (type == long[].class) {
      return steps(
          type,
          Long.BYTES,
          (to, array) -> to.asLongBuffer().put((long[]) array),
          (from, array) -> from.asLongBuffer().get((long[]) array));
    }
    if (type == double[].class) {
      return steps(
          type,
          Double.BYTES,
          (to, array) -> to.asDoubleBuffer().put((double[]) array),
          (from, array) -> from.asDoubleBuffer().get((double[]) array));
    }
    if (type == float[].class) {
      return steps(
          type,
          Float.BYTES,
          (to, array) -> to.asFloatBuffer().put((float[]) array),
          (from, array) -> from.asFloatBuffer().get((float[]) array));
    }
    if (type == short[].class) {
      return steps(
          type,
          Short.BYTES,
          (to, array) -> to.asShortBuffer().put((short[]) array),
          (from, array) -> from.asShortBuffer().get((short[]) array));
    }
    return steps(
        type,
        Character.BYTES,
        (to, array) -> to.asCharBuffer().put((char[]) array),
        (from, array) -> from.asCharBuffer().get((char[]) array));
  }

  /** {@code each}: the number of bytes of an element. */
  private static Form.Steps steps(Class<?> type, int each, Copy put, Copy get) {
    Step toBytes =
        array -> {
          int length = Array.getLength(array);
          if (length > MOST_BYTES / each) {
            throw TypeMismatch.MISMATCH;
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
    return new Form.Steps(Scalars.of(type, toBytes), toArray);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Object ofBits(Object array) {
    boolean[] bits = (boolean[]) array;
    byte[] bytes = new byte[bits.length];
    for (int i = 0; i < bits.length; i++) {
      bytes[i] = bits[i] ? (byte) 1 : 0;
    }
    return bytes;
  }

  private static Object bits(Object plain) {
    byte[] bytes = (byte[]) plain;
    boolean[] bits = new boolean[bytes.length];
    for (int i = 0; i < bits.length; i++) {
      if ((bytes[i] & -2) != 0) {
        throw new DecodeException("an array has a boolean that is neither 0 nor 1");
      }
      bits[i] = bytes[i] != 0;
    }
    return bits;
  }
}
