package io.github.serow.internal.wire;

import io.github.serow.LimitException;

/** What the records of a frame may still have, so that few bytes can't ask for much memory. */
abstract class RecordBudget implements ValueSource {
  /** The number of elements that sequences may still have. Each takes at least one byte. */
  private long elements;

  /** The elements of the row so far, where each sequence counts as some more. */
  private long rowElements;

  /** The number of bytes that keys of maps may still have. */
  private long keys;

  /** The number of nulls, and of values without fields, that may still come. */
  private int zeroSized;

  /** The number of other lists, tuples, dicts and records that may still come. */
  private long containers;

  /** The bytes that objects may still take. */
  private long memory = Long.MAX_VALUE;

  /** Whether the memory of what is read counts. */
  boolean isLimited;

  /** Gives what follows the budget of a frame of this many bytes. */
  void allot(long bytes) {
    elements = bytes;
    keys = bytes;
    zeroSized = Limits.MAX_ZERO_SIZED;
    containers = 8L * bytes + Limits.FREE_VALUES;
    rowElements = 0;
  }

  void beginRow() {
    rowElements = 0;
  }

  /**
   * Limits what the records may claim by their number of bytes in the message, which is less than
   * here if they were compressed.
   */
  public void packedIn(int packed) {
    containers = Math.min(containers, Limits.mostValues(packed));
  }

  /** Limits the memory of what is read; the text and the bytes of values count by themselves. */
  public void limitMemory(long bytes) {
    memory = bytes;
    isLimited = true;
  }

  /** The bytes that objects may still take. */
  public long memoryLeft() {
    return memory;
  }

  /** Frees the memory of what was read since {@link #memoryLeft} returned {@code memory}. */
  public void restoreMemory(long memory) {
    this.memory = memory;
  }

  @Override
  public void take(long bytes) {
    memory -= bytes;
    if (memory < 0) {
      throw new LimitException(ObjectSizes.TOO_LARGE);
    }
  }

  /** Allows what this many more bytes of the frame would. */
  public void allow(int more) {
    elements += more;
    keys += more;
    containers += 8L * more;
  }

  /** Takes the elements of a sequence, each of which has at least {@code least} bytes. */
  void claim(long count, int least) {
    long budget = least == 0 ? zeroSized : elements;
    if (count < 0 || count > budget) {
      throw new DamagedRecordException("a sequence claims more elements than can be there");
    }
    rowElements += count + Limits.CONTAINER_ELEMENTS;
    if (rowElements > Limits.MAX_ROW_ELEMENTS) {
      throw new LimitException(Limits.TOO_MANY_ELEMENTS);
    }
    if (least != 0) {
      elements -= count;
    }
  }

  /** Takes the bytes of keys of a map. Returns whether there are so many. */
  boolean claimKeys(long bytes) {
    keys -= bytes;
    return keys >= 0;
  }

  @Override
  public void nothing() {
    if (--zeroSized < 0) {
      throw new DamagedRecordException("a frame has more nulls and empty tuples than it may");
    }
  }

  @Override
  public void enter(int fields) {
    if (fields == 0) {
      nothing();
    } else if (--containers < 0) {
      throw new DamagedRecordException("a frame has more lists and tuples than it may");
    }
  }
}
