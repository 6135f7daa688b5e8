package io.github.serow.message;

import io.github.serow.Threads;
import io.github.serow.codec.Binding;
import io.github.serow.codec.EncodeContext;
import io.github.serow.codec.FramePart;
import io.github.serow.codec.MisfitRows;
import io.github.serow.encode.Inference;
import io.github.serow.threads.InOrder;
import io.github.serow.threads.ThreadCount;
import io.github.serow.wire.Format;
import io.github.serow.wire.Limits;

/**
 * Makes the frames of some rows, on several threads.
 *
 * <p>A thread must know where its frame begins before the frames ahead are finished. Frames have as
 * many rows as the frame before them allows, so this is known as long as that number stays. If a
 * frame ends elsewhere, because of a long row or one that does not fit, the frames after it are
 * made again. {@code crates/core/src/encode/parts.rs} does the same, and the bytes are those of one
 * thread.
 *
 * @param <E> what the target throws
 */
public final class FrameMaker<E extends Exception> {
  /** Where frames go. */
  public interface Target<E extends Exception> {
    /** Whether the schema is in the message already. */
    boolean knows(Binding schema);

    /** Takes over the next frame, which has rows, and closes it some time. */
    void take(FramePart part, Binding schema) throws E;
  }

  private final Object[] rows;
  private final Format format;
  private final Threads threads;

  /** Widens the schema for a row that does not fit; null if such a row is an error. */
  private final Inference widening;

  /** The number of rows before those in {@link #rows}. */
  private final long before;

  private final Target<E> target;

  /** The schema of the next row. */
  private Binding binding;

  /** The first row that is not in the target. */
  private int at;

  private int mostRows = Limits.MAX_FRAME_ROWS;

  /** Whether the next row does not fit the schema. */
  private boolean isMisfit;

  /**
   * Begins with the first of {@code rows}.
   *
   * @param first the schema of the first row
   * @param rows the rows; rows that are not plain may be replaced
   * @param before the number of rows before those in {@code rows}, which errors count too
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   */
  public FrameMaker(
      Binding first,
      Object[] rows,
      long before,
      Format format,
      Threads threads,
      Inference widening,
      Target<E> target) {
    binding = first;
    this.rows = rows;
    this.before = before;
    this.format = format;
    this.threads = threads;
    this.widening = widening;
    this.target = target;
  }

  /** The schema of the next row. */
  public Binding binding() {
    return binding;
  }

  /** The index of the first row that the target has not taken. */
  public int at() {
    return at;
  }

  /**
   * Makes frames of all rows. After an error the target has some of the rows before the one that
   * caused it.
   */
  public void make() throws E {
    while (at < rows.length) {
      int count = count();
      if (count == 1) {
        take(part(at, target.knows(binding)));
      } else {
        InOrder.run(count, new Parts());
      }
      if (isMisfit) {
        isMisfit = false;
        binding = MisfitRows.fitting(binding, rows, at, before, widening);
      }
    }
  }

  /** The number of threads for the next frames. */
  private int count() {
    long jobs = (rows.length - at + mostRows - 1L) / mostRows;
    if (jobs <= 1 || threads.isAuto() && !binding.writingPace().isKnown()) {
      return 1;
    }
    return ThreadCount.choose(threads, jobs, binding.writingPace().nanos(mostRows));
  }

  private FramePart part(int first, boolean isKnown) {
    return EncodeContext.part(binding, format, isKnown, rows, first, mostRows, before);
  }

  /** Takes the next part. Returns false if the parts after it are not where they were thought. */
  private boolean take(FramePart part) throws E {
    boolean isNext = part.first() == at && part.mostRows() == mostRows;
    if (!isNext || part.isEmpty()) {
      part.close();
    } else {
      target.take(part, binding);
      at = part.end();
      mostRows = part.mostRowsAfter();
    }
    isMisfit = isNext && part.isMisfit();
    return isNext && !isMisfit;
  }

  /** A frame that any thread can make: its first row, and whether its schema is known. */
  private record Order(int first, boolean isKnown) {}

  private final class Parts implements InOrder.Jobs<Order, FramePart, E> {
    private final int step = mostRows;
    private int next = at;
    private boolean isKnown = target.knows(binding);

    @Override
    public Order next() {
      if (next >= rows.length) {
        return null;
      }
      Order order = new Order(next, isKnown);
      next = (int) Math.min(rows.length, (long) next + step);
      isKnown = true;
      return order;
    }

    @Override
    public FramePart work(Order order) {
      return EncodeContext.part(binding, format, order.isKnown, rows, order.first, step, before);
    }

    @Override
    public boolean take(FramePart part) throws E {
      return FrameMaker.this.take(part);
    }

    @Override
    public void drop(FramePart part) {
      part.close();
    }
  }
}
