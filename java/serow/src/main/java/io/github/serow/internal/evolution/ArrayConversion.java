package io.github.serow.internal.evolution;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.NdArray;
import io.github.serow.NdArray.ElementType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** An {@code ndarray} that becomes lists of lists of numbers. */
final class ArrayConversion implements Conversion {
  /** Lists that an array may become in any case, and for each byte of its elements. */
  private static final int FREE_LISTS = 1024;

  private static final int LISTS_PER_BYTE = 4;

  private static final long MAX_DOUBLE_INTEGER = 1L << 53;

  private final Node array;

  /** Whether the lists of each level, and at last the elements, may be null. */
  private final List<Boolean> isOptional = new ArrayList<>();

  /** The type of the elements. */
  private final Type element;

  private ArrayConversion(Node array, Type list) {
    this.array = array;
    Type type = list;
    while (true) {
      isOptional.add(type.code() == TypeCodes.OPTIONAL);
      type = type.required();
      if (type.code() != TypeCodes.LIST) {
        break;
      }
      type = type.parts().get(0);
    }
    element = type;
  }

  /** The conversion to lists of this type; null if no array becomes such lists. */
  static Conversion of(Node array, Type list) {
    ArrayConversion made = new ArrayConversion(array, list);
    boolean isNumber =
        switch (made.element.code()) {
          case TypeCodes.I64, TypeCodes.F64, TypeCodes.BOOL -> true;
          default -> made.element.code() == CompositeTypes.INT.code();
        };
    return isNumber ? made : null;
  }

  private int dimensions() {
    return isOptional.size() - 1;
  }

  @Override
  public int convert(RecordIn in, RecordOut out, int at) {
    long memory = in.memoryLeft();
    NdArray read = (NdArray) array.read(in, ValueSource.NEXT);
    in.restoreMemory(memory);
    long[] shape = read.shape();
    if (shape.length != dimensions() || !isConvertible(read)) {
      throw new DecodeException(
          "the value is an array of "
              + read.elementType().numpyName()
              + " with "
              + shape.length
              + (shape.length == 1 ? " dimension" : " dimensions")
              + "; read it as ndarray");
    }
    checkLists(shape, read);
    return new Lists(read, shape, out).write(0, at);
  }

  private static void checkLists(long[] shape, NdArray array) {
    if (array.size() > Limits.MAX_ROW_ELEMENTS) {
      throw new LimitException(
          "an array has more than 268,435,456 elements, the most that a list may have; read it as"
              + " an array");
    }
    long most = FREE_LISTS + (long) LISTS_PER_BYTE * array.elements().remaining();
    long all = 0;
    long lists = 1;
    for (long length : shape) {
      if (lists > most - all) {
        throw new LimitException(
            "an array would become more lists than its bytes allow; read it as an array, not as"
                + " lists");
      }
      all += lists;
      lists = length > Long.MAX_VALUE / Math.max(lists, 1) ? Long.MAX_VALUE : lists * length;
    }
  }

  /** Whether the elements are numbers that the lists may have. */
  private boolean isConvertible(NdArray array) {
    boolean isInt =
        switch (array.elementType()) {
          case BOOL, FLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 -> false;
          case UINT64 -> element.code() == CompositeTypes.INT.code() || isSmall(array);
          default -> true;
        };
    return switch (element.code()) {
      case TypeCodes.BOOL -> array.elementType() == ElementType.BOOL;
      case TypeCodes.F64 ->
          isInt
              || switch (array.elementType()) {
                case FLOAT16, FLOAT32, FLOAT64 -> true;
                default -> false;
              };
      default -> isInt;
    };
  }

  /** Whether all unsigned integers are at most the largest {@code long}. */
  private static boolean isSmall(NdArray array) {
    ByteBuffer elements = array.elements();
    for (int i = 0; i < array.size(); i++) {
      if (elements.getLong(Long.BYTES * i) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes the elements of an array. */
  private final class Lists {
    private final long[] shape;
    private final RecordOut out;
    private final boolean[] bits;
    private final double[] floats;
    private final long[] integers;

    /** Whether the integers have no sign. */
    private final boolean isUnsigned;

    /** The index of the next element. */
    private int next;

    Lists(NdArray array, long[] shape, RecordOut out) {
      this.shape = shape;
      this.out = out;
      ElementType type = array.elementType();
      isUnsigned = type == ElementType.UINT64;
      bits = type == ElementType.BOOL ? array.toBooleanArray() : null;
      floats =
          switch (type) {
            case FLOAT16, FLOAT32, FLOAT64 -> array.toDoubleArray();
            default -> null;
          };
      integers = bits != null || floats != null ? null : integers(array);
    }

    private long[] integers(NdArray array) {
      if (!isUnsigned) {
        return array.toLongArray();
      }
      long[] integers = new long[array.size()];
      array.elements().asLongBuffer().get(integers);
      return integers;
    }

    int write(int level, int begin) {
      out.reserve(begin);
      int at = isOptional.get(level) ? out.bit(1, begin) : begin;
      if (level == shape.length) {
        return element(next++, at);
      }
      at = out.count((int) shape[level], at);
      for (long i = 0; i < shape[level]; i++) {
        at = write(level + 1, at);
      }
      return at;
    }

    private int element(int i, int at) {
      if (bits != null) {
        return out.bit(bits[i] ? 1 : 0, at);
      }
      return switch (element.code()) {
        case TypeCodes.F64 ->
            out.f64(Double.doubleToRawLongBits(floats != null ? floats[i] : exact(i)), at);
        case TypeCodes.I64 -> out.i64(integers[i], at);
        default -> CompositeTypes.INT.write(integer(i), out, at);
      };
    }

    private double exact(int i) {
      if (Math.abs(integers[i]) > MAX_DOUBLE_INTEGER) {
        throw new DecodeException(
            integers[i] + " can't be read as f64: beyond 2^53 not all integers are floats");
      }
      return integers[i];
    }

    private Object integer(int i) {
      return isUnsigned && integers[i] < 0
          ? new BigInteger(Long.toUnsignedString(integers[i]))
          : (Object) integers[i];
    }
  }
}
