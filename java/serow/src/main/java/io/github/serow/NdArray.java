package io.github.serow;

import io.github.serow.internal.schema.ValueHash;
import io.github.serow.internal.wire.ArrayShape;
import io.github.serow.internal.wire.NdArrays;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * An array of any number of dimensions: {@code ndarray} in schemas, and NumPy's {@code ndarray} in
 * Python. It is immutable.
 *
 * <pre>{@code
 * NdArray array = NdArray.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
 * byte[] bytes = Serow.dumps(List.of(array));
 * NdArray back = (NdArray) Serow.loads(bytes).get(0);
 * back.shape(); // {2, 3}
 * back.toFloatArray(); // {1, 2, 3, 4, 5, 6}
 * }</pre>
 *
 * <p>The elements come in the order of the last dimension first: those of a matrix row by row. An
 * array without dimensions has one element. One with a length of 0 has none.
 */
@NullMarked
public final class NdArray {
  /** The type of an array's elements. The types are in the order of their codes in messages. */
  public enum ElementType {
    /** A boolean, which is a byte of 0 or 1. */
    BOOL("bool", 1, "toBooleanArray"),
    /** An integer of 8 bits. */
    INT8("int8", 1, "toByteArray"),
    /** An integer of 16 bits. */
    INT16("int16", 2, "toShortArray"),
    /** An integer of 32 bits. */
    INT32("int32", 4, "toIntArray"),
    /** An integer of 64 bits. */
    INT64("int64", 8, "toLongArray"),
    /** An integer of 8 bits without a sign. */
    UINT8("uint8", 1, "toShortArray"),
    /** An integer of 16 bits without a sign. */
    UINT16("uint16", 2, "toIntArray"),
    /** An integer of 32 bits without a sign. */
    UINT32("uint32", 4, "toLongArray"),
    /** An integer of 64 bits without a sign. */
    UINT64("uint64", 8, "elements"),
    /** A float of 16 bits. */
    FLOAT16("float16", 2, "toFloatArray"),
    /** A float of 32 bits. */
    FLOAT32("float32", 4, "toFloatArray"),
    /** A float of 64 bits. */
    FLOAT64("float64", 8, "toDoubleArray"),
    /** A complex number: the real part and the imaginary part, of 32 bits each. */
    COMPLEX64("complex64", 8, "elements"),
    /** A complex number: the real part and the imaginary part, of 64 bits each. */
    COMPLEX128("complex128", 16, "elements");

    private static final ElementType[] ALL = values();

    private final String numpyName;
    private final int size;

    /** The method of an array that gives such elements. */
    private final String method;

    ElementType(String numpyName, int size, String method) {
      this.numpyName = numpyName;
      this.size = size;
      this.method = method;
    }

    /**
     * The name of NumPy's type.
     *
     * @return for example {@code float32}
     */
    public String numpyName() {
      return numpyName;
    }

    /**
     * The number of bytes of an element.
     *
     * @return a number from 1 to 16
     */
    public int size() {
      return size;
    }
  }

  // The types whose elements are elements of Java's arrays of numbers.
  private static final Set<ElementType> SHORTS =
      EnumSet.of(ElementType.INT8, ElementType.INT16, ElementType.UINT8);
  private static final Set<ElementType> INTS = with(SHORTS, ElementType.UINT16, ElementType.INT32);
  private static final Set<ElementType> LONGS = with(INTS, ElementType.UINT32, ElementType.INT64);
  private static final Set<ElementType> FLOATS =
      with(SHORTS, ElementType.UINT16, ElementType.FLOAT16, ElementType.FLOAT32);
  private static final Set<ElementType> DOUBLES =
      with(FLOATS, ElementType.INT32, ElementType.UINT32, ElementType.FLOAT64);

  /** What the code of a type is more by if the bytes were in the other order at the source. */
  private static final int BIG_ENDIAN = 16;

  private final ElementType type;
  private final boolean isBigEndian;

  /** The shape, and from {@link #begin} on the elements, as in messages. */
  private final byte[] bytes;

  private final int begin;

  static {
    NdArrays.give(new ComponentAccess());
  }

  private NdArray(ElementType type, boolean isBigEndian, byte[] bytes, int begin) {
    this.type = type;
    this.isBigEndian = isBigEndian;
    this.bytes = bytes;
    this.begin = begin;
  }

