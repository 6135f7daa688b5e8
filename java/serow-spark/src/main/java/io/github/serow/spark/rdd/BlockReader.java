package io.github.serow.spark.rdd;

import io.github.serow.spark.Unchecked;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.serializer.DeserializationStream;
import scala.reflect.ClassTag;

/**
 * Reads the objects of blocks. The stream may end after each block. A stream that ends inside a
 * block raises an {@link IOException}, because an {@link EOFException} would be an end without an
 * error.
 */
final class BlockReader extends DeserializationStream {
  private final Kryos kryos;
  private final BlockSource source;
  private final BlockObjects objects;
  private boolean closed;

  BlockReader(Kryos kryos, InstanceRows rows, InputStream in) {
    this.kryos = kryos;
    this.source = new BlockSource(in);
    this.objects = new BlockObjects(kryos, rows, source);
    kryos.streamOpened();
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> T readObject(ClassTag<T> tag) {
    try {
      if (closed) {
        throw new IOException("Stream is closed");
      }
      if (!objects.hasNext()) {
        throw new EndOfStream();
      }
      return (T) objects.next();
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
    try {
      source.close();
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    } finally {
      kryos.streamClosed();
    }
  }

  /** Tells Spark's iterators that there are no more objects. A stack trace would cost more. */
  private static final class EndOfStream extends EOFException {
    private static final long serialVersionUID = 1;

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
