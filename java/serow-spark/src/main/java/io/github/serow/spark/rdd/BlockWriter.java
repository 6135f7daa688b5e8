package io.github.serow.spark.rdd;

import io.github.serow.spark.Unchecked;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;

/**
 * Writes objects as blocks: of rows, or of objects that Kryo writes. A block ends when the stream
 * is flushed or closed, when it is large, or when the next object needs another one. Between these
 * calls the target gets nothing, also when the stream is opened: Spark may discard what was written
 * before its first object, and it moves the bytes between two flushes.
 */
final class BlockWriter extends SerializationStream {
  /** After so many times as many bytes, the repetition in an array is checked again. */
  private static final int CHECKS = 4;

  private final Kryos kryos;
  private final InstanceRows rows;
  private final OutputStream target;
  private final RowBlock rowBlock;

  /** {@code null} until Kryo has to write an object. */
  private KryoBlock kryoBlock;

  /** The key whose value comes next. */
  private Object key;

  private boolean hasKey;
  private boolean closed;

  /** Why the stream ends in the middle of an array. */
  private Throwable broken;

  BlockWriter(Kryos kryos, InstanceRows rows, OutputStream target) {
    this.kryos = kryos;
    this.rows = rows;
    this.target = target;
    this.rowBlock = new RowBlock(rows, target);
    kryos.streamOpened();
    rows.streamOpened();
  }

  /** Makes bytes of the object before it returns, because Spark and its users reuse objects. */
  @Override
  public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
    checkOpen();
    try {
      writeKeyAlone();
      write(object);
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
    return this;
  }

  /** Keeps the key until the value comes, which Spark writes next. */
  @Override
  public <T> SerializationStream writeKey(T object, ClassTag<T> tag) {
    checkOpen();
    try {
      writeKeyAlone();
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
    key = object;
    hasKey = true;
    return this;
  }

  @Override
  public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
    if (!hasKey) {
      return writeObject(value, tag);
    }
    Object first = takeKey();
    try {
      if (rows.writePair(first, value)) {
        appendRow();
      } else {
        writeWithKryo(first);
        writeWithKryo(value);
      }
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
    return this;
  }

  private Object takeKey() {
    Object taken = key;
    key = null;
    hasKey = false;
    return taken;
  }

  private void writeKeyAlone() throws IOException {
    if (hasKey) {
      write(takeKey());
    }
  }

  private void write(Object object) throws IOException {
    if (rows.beginArray(object)) {
      writeArray((Object[]) object);
    } else if (rows.writeObject(object)) {
      appendRow();
    } else {
      writeWithKryo(object);
    }
  }

  /** Writes the array that the instance has begun. */
  private void writeArray(Object[] array) throws IOException {
    byte[] begin = RowBlock.ofOne(rows, BlockHeader.ARRAY, array.length);
    endBlock();
    long size = 0;
    long check = InstanceRows.MOST;
    try {
      target.write(begin, 0, begin.length);
      for (int i = 0; i < array.length; i++) {
        boolean repeats = false;
        if (size > check) {
          check = CHECKS * size;
          repeats = rows.repeats(array, i);
        }
        if (repeats || !rows.writeElement(array[i])) {
          // The whole array, so that Kryo finds all that its elements share.
          writeWithKryo(array);
          return;
        }
        size += rows.length();
        rowBlock.append();
      }
    } catch (Throwable error) {
      broken = error;
      throw error;
    }
  }

  private void appendRow() throws IOException {
    if (kryoBlock != null) {
      kryoBlock.checkWhole();
      kryoBlock.end();
    }
    rowBlock.append();
  }

  private void writeWithKryo(Object object) throws IOException {
    rowBlock.end();
    if (kryoBlock == null) {
      kryoBlock = new KryoBlock(kryos, target);
    }
    kryoBlock.append(object);
  }

  /** Writes the open block; at most one has content. Does not flush the target. */
  private void endBlock() throws IOException {
    rowBlock.end();
    if (kryoBlock != null) {
      kryoBlock.checkWhole();
      kryoBlock.end();
    }
  }

  private void endLastBlock() throws IOException {
    writeKeyAlone();
    rowBlock.flush();
    if (kryoBlock != null) {
      kryoBlock.end();
    }
  }

  @Override
  public void flush() {
    checkOpen();
    try {
      endLastBlock();
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
    try {
      try {
        if (broken == null) {
          endLastBlock();
        }
      } finally {
        kryos.streamClosed();
        rows.streamClosed();
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
    if (broken != null) {
      throw Unchecked.unchanged(
          new IOException(
              "serow can't write to this stream: a part of an earlier array is missing", broken));
    }
  }
}
