package io.github.serow.internal.codec;

import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import java.nio.ByteBuffer;

/**
 * A complete frame that is not in its message yet. One thread at a time may use it.
 *
 * @param frame the bytes, in native memory
 * @param first the index of the first row
 * @param end the index of the row after the last
 * @param length the number of bytes
 * @param mostRows the most rows that this frame could have
 * @param mostRowsAfter the most rows of the next frame
 * @param misfit what the writer threw, if the frame ends because the row after it does not fit its
 *     schema; otherwise null
 */
public record DetachedFrame(
    NativeHandle frame,
    int first,
    int end,
    long length,
    int mostRows,
    int mostRowsAfter,
    RuntimeException misfit)
    implements AutoCloseable {

  /** Whether it has no rows. */
  public boolean isEmpty() {
    return first == end;
  }

  /** Makes it the last frame of its message. */
  public void makeLast() {
    Native.frameMakeLast(frame.address());
  }

  /** Copies the bytes to a place in a buffer. Returns this frame. */
  public DetachedFrame copiedTo(ByteBuffer to, int at) {
    byte[] array = to.isDirect() ? null : to.array();
    int offset = to.isDirect() ? at : to.arrayOffset() + at;
    Native.frameCopy(frame.address(), array, to.isDirect() ? to : null, offset);
    return this;
  }

  @Override
  public void close() {
    frame.close();
  }
}
