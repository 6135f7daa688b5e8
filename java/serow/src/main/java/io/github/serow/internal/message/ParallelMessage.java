package io.github.serow.internal.message;

import io.github.serow.Schema;
import io.github.serow.Threads;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DetachedFrame;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.threads.InOrder;
import io.github.serow.internal.wire.BufferSpace;
import io.github.serow.internal.wire.Format;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A message whose frames several threads make, and copy to their places. */
final class ParallelMessage implements FrameMaker.Target<RuntimeException>, AutoCloseable {
  /** So few rows seldom have several frames, and copying the frame would cost more. */
  private static final int FEW_ROWS = 16;

  private final Threads threads;
  private final List<DetachedFrame> parts = new ArrayList<>();
  private final Set<Schema> schemas = new HashSet<>();
  private long length = FrameHeader.MESSAGE_LENGTH;

  private ParallelMessage(Threads threads) {
    this.threads = threads;
  }

  /** Whether several threads should make a message of these rows. */
  static boolean suit(Object[] rows, Threads threads) {
    return threads.most() > 1 && rows.length > FEW_ROWS;
  }

  /**
   * Encodes rows to an array.
   *
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   */
  static byte[] toBytes(
      Binding binding, Object[] rows, Format format, Threads threads, Inference widening) {
    try (ParallelMessage message = new ParallelMessage(threads)) {
      message.make(binding, rows, format, widening);
      byte[] bytes = EncodeContext.array(message.length);
      message.copy(ByteBuffer.wrap(bytes));
      return bytes;
    }
  }

  /**
   * Encodes rows to a whole buffer, from its begin. Returns the length of the message in bytes.
   *
   * @param buffer nobody else has this object, whose memory may be freed by a getter of the rows
   */
  static int toBuffer(
      Binding binding, Object[] rows, Format format, Threads threads, ByteBuffer buffer) {
    try (ParallelMessage message = new ParallelMessage(threads)) {
      message.make(binding, rows, format, null);
      BufferSpace.check("message", message.length, buffer.capacity());
      message.copy(buffer);
      return (int) message.length;
    }
  }

  private void make(Binding binding, Object[] rows, Format format, Inference widening) {
    new FrameMaker<>(binding, rows, 0, format, threads, widening, this).make();
    parts.get(parts.size() - 1).makeLast();
  }

  @Override
  public boolean knows(Binding schema) {
    return schemas.contains(schema.schema());
  }

  @Override
  public void take(DetachedFrame part, Binding schema) {
    parts.add(part);
    schemas.add(schema.schema());
    length += part.length();
  }

  /** Copies the message to the begin of a buffer. */
  private void copy(ByteBuffer to) {
    to.duplicate().order(ByteOrder.LITTLE_ENDIAN).putLong(0, FrameHeader.MESSAGE);
    Iterator<DetachedFrame> left = parts.iterator();
    int[] offset = {FrameHeader.MESSAGE_LENGTH};
    InOrder.Source<DetachedFrame, RuntimeException> copies =
        () -> {
          if (!left.hasNext()) {
            return null;
          }
          DetachedFrame part = left.next();
          int at = offset[0];
          offset[0] += (int) part.length();
          return () -> part.copiedTo(to, at);
        };
    try (InOrder<DetachedFrame, RuntimeException> copied =
        new InOrder<>(threads, copies, part -> {})) {
      while (copied.next() != null) {
        // Another frame is at its place.
      }
    }
  }

  @Override
  public void close() {
    parts.forEach(DetachedFrame::close);
  }
}