  private int code() {
    return type.ordinal() + (isBigEndian ? BIG_ENDIAN : 0);
  }

  private static Set<ElementType> with(Set<ElementType> types, ElementType... more) {
    Set<ElementType> all = EnumSet.copyOf(types);
    all.addAll(Arrays.asList(more));
    return all;
  }

  /** Checks a shape, and makes place for the elements. */
  private static NdArray empty(ElementType type, long elements, long[] shape) {
    if (shape.length > ArrayShape.MAX_DIMENSIONS) {
      throw new IllegalArgumentException(
          "an array has at most 64 dimensions, and this one would have " + shape.length);
    }
    long[] lengths = shape.clone();
    long expected = ArrayShape.elements(lengths, type.size);
    if (expected < 0) {
      throw new IllegalArgumentException("no array has the shape " + Arrays.toString(lengths));
    }
    if (expected != elements) {
      throw new IllegalArgumentException(
          "an array of the shape "
              + Arrays.toString(lengths)
              + " has "
              + expected
              + (expected == 1 ? " element" : " elements")
              + ", and there are "
              + elements);
    }
    int begin = ArrayShape.size(lengths);
    long size = begin + elements * type.size;
    // Some JVMs have no longer arrays.
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("an array of Java has less than 2 GiB; split the array");
    }
    byte[] bytes = new byte[(int) size];
    ArrayShape.put(lengths, bytes);
    return new NdArray(type, false, bytes, begin);
  }

  private int byteCount() {
    return bytes.length - begin;
  }

  /** The elements, which may be written. */
  private ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes, begin, byteCount()).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Creates an array of {@code float32}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(float[] elements, long... shape) {
    NdArray array = empty(ElementType.FLOAT32, elements.length, shape);
    array.buffer().asFloatBuffer().put(elements);
    return array;
  }

  /**
   * Creates an array of {@code float64}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(double[] elements, long... shape) {
    NdArray array = empty(ElementType.FLOAT64, elements.length, shape);
    array.buffer().asDoubleBuffer().put(elements);
    return array;
  }

  /**
   * Creates an array of {@code int64}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(long[] elements, long... shape) {
    NdArray array = empty(ElementType.INT64, elements.length, shape);
    array.buffer().asLongBuffer().put(elements);
    return array;
  }

  /**
   * Creates an array of {@code int32}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(int[] elements, long... shape) {
    NdArray array = empty(ElementType.INT32, elements.length, shape);
    array.buffer().asIntBuffer().put(elements);
    return array;
  }

  /**
   * Creates an array of {@code int16}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(short[] elements, long... shape) {
    NdArray array = empty(ElementType.INT16, elements.length, shape);
    array.buffer().asShortBuffer().put(elements);
    return array;
  }

  /**
   * Creates an array of {@code int8}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(byte[] elements, long... shape) {
    NdArray array = empty(ElementType.INT8, elements.length, shape);
    array.buffer().put(elements);
    return array;
  }

  /**
   * Creates an array of {@code bool}.
   *
   * @param elements the elements, which are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this shape has another number of elements
   */
  public static NdArray of(boolean[] elements, long... shape) {
    NdArray array = empty(ElementType.BOOL, elements.length, shape);
    for (int i = 0; i < elements.length; i++) {
      array.bytes[array.begin + i] = (byte) (elements[i] ? 1 : 0);
    }
    return array;
  }

  /**
   * Creates an array of any type.
   *
   * @param type the type of the elements
   * @param elements the bytes of the elements from its position to its limit, which do not move;
   *     each element is little-endian, whatever the order of the buffer; they are copied
   * @param shape the lengths of the dimensions, outermost first
   * @return the array
   * @throws IllegalArgumentException if an array of this type and shape has another number of
   *     bytes, or one of booleans has another byte than 0 and 1
   */
  public static NdArray of(ElementType type, ByteBuffer elements, long... shape) {
    Objects.requireNonNull(type, "type");
    int size = elements.remaining();
    if (size % type.size != 0) {
      throw new IllegalArgumentException(
          size + " bytes are no elements of " + type.numpyName + ", which have " + type.size);
    }
    NdArray array = empty(type, size / type.size, shape);
    elements.get(elements.position(), array.bytes, array.begin, size);
    if (type == ElementType.BOOL && !areBooleans(array.bytes, array.begin)) {
      throw new IllegalArgumentException("an array of bool has other bytes than 0 and 1");
    }
    return array;
  }

  private static boolean areBooleans(byte[] bytes, int begin) {
    int all = 0;
    for (int i = begin; i < bytes.length; i++) {
      all |= bytes[i];
    }
    return (all & ~1) == 0;
  }

  /**
   * The type of its elements.
   *
   * @return the type
   */
  public ElementType elementType() {
    return type;
  }

  /**
   * The lengths of its dimensions, outermost first.
   *
   * @return a new copy; empty if the array has no dimensions, and so one element
   */
  public long[] shape() {
    return ArrayShape.read(bytes).lengths();
  }

  /**
   * The number of its elements.
   *
   * @return the product of the lengths of its dimensions
   */
  public int size() {
    return byteCount() / type.size;
  }

  /**
   * Whether the bytes of its elements were big-endian where it was encoded first. They are
   * little-endian here and in messages. In Python the array is big-endian again.
   *
   * @return false if the elements have one byte each
   */
  public boolean isBigEndian() {
    return isBigEndian;
  }

  /**
   * The same array with another order of bytes in Python. See {@link #isBigEndian}.
   *
   * @param isBigEndian whether they are big-endian there, if the elements have several bytes
   * @return the array, which shares its elements with this one
   */
  public NdArray withBigEndian(boolean isBigEndian) {
    boolean has = isBigEndian && type.size > 1;
    return has == this.isBigEndian ? this : new NdArray(type, has, bytes, begin);
  }

  /**
   * Its elements, each little-endian. This makes no copy.
   *
   * @return a new read-only buffer, whose order is little-endian
   */
  public ByteBuffer elements() {
    return buffer().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The length of an array of {@code java} with the elements.
   *
   * @param types the types whose elements it holds exactly
   * @throws UnsupportedOperationException if the elements are of another type
   */
  private int length(String java, Set<ElementType> types) {
    if (!types.contains(type)) {
      throw new UnsupportedOperationException(
          java
              + "[] can't hold all elements of type "
              + type.numpyName
              + "; call "
              + type.method
              + "()");
    }
    return size();
  }

  /**
   * The elements of an array of {@code bool}.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public boolean[] toBooleanArray() {
    boolean[] elements = new boolean[length("boolean", EnumSet.of(ElementType.BOOL))];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = bytes[begin + i] != 0;
    }
    return elements;
  }

  /**
   * The elements of an array of {@code int8}.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public byte[] toByteArray() {
    int length = length("byte", EnumSet.of(ElementType.INT8));
    return Arrays.copyOfRange(bytes, begin, begin + length);
  }

  /**
   * The elements of an array of {@code int16}, {@code int8} or {@code uint8}.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public short[] toShortArray() {
    short[] elements = new short[length("short", SHORTS)];
    ByteBuffer buffer = buffer();
    if (type == ElementType.INT16) {
      buffer.asShortBuffer().get(elements);
      return elements;
    }
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (short) small(buffer, i);
    }
    return elements;
  }

  /**
   * The elements of an array of integers of at most 32 bits, except {@code uint32}.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public int[] toIntArray() {
    int[] elements = new int[length("int", INTS)];
    ByteBuffer buffer = buffer();
    if (type == ElementType.INT32) {
      buffer.asIntBuffer().get(elements);
      return elements;
    }
    for (int i = 0; i < elements.length; i++) {
      elements[i] = small(buffer, i);
    }
    return elements;
  }

  /** An integer of at most 16 bits. */
  private int small(ByteBuffer buffer, int i) {
    return switch (type) {
      case INT8 -> buffer.get(i);
      case UINT8 -> buffer.get(i) & 0xff;
      case INT16 -> buffer.getShort(2 * i);
      default -> buffer.getShort(2 * i) & 0xffff;
    };
  }

  /**
   * The elements of an array of integers, except {@code uint64}.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public long[] toLongArray() {
    long[] elements = new long[length("long", LONGS)];
    ByteBuffer buffer = buffer();
    switch (type) {
      case INT64 -> buffer.asLongBuffer().get(elements);
      case INT32 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = buffer.getInt(4 * i);
        }
      }
      case UINT32 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = buffer.getInt(4 * i) & 0xffff_ffffL;
        }
      }
      default -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = small(buffer, i);
        }
      }
    }
    return elements;
  }

  /**
   * The elements of an array of {@code float32}, {@code float16} or integers of at most 16 bits.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public float[] toFloatArray() {
    float[] elements = new float[length("float", FLOATS)];
    ByteBuffer buffer = buffer();
    switch (type) {
      case FLOAT32 -> buffer.asFloatBuffer().get(elements);
      case FLOAT16 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = ofHalf(buffer.getShort(2 * i));
        }
      }
      default -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = small(buffer, i);
        }
      }
    }
    return elements;
  }

  /** The float that equals the one of 16 bits with these bits. */
  private static float ofHalf(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = half >> 10 & 0x1f;
    int fraction = half & 0x3ff;
    int bits =
        switch (exponent) {
          // A multiple of the smallest number.
          case 0 -> Float.floatToRawIntBits(fraction * 0x1p-24f);
          case 0x1f -> 0x7f80_0000 | fraction << 13;
          default -> exponent + (127 - 15) << 23 | fraction << 13;
        };
    return Float.intBitsToFloat(sign | bits);
  }

  /**
   * The elements of an array of floats, or of integers of at most 32 bits.
   *
   * @return a new array
   * @throws UnsupportedOperationException if it is one of another type
   */
  public double[] toDoubleArray() {
    double[] elements = new double[length("double", DOUBLES)];
    ByteBuffer buffer = buffer();
    switch (type) {
      case FLOAT64 -> buffer.asDoubleBuffer().get(elements);
      case FLOAT32 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = buffer.getFloat(4 * i);
        }
      }
      case FLOAT16 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = ofHalf(buffer.getShort(2 * i));
        }
      }
      case INT32 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = buffer.getInt(4 * i);
        }
      }
      case UINT32 -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = buffer.getInt(4 * i) & 0xffff_ffffL;
        }
      }
      default -> {
        for (int i = 0; i < elements.length; i++) {
          elements[i] = small(buffer, i);
        }
      }
    }
    return elements;
  }

  /**
   * Arrays are equal if they have the same shape, the same type and order of bytes, and elements of
   * the same bits.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NdArray array
        && type == array.type
        && isBigEndian == array.isBigEndian
        && Arrays.equals(bytes, array.bytes);
  }

  /** A hash that is random in every process, so that nobody can choose arrays that collide. */
  @Override
  public int hashCode() {
    return (int) ValueHash.mix(ValueHash.of(bytes), code());
  }

  /** The type and the shape, for example {@code NdArray(float32, [2, 3])}. */
  @Override
  public String toString() {
    String order = isBigEndian ? ", big-endian)" : ")";
    return "NdArray(" + type.numpyName + ", " + Arrays.toString(shape()) + order;
  }

  /** Gives the module's other packages access to components; see {@link NdArrays}. */
  private static final class ComponentAccess implements NdArrays.Access {
    @Override
    public boolean areComponents(long code, byte[] bytes) {
      long of = code & ~BIG_ENDIAN;
      if (of < 0 || of >= ElementType.ALL.length) {
        return false;
      }
      ElementType type = ElementType.ALL[(int) of];
      ArrayShape shape = ArrayShape.read(bytes);
      if (shape == null || code != of && type.size == 1) {
        return false;
      }
      long elements = ArrayShape.elements(shape.lengths(), type.size);
      return elements >= 0
          && elements * type.size == bytes.length - shape.end()
          && (type != ElementType.BOOL || areBooleans(bytes, shape.end()));
    }

    @Override
    public NdArray ofComponents(int code, byte[] bytes) {
      ElementType type = ElementType.ALL[code & ~BIG_ENDIAN];
      return new NdArray(type, (code & BIG_ENDIAN) != 0, bytes, ArrayShape.read(bytes).end());
    }

    @Override
    public int code(NdArray array) {
      return array.code();
    }

    @Override
    public byte[] bytes(NdArray array) {
      return array.bytes;
    }
  }
}
