package io.github.serow.spark.pyspark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

class RowBatchesTest {
  /** A row of one field with {@code size} bytes in total. */
  private static UnsafeRow row(int value, int size) {
    byte[] bytes = new byte[size];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(8, value);
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, size);
    return row;
  }

  private static List<byte[]> batches(Iterator<UnsafeRow> rows) {
    List<byte[]> all = new ArrayList<>();
    new RowBatches(rows, null).forEachRemaining(all::add);
    return all;
  }

  private static int rows(byte[] batch) {
    ByteBuffer bytes = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
    int count = 0;
    for (; bytes.hasRemaining(); count++) {
      bytes.position(bytes.position() + Long.BYTES + (int) bytes.getLong(bytes.position()));
    }
    return count;
  }

  @Test
  void aRowIsItsLengthAndItsBytes() {
    ByteBuffer expected = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    expected.putLong(16).putLong(0).putLong(7);
    List<byte[]> batches = batches(List.of(row(7, 16)).iterator());
    assertEquals(1, batches.size());
    assertArrayEquals(expected.array(), batches.get(0));
  }

  @Test
  void batchesDouble() {
    Iterator<UnsafeRow> rows = IntStream.range(0, 10_000).mapToObj(i -> row(i, 16)).iterator();
    List<Integer> counts = batches(rows).stream().map(RowBatchesTest::rows).toList();
    assertEquals(
        List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 2048, 2048, 1809), counts);
  }

  @Test
  void longRowsEndABatch() {
    int size = RowBatches.MOST_BYTES / 2;
    Iterator<UnsafeRow> rows = IntStream.range(0, 9).mapToObj(i -> row(i, size)).iterator();
    List<Integer> counts = batches(rows).stream().map(RowBatchesTest::rows).toList();
    assertEquals(List.of(1, 2, 2, 2, 2), counts);
  }

  /** Spark reads a row only on request, and this may fail. */
  @Test
  void noMoreRowsAreAskedForThanABatchHas() {
    List<Integer> asked = new ArrayList<>();
    Iterator<UnsafeRow> rows =
        IntStream.range(0, 10).peek(asked::add).mapToObj(i -> row(i, 16)).iterator();
    RowBatches batches = new RowBatches(rows, null);
    batches.next();
    assertEquals(List.of(0), asked);
  }

  @Test
  void noRowsAreNoBatch() {
    RowBatches batches = new RowBatches(List.<UnsafeRow>of().iterator(), null);
    assertFalse(batches.hasNext());
    assertThrows(NoSuchElementException.class, batches::next);
  }
}
