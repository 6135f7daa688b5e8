package io.github.serow.codec;

import io.github.serow.DecodeException;
import io.github.serow.wire.Block;
import io.github.serow.wire.Columns;
import io.github.serow.wire.RecentDates;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The rows of messages of one schema, one message after another. It makes rows window by window, so
 * it needs little more memory than the columns.
 *
 * <p>It has no native memory and no {@link DecodeContext} between two calls, only a copy of the
 * columns on the heap. So it need not be closed, and any number of them may be open. One thread at
 * a time may use it.
 */
public final class MessageRows {
  private final Binding binding;
  private final Columns columns;

  /** The frames after the current one. */
  private final Deque<FrameRows.Unpacked> frames = new ArrayDeque<>();

  /** The first frame of the last message, whose memory the next message uses again. */
  private FrameRows.Unpacked first;

  private FrameRows current;

  /** The rows that were made, without those that were given. */
  private Object[] window = {};

  /** The index of the next row in the window. */
  private int at;

  public MessageRows(Binding binding) {
    this.binding = binding;
    columns = new Columns(binding.root().columns(), new RecentDates());
  }

  /**
   * Begins with the message between two positions of {@code message}, which may change afterwards.
   * What is left of the message before is dropped.
   *
   * @param rows the number of its rows; another number is an error
   * @throws DecodeException if it is not a valid message
   */
  public void begin(byte[] message, int from, int to, int rows) {
    frames.clear();
    current = null;
    window = new Object[0];
    at = 0;
    Block reused = first == null ? null : first.block();
    first = null;
    int unpacked = DecodeContext.unpack(message, from, to, binding, rows, reused, frames);
    if (unpacked != rows) {
      throw new DecodeException("the message has " + unpacked + " rows instead of " + rows);
    }
    first = frames.peek();
    if (first != null) {
      nextFrame();
    }
  }

  /** Returns the next of the message's rows, and keeps no reference to it. */
  public Object next() {
    while (at == window.length) {
      Object[] made = current == null ? null : current.next();
      if (made == null) {
        nextFrame();
      } else {
        window = made;
        at = 0;
      }
    }
    Object row = window[at];
    window[at++] = null;
    return row;
  }

  /** Throws {@link java.util.NoSuchElementException} if there is none. */
  private void nextFrame() {
    current = new FrameRows(binding, columns, frames.remove());
  }
}
