package io.github.serow.spark.pyspark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import net.razorvine.pickle.Unpickler;
import org.apache.spark.api.python.SerDeUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.python.EvaluatePython;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import scala.Function1;

/**
 * Rows from Python, in batches. A batch starts with a little-endian word that tells its content:
 * rows as {@link RowBatches} writes them, or a pickled list of rows, which Spark converts as it
 * does without serow.
 */
final class RowsFromPython implements Iterator<InternalRow> {
  private static final long UNSAFE_ROWS = 0;
  private static final long PICKLED_ROWS = 1;

  private final Iterator<byte[]> batches;
  private final StructType schema;
  private Function1<Object, Object> fromPython;
  private Iterator<InternalRow> rows = Collections.emptyIterator();

  RowsFromPython(Iterator<byte[]> batches, StructType schema) {
    this.batches = batches;
    this.schema = schema;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext() && batches.hasNext()) {
      rows = rows(batches.next());
    }
    return rows.hasNext();
  }

  /**
   * The next row. It may be the same object as the last one, because Spark copies rows that it
   * keeps.
   */
  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return rows.next();
  }

  private Iterator<InternalRow> rows(byte[] batch) {
    ByteBuffer bytes = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
    long kind = bytes.getLong();
    if (kind == UNSAFE_ROWS) {
      return new UnsafeRows(bytes, schema.length());
    }
    if (kind == PICKLED_ROWS) {
      return unpickled(Arrays.copyOfRange(batch, bytes.position(), batch.length));
    }
    throw new IllegalArgumentException(
        "a batch of rows begins with "
            + kind
            + ": do driver and JVM use different versions of serow?");
  }

  private Iterator<InternalRow> unpickled(byte[] pickle) {
    if (fromPython == null) {
      SerDeUtil.initialize();
      fromPython = EvaluatePython.makeFromJava(schema);
    }
    List<?> all;
    try {
      all = (List<?>) new Unpickler().loads(pickle);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Iterator<?> each = all.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return each.hasNext();
      }

      @Override
      public InternalRow next() {
        // Spark refuses a null here. Later it is found only if the plan reads a column.
        Object row = Objects.requireNonNull(each.next(), "a row is None");
        return (InternalRow) fromPython.apply(row instanceof List<?> list ? list.toArray() : row);
      }
    };
  }

  /** A sequence of rows, each after its length. */
  private static final class UnsafeRows implements Iterator<InternalRow> {
    private final ByteBuffer bytes;
    private final UnsafeRow row;

    UnsafeRows(ByteBuffer bytes, int fields) {
      this.bytes = bytes;
      this.row = new UnsafeRow(fields);
    }

    @Override
    public boolean hasNext() {
      return bytes.hasRemaining();
    }

    @Override
    public InternalRow next() {
      int length = Math.toIntExact(bytes.getLong());
      int from = bytes.position();
      bytes.position(Math.addExact(from, length));
      row.pointTo(bytes.array(), Platform.BYTE_ARRAY_OFFSET + from, length);
      return row;
    }
  }
}
