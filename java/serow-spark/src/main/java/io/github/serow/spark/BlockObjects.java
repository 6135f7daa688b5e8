package io.github.serow.spark;

import com.esotericsoftware.kryo.Kryo;
import java.io.IOException;

/** The objects of all blocks of a source, one after another. */
final class BlockObjects {
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
    if (!rows.isEmpty()) {
      return rows.next();
    }
    Kryo kryo = kryos.take();
    try {
      return objects.next(kryo);
    } finally {
      kryos.give(kryo);
    }
  }
}
