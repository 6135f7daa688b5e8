package io.github.serow.spark.pyspark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Rows as batches of bytes: for each row the length of its {@link UnsafeRow} in eight bytes,
 * little-endian, and its bytes.
 *
 * <p>The first batch has one row and each later one twice as many, so that a reader of the first
 * rows does not wait for many. The sizes depend on the number of rows, and on bytes only if rows
 * are long, because {@code zip} in Python expects the batches of two DataFrames to have equal
 * numbers of rows.
 */
final class RowBatches implements Iterator<byte[]> {
  static final int MOST_ROWS = 1 << 11;

  /** A batch ends with the row that reaches this size. */
  static final int MOST_BYTES = 1 << 20;

  private static final VarHandle LENGTH =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Iterator<? extends InternalRow> rows;
  private final StructType schema;
  private UnsafeProjection projection;
  private byte[] buffer = new byte[1 << 12];
  private int mostRows = 1;

  RowBatches(Iterator<? extends InternalRow> rows, StructType schema) {
    this.rows = rows;
    this.schema = schema;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  /** The next batch as a new array, because Spark may keep it. */
  @Override
  public byte[] next() {
    if (!rows.hasNext()) {
      throw new NoSuchElementException();
    }
    int size = 0;
    int count = 0;
    do {
      size = append(unsafe(rows.next()), size);
      count++;
    } while (count < mostRows && size < MOST_BYTES && rows.hasNext());
    mostRows = Math.min(2 * mostRows, MOST_ROWS);
    return Arrays.copyOf(buffer, size);
  }

  private int append(UnsafeRow row, int from) {
    int length = row.getSizeInBytes();
    int to = Math.addExact(from, Math.addExact(length, Long.BYTES));
    if (to > buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * to));
    }
    LENGTH.set(buffer, from, length);
    Platform.copyMemory(
        row.getBaseObject(),
        row.getBaseOffset(),
        buffer,
        Platform.BYTE_ARRAY_OFFSET + from + Long.BYTES,
        length);
    return to;
  }

  /** Most plans produce unsafe rows; commands and some sources produce others. */
  private UnsafeRow unsafe(InternalRow row) {
    if (row instanceof UnsafeRow done) {
      return done;
    }
    if (projection == null) {
      projection = UnsafeProjection.create(schema);
    }
    return projection.apply(row);
  }
}
