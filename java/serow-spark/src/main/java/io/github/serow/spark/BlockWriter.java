package io.github.serow.spark;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;

/**
 * Writes objects as blocks. A block ends when the stream is flushed or closed, or when it is large.
 * Between these calls the target gets nothing, also when the stream is opened: Spark may discard
 * what was written before its first object, and it moves the bytes between two flushes.
 */
final class BlockWriter extends SerializationStream {
  private final Kryos kryos;
  private final OutputStream target;
  private final KryoBlock block;
  private boolean closed;

  BlockWriter(Kryos kryos, OutputStream target) {
    this.kryos = kryos;
    this.target = target;
    this.block = new KryoBlock(kryos, target);
    kryos.streamOpened();
  }

  /** Makes bytes of the object before it returns, because Spark and its users reuse objects. */
  @Override
  public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
    checkOpen();
    try {
      block.append(object);
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
    return this;
  }

  @Override
  public void flush() {
    checkOpen();
    try {
      block.end();
      target.flush();
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    kryos.streamClosed();
    try {
      try {
        block.end();
      } finally {
        target.close();
      }
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw Unchecked.unchanged(new IOException("Stream is closed"));
    }
  }
}
