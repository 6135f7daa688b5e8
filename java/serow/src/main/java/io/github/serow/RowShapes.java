package io.github.serow;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Describes rows to native code, which infers their types. Only the classes of values count for
 * that, so a description is a tag a value and, after that of a list or tuple, the number of its
 * elements (four bytes, little-endian) and their descriptions. The tag of a value that is made of
 * parts is the code of its type.
 */
final class RowShapes {
  private static final byte NULL = 0;
  private static final byte BOOL = 1;
  private static final byte I64 = 2;
  private static final byte F64 = 3;
  private static final byte STR = 4;
  private static final byte LIST = 5;
  private static final byte TUPLE = 6;

  static final int MAX_DEPTH = 64;

  /** Elements that a row may have, and what a list counts for itself, as in native code. */
  private static final int MAX_ELEMENTS = 1 << 28;

  private static final int CONTAINER_ELEMENTS = 16;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private byte[] bytes = new byte[256];
  private int length;
  private int row;
  private Type expected;

  /** The elements that the row may still have. */
  private int elements;

  /** The fields that lead to the value at hand. */
  private final int[] path = new int[MAX_DEPTH];

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /**
   * Append the description of {@code value}, which is row {@code row}. Nothing is appended on an
   * error.
   *
   * @param expected the type of the rows before it, for the error's message; may be null
   * @throws EncodeException if something in it is of no type that serow has
   * @throws LimitException if lists and tuples nest too deep
   */
  void add(int row, Object value, Type expected) {
    this.row = row;
    this.expected = expected;
    elements = MAX_ELEMENTS;
    int begin = length;
    try {
      add(value, 0);
    } catch (SerowException e) {
      length = begin;
      throw e;
    }
  }

  private void add(Object value, int depth) {
    if (value == null) {
      put(NULL);
    } else if (RowWriter.isI64(value)) {
      put(I64);
    } else if (value instanceof Double) {
      put(F64);
    } else if (value instanceof String) {
      put(STR);
    } else if (value instanceof Boolean) {
      put(BOOL);
    } else if (value instanceof List<?> list) {
      addAll(LIST, Arrays.asList(list.toArray()), depth);
    } else if (value instanceof Object[] tuple) {
      addAll(TUPLE, Arrays.asList(tuple), depth);
    } else {
      Logical type = Logicals.of(value);
      if (type == null || type.refusal(value) != null) {
        throw untyped(value, depth);
      }
      put((byte) type.code());
    }
  }

  private EncodeException untyped(Object value, int depth) {
    int[] place = Arrays.copyOf(path, depth);
    Type there = expected == null ? null : expected.at(place);
    // That nothing was seen at the place before says nothing to anybody.
    boolean known = there != null && there.kind != Type.Kind.NEVER;
    return Mismatch.at(row, place, known ? there : null, value);
  }

  private void addAll(byte tag, List<?> values, int depth) {
    if (depth == MAX_DEPTH) {
      throw new LimitException(
          "row "
              + row
              + ": lists and tuples nest more than "
              + MAX_DEPTH
              + " deep; does one hold itself?");
    }
    put(tag);
    int count = values.size();
    if (count > elements - CONTAINER_ELEMENTS) {
      throw new LimitException(
          "row "
              + row
              + ": the row has more than 268,435,456 elements, of which a list counts for 16 more; a"
              + " list that stands in it many times is written out each time");
    }
    elements -= count + CONTAINER_ELEMENTS;
    for (int shift = 0; shift < 32; shift += 8) {
      put((byte) (count >> shift));
    }
    Iterator<?> each = values.iterator();
    for (int i = 0; i < count; i++) {
      path[depth] = i;
      add(each.next(), depth + 1);
    }
  }

  private void put(byte b) {
    if (length == bytes.length) {
      if (length == MAX_BYTES) {
        throw new LimitException("row " + row + " is larger than a row can be; split it");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, 2L * length));
    }
    bytes[length++] = b;
  }
}
