package io.github.serow.internal.wire;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The numbers of columns of each kind in the frames of a schema, and which of them have exactly one
 * value per row. It refers to no class of the caller's, so memory kept for columns keeps no class
 * loader reachable.
 */
public final class ColumnLayout {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Consecutive layouts have consecutive numbers. */
  public final int number = COUNT.getAndIncrement();

  final int ints;
  final int floats;
  final int strs;
  final int bits;

  /** The string columns that hold bytes instead of text. */
  final BitSet bytes = new BitSet();

  // The columns with one value per row.
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

  /** The number of all columns. */
  public int columns() {
    return ints + floats + strs + bits;
  }

  /** Assigns columns in the order of a schema's types. */
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

    /** Adds a column of integers; {@code oneARow}: it has exactly one value per row. */
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

    /** Adds {@code count} columns of integer components. Returns the first. */
    public int addIntParts(int count, boolean oneARow) {
      rowInts.set(ints, ints + count, oneARow);
      ints += count;
      return ints - count;
    }

    /** Adds {@code count} columns of float components. Returns the first. */
    public int addFloatParts(int count, boolean oneARow) {
      rowFloats.set(floats, floats + count, oneARow);
      floats += count;
      return floats - count;
    }

    /** Adds a string column for byte components. */
    public int addBytes() {
      bytes.set(strs);
      return strs++;
    }

    public ColumnLayout build() {
      return new ColumnLayout(this);
    }
  }
}
