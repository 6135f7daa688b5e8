package io.github.serow.internal.message;

import io.github.serow.Threads;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DetachedFrame;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.codec.Widening;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.threads.InOrder;
import io.github.serow.internal.wire.Format;
import io.github.serow.internal.wire.Limits;
import java.util.function.Supplier;

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
    void take(DetachedFrame part, Binding schema) throws E;
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

  /** What the writer of the next row threw, if the row does not fit the schema. */
  private RuntimeException misfit;

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
      makeParts();
      if (misfit != null) {
        RuntimeException of = misfit;
        misfit = null;
        binding = Widening.fitting(binding, rows, at, before, widening, of);
      }
    }
  }

  /** Makes frames until one does not end where it was thought. */
  private void makeParts() throws E {
    Parts next = new Parts();
    try (InOrder<DetachedFrame, RuntimeException> parts =
        new InOrder<>(threads, next, DetachedFrame::close)) {
      for (DetachedFrame part; (part = parts.next()) != null && take(part); ) {
        // The target has it.
      }
    }
  }

  /** Takes the next part. Returns false if the parts after it are not where they were thought. */
  private boolean take(DetachedFrame part) throws E {
    boolean isNext = part.first() == at && part.mostRows() == mostRows;
    if (!isNext || part.isEmpty()) {
      part.close();
    } else {
      target.take(part, binding);
      at = part.end();
      mostRows = part.mostRowsAfter();
    }
    misfit = isNext ? part.misfit() : null;
    return isNext && misfit == null;
  }

  /** What makes the next frames, in any thread. */
  private final class Parts implements InOrder.Source<DetachedFrame, RuntimeException> {
    private final Binding schema = binding;
    private final int step = mostRows;
    private int next = at;
    private boolean isKnown = target.knows(schema);

    @Override
    public Supplier<DetachedFrame> next() {
      if (next >= rows.length) {
        return null;
      }
      int first = next;
      boolean wasKnown = isKnown;
      next = (int) Math.min(rows.length, (long) first + step);
      isKnown = true;
      return () -> EncodeContext.part(schema, format, wasKnown, rows, first, step, before);
    }
  }
}
