package io.github.serow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;

/**
 * The columns of one frame, as native code has unpacked them: {@code docs/design.md} has their
 * layout. Generated classes call the methods here for each value.
 *
 * <p>A value is found by its row where every row has one; the {@code next} methods read columns in
 * which values are counted as they come. Native code has checked that there are as many as a reader
 * asks for; the buffer checks once more that no value is read outside it.
 */
final class Columns {
  /** In place of a row: the value that comes next. */
  static final int NEXT = -1;

  private static final int WORDS = 4;

  private final Type.Root root;
  private ByteBuffer block;

  // Where each column's values begin in the block, or where the next one is.
  private final int[] ints;
  private final int[] floats;
  private final int[] bits;
  private final StringColumn[] strs;

  /** In the places of those of {@link #strs} that hold bytes and no text. */
  private final BytesColumn[] bytes;

  Columns(Type.Root root) {
    this.root = root;
    ints = new int[root.ints()];
    floats = new int[root.floats()];
    bits = new int[root.bits()];
    strs = new StringColumn[root.strs()];
    bytes = new BytesColumn[strs.length];
    for (int i = 0; i < strs.length; i++) {
      if (root.bytes().get(i)) {
        bytes[i] = new BytesColumn();
      } else {
        strs[i] = new StringColumn();
      }
    }
  }

  /** Take the columns from a frame's block, which is used until the next frame. */
  void load(ByteBuffer newBlock) {
    block = newBlock.order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    for (int i = 0; i < ints.length; i++, at += 8 * WORDS) {
      ints[i] = offset(at + 8);
    }
    for (int i = 0; i < floats.length; i++, at += 8 * WORDS) {
      floats[i] = offset(at + 8);
    }
    for (int i = 0; i < strs.length; i++, at += 8 * WORDS) {
      int values = offset(at);
      int data = offset(at + 8);
      int entries = offset(at + 16);
      int flags = offset(at + 24);
      if (strs[i] != null) {
        strs[i].load(block, values, data, entries, (flags & 1) != 0, (flags & 2) != 0);
      } else {
        bytes[i].load(block, values, data, entries, (flags & 1) != 0);
      }
    }
    for (int i = 0; i < bits.length; i++, at += 8 * WORDS) {
      bits[i] = offset(at + 8);
    }
  }

  /** A word of the table. No frame has a block beyond 2 GiB. */
  private int offset(int at) {
    return Math.toIntExact(block.getLong(at));
  }

  Long i64(int column, int row) {
    return block.getLong(ints[column] + (row << 3));
  }

  Long nextI64(int column) {
    int at = ints[column];
    ints[column] = at + 8;
    return block.getLong(at);
  }

  Double f64(int column, int row) {
    return block.getDouble(floats[column] + (row << 3));
  }

  Double nextF64(int column) {
    int at = floats[column];
    floats[column] = at + 8;
    return block.getDouble(at);
  }

  String str(int column, int row) {
    return strs[column].get(row);
  }

  String nextStr(int column) {
    return strs[column].next();
  }

  /** An integer among the parts of a value: the one in row {@code row}, or the {@link #NEXT}. */
  long part(int column, int row) {
    int at = ints[column];
    if (row != NEXT) {
      return block.getLong(at + (row << 3));
    }
    ints[column] = at + 8;
    return block.getLong(at);
  }

  /** A float among the parts of a value. */
  double floatPart(int column, int row) {
    int at = floats[column];
    if (row != NEXT) {
      return block.getDouble(at + (row << 3));
    }
    floats[column] = at + 8;
    return block.getDouble(at);
  }

  /** The column that has the bytes among the parts of values. */
  BytesColumn bytes(int column) {
    return bytes[column];
  }

  boolean bit(int column, int row) {
    return block.get(bits[column] + row) != 0;
  }

  boolean nextBit(int column) {
    return block.get(bits[column]++) != 0;
  }

  Boolean bool(int column, int row) {
    return bit(column, row);
  }

  Boolean nextBool(int column) {
    return nextBit(column);
  }

  /** The length of a sequence, or the arm of a union. */
  int number(int column, int row) {
    return Math.toIntExact(block.getLong(ints[column] + (row << 3)));
  }

  int nextNumber(int column) {
    int at = ints[column];
    ints[column] = at + 8;
    return Math.toIntExact(block.getLong(at));
  }

  /** The list for a sequence, or a list of fixed shape. */
  static ArrayList<Object> newList(int size) {
    return new ArrayList<>(size);
  }

  /** Where a value of a type without values is asked for. */
  static Object never() {
    throw new DecodeException("a frame holds a value of type never");
  }

  @Override
  public String toString() {
    return "Columns of " + root.type();
  }
}
