package io.github.serow.spark;

import com.esotericsoftware.kryo.Kryo;
import java.io.IOException;
import java.util.Arrays;

/** The objects of all blocks of a source, one after another. */
final class BlockObjects {
  /** The length of the first array for elements: a damaged block may name any length. */
  private static final int FIRST = 1 << 12;

  private final Kryos kryos;
  private final BlockSource source;
  private final RowObjects rows;
  private final KryoObjects objects;

  BlockObjects(Kryos kryos, InstanceRows rows, BlockSource source) {
    this.kryos = kryos;
    this.source = source;
    this.rows = new RowObjects(rows, source);
    this.objects = new KryoObjects(source, kryos);
  }

  /** Whether there is another object. Opens the next block if the last one has none left. */
  boolean hasNext() throws IOException {
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

  /** Reads the elements of an array: rows, and perhaps an array of Kryo with the last ones. */
  private Object[] readArray(Object[] empty, int length) throws IOException {
    Object[] array = Arrays.copyOf(empty, Math.min(length, FIRST));
    try {
      for (int i = 0; i < length; i++) {
        if (!hasNext()) {
          throw source.cut();
        }
        if (rows.isArray()) {
          throw source.damaged("it begins an array within another one");
        }
        if (rows.isEmpty()) {
          return join(array, i, nextOfKryo(), length);
        }
        if (i == array.length) {
          array = Arrays.copyOf(array, (int) Math.min(length, 2L * i));
        }
        array[i] = rows.next();
      }
    } catch (ArrayStoreException other) {
      throw source.damaged("an element of an array has another class than the array");
    }
    return array;
  }

  private Object[] join(Object[] array, int from, Object rest, int length) throws IOException {
    if (!(rest instanceof Object[] others) || others.length != length - from) {
      throw source.damaged("it should have the last elements of an array");
    }
    Object[] all = Arrays.copyOf(array, length);
    System.arraycopy(others, 0, all, from, others.length);
    return all;
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
