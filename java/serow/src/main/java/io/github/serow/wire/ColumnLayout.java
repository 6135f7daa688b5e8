package io.github.serow.wire;

import java.util.BitSet;

/**
 * How many columns of each kind the frames of a schema have, and which of them have exactly one
 * value for each row. It holds no class of the caller's, so that memory which is kept for columns
 * keeps no class loader reachable.
 */
public final class ColumnLayout {
  final int ints;
  final int floats;
  final int strs;
  final int bits;

  /** The string columns that hold bytes instead of text. */
  final BitSet bytes = new BitSet();

  // The columns with one value a row.
  final BitSet rowInts = new BitSet();
  final BitSet rowFloats = new BitSet();
  final BitSet rowStrs = new BitSet();
  final BitSet rowBits = new BitSet();

  private ColumnLayout(Builder counts) {
    ints = counts.ints;
    floats = counts.floats;
    strs = counts.strs;
    bits = counts.bits;
    bytes.or(counts.bytes);
    rowInts.or(counts.rowInts);
    rowFloats.or(counts.rowFloats);
    rowStrs.or(counts.rowStrs);
    rowBits.or(counts.rowBits);
  }

  /** All columns together. */
  public int columns() {
    return ints + floats + strs + bits;
  }

  /** Hands out columns in the order in which a schema's types need them. */
  public static final class Builder {
    private int ints;
    private int floats;
    private int strs;
    private int bits;
    private final BitSet bytes = new BitSet();
    private final BitSet rowInts = new BitSet();
    private final BitSet rowFloats = new BitSet();
    private final BitSet rowStrs = new BitSet();
    private final BitSet rowBits = new BitSet();

    /** The next column of integers; {@code oneARow}: each row has exactly one value in it. */
    public int addInt(boolean oneARow) {
      rowInts.set(ints, oneARow);
      return ints++;
    }

    public int addFloat(boolean oneARow) {
      rowFloats.set(floats, oneARow);
      return floats++;
    }

    public int addStr(boolean oneARow) {
      rowStrs.set(strs, oneARow);
      return strs++;
    }

    public int addBit(boolean oneARow) {
      rowBits.set(bits, oneARow);
      return bits++;
    }

    /** The first of {@code count} columns of integers that are parts of composite values. */
    public int addIntParts(int count) {
      ints += count;
      return ints - count;
    }

    /** The first of {@code count} columns of floats that are parts of composite values. */
    public int addFloatParts(int count) {
      floats += count;
      return floats - count;
    }

    /** The next string column, which holds the bytes of composite values. */
    public int addBytes() {
      bytes.set(strs);
      return strs++;
    }

    public ColumnLayout build() {
      return new ColumnLayout(this);
    }
  }
}
