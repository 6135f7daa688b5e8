package io.github.serow.internal.codec;

import io.github.serow.LimitException;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;

/**
 * Complete records, each with its length before it: the body of a frame of the row wire, or rows
 * for native code. A row that can't be written leaves nothing behind.
 */
public final class RecordBatch {
  /** The bytes that a value without bytes counts towards the size. */
  private static final int ZERO_SIZED_COST = 16;

  /** A batch is full when it has this many lists, tuples, dicts and records of fixed shape. */
  private static final int FULL_OF_CONTAINERS = 1 << 20;

  private final RecordOut out;

  /** A batch of this size is full. */
  private final int full;

  private int begin;
  private int end;
  private int rows;
  private long zeroSized;
  private long containers;
  private RuntimeException misfit;

  /**
   * Creates an empty batch.
   *
   * @param out where the records are written
   * @param full the size at which it is full; see {@link #size}
   */
  public RecordBatch(RecordOut out, int full) {
    this.out = out;
    this.full = full;
  }

  /** Removes all records. The next ones begin at this position. */
  public void clear(int at) {
    begin = at;
    end = at;
    rows = 0;
    zeroSized = 0;
    containers = 0;
  }

  /**
   * Appends rows from index {@code from} to {@code to}, until the batch is full. If a row does not
   * fit the schema, {@link #misfit} tells why, and the rows before it are there.
   *
   * @param before the number of rows before the one with index 0, which errors count too
   * @return the index of the first row that was not appended
   */
  public int append(Binding binding, Object[] all, int from, int to, long before) {
    misfit = null;
    RecordWriter writer = binding.recordWriter(to - from);
    int first = end;
    int row = from;
    try {
      while (row < to) {
        int value = end + RecordIn.LENGTH;
        int next = out.end(value, writer.write(all[row], out, value));
        out.putInt(end, next - value);
        out.checkLimit(next);
        end = next;
        zeroSized += out.zeroSized();
        containers += out.containers();
        row++;
        if (isFull()) {
          break;
        }
      }
    } catch (RuntimeException e) {
      RuntimeException cause = PlacedException.cause(e);
      if (cause instanceof LimitException && end > Integer.MAX_VALUE / 2) {
        throw new LimitException(
            "the message takes more than 2 GiB, more than an array can hold; encode fewer rows");
      }
      if (!(cause instanceof TypeMismatch)) {
        throw Widening.error(binding, before + row, e);
      }
      misfit = e;
    } finally {
      rows += row - from;
      binding.countWritten(end - first);
    }
    return row;
  }

  /** Why the last {@link #append} stopped at a row that does not fit; null if all rows fit. */
  public RuntimeException misfit() {
    return misfit;
  }

  /** The memory with the records. */
  public byte[] bytes() {
    return out.bytes;
  }

  /** The position after the last record. */
  public int end() {
    return end;
  }

  /** The number of records. */
  public int rows() {
    return rows;
  }

  /** The bytes of the records, with those that values without bytes count. */
  public long size() {
    return end - begin + zeroSized * ZERO_SIZED_COST;
  }

  /** Whether no row more should follow. */
  public boolean isFull() {
    return size() >= full || containers >= FULL_OF_CONTAINERS;
  }

  /** Frees the extra memory of an unusually large record. */
  void trim() {
    out.trim();
  }
}
