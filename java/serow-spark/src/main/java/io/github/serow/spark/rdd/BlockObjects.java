package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import java.io.IOException;
import java.util.Arrays;

/** The objects of all blocks of a source, one after another. */
final class BlockObjects {
  /** The length of the first array for elements: a damaged block may name any length. */
  private static final int FIRST = 1 << 12;

  private final Kryos kryos;
  private final BlockSource source;
  private final RowBlockReader rows;
  private final KryoObjects objects;

  /** Why the position in the stream is unknown. */
  private Throwable broken;

  BlockObjects(Kryos kryos, InstanceRows rows, BlockSource source) {
    this.kryos = kryos;
    this.source = source;
    this.rows = new RowBlockReader(rows, source);
    this.objects = new KryoObjects(source, kryos);
  }

  /** Whether there is another object. Opens the next block if the last one has none left. */
  boolean hasNext() throws IOException {
    if (broken != null) {
      throw new IOException(
          "serow can't read on in this stream: an earlier array could not be read", broken);
    }
    if (!rows.isEmpty() || !objects.isEmpty()) {
      return true;
    }
    if (!source.nextHeader()) {
      return false;
    }
    if (source.kind() == BlockHeader.KRYO) {
      objects.open();
    } else {
      rows.open();
    }
    return true;
  }

  /** Reads the next object, after {@link #hasNext}. */
  Object next() throws IOException {
    if (rows.isArray()) {
      int length = source.count();
      return readArray((Object[]) rows.next(), length);
    }
    return rows.isEmpty() ? nextOfKryo() : rows.next();
  }

  /** Reads the elements of an array: rows, or after some of them a whole array of Kryo. */
  private Object[] readArray(Object[] empty, int length) throws IOException {
    try {
      Object[] array = Arrays.copyOf(empty, Math.min(length, FIRST));
      for (int i = 0; i < length; i++) {
        if (!hasNext()) {
          throw source.cut();
        }
        if (rows.isArray()) {
          throw source.damaged("it begins an array within another one");
        }
        if (rows.isEmpty()) {
          return whole(nextOfKryo(), empty, length);
        }
        if (i == array.length) {
          array = Arrays.copyOf(array, (int) Math.min(length, 2L * i));
        }
        array[i] = rows.next();
      }
      return array;
    } catch (ArrayStoreException other) {
      broken = other;
      throw source.damaged("an element of an array has another class than the array");
    } catch (Throwable error) {
      broken = error;
      throw error;
    }
  }

  private Object[] whole(Object read, Object[] empty, int length) throws IOException {
    if (read.getClass() != empty.getClass() || ((Object[]) read).length != length) {
      throw source.damaged("it should have the array whose first elements are before it");
    }
    return (Object[]) read;
  }

  private Object nextOfKryo() throws IOException {
    Kryo kryo = kryos.take();
    try {
      return objects.next(kryo);
    } finally {
      kryos.give(kryo);
    }
  }
}
