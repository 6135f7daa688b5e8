package io.github.serow.spark.pyspark;

import java.util.Iterator;
import scala.collection.AbstractIterator;

/** Batches in the form that Spark's iterator servers take. */
final class ServedBatches extends AbstractIterator<Object> {
  private final Iterator<byte[]> batches;

  ServedBatches(Iterator<byte[]> batches) {
    this.batches = batches;
  }

  @Override
  public boolean hasNext() {
    return batches.hasNext();
  }

  @Override
  public Object next() {
    return batches.next();
  }
}
