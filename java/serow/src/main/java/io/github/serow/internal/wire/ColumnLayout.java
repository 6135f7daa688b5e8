package io.github.serow.internal.wire;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The numbers of columns of each kind in the frames of a schema, and which of them have exactly one
 * value per row. It refers to no class of the caller's, so memory kept for columns keeps no class
 * loader reachable.
 */
public final class ColumnLayout {
  /** The kinds of columns, in the order of a frame. */
  public enum Kind {
    INTS,
    FLOATS,
    STRS,
    BITS;

    private static final Kind[] ALL = values();
  }

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Consecutive layouts have consecutive numbers. */
  public final int number = COUNT.getAndIncrement();

  private final int[] counts;
  private final BitSet[] rowAligned;

  /** The string columns that hold bytes instead of text. */
  final BitSet bytes;

  private ColumnLayout(Builder of) {
    counts = of.counts.clone();
    rowAligned = Stream.of(of.rowAligned).map(BitSet::clone).toArray(BitSet[]::new);
    bytes = (BitSet) of.bytes.clone();
  }

  /** The number of all columns. */
  public int columns() {
    return IntStream.of(counts).sum();
  }

  int count(Kind kind) {
    return counts[kind.ordinal()];
  }

  /** The columns of a kind with one value per row. */
  IntStream rowAligned(Kind kind) {
    return rowAligned[kind.ordinal()].stream();
  }

  /** Assigns columns in the order of a schema's types. */
  public static final class Builder {
    private final int[] counts = new int[Kind.ALL.length];
    private final BitSet[] rowAligned =
        Stream.generate(BitSet::new).limit(Kind.ALL.length).toArray(BitSet[]::new);
    private final BitSet bytes = new BitSet();

    /** Adds a column; {@code oneARow}: it has exactly one value per row. */
    public int add(Kind kind, boolean oneARow) {
      return add(kind, 1, oneARow);
    }

    /** Adds columns for components. Returns the first. */
    public int add(Kind kind, int count, boolean oneARow) {
      int first = counts[kind.ordinal()];
      counts[kind.ordinal()] += count;
      rowAligned[kind.ordinal()].set(first, first + count, oneARow);
      return first;
    }

    /** Adds a string column for byte components. */
    public int addBytes() {
      bytes.set(counts[Kind.STRS.ordinal()]);
      return add(Kind.STRS, false);
    }

    public ColumnLayout build() {
      return new ColumnLayout(this);
    }
  }
}
