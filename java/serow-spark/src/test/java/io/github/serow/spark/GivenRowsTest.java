package io.github.serow.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class GivenRowsTest {
  private static final StructType SCHEMA = new StructType().add("a", DataTypes.LongType);

  private static byte[] batch(long kind, long... values) {
    ByteBuffer batch = ByteBuffer.allocate(8 + 24 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    batch.putLong(kind);
    for (long value : values) {
      batch.putLong(16).putLong(0).putLong(value);
    }
    return batch.array();
  }

  @Test
  void rowsOfAllBatchesComeInOrder() {
    List<byte[]> batches = List.of(batch(0), batch(0, 7), batch(0), batch(0, 8, 9), batch(0));
    GivenRows rows = new GivenRows(batches.iterator(), SCHEMA);
    List<Long> values = new ArrayList<>();
    while (rows.hasNext()) {
      values.add(rows.next().getLong(0));
    }
    assertEquals(List.of(7L, 8L, 9L), values);
    assertThrows(NoSuchElementException.class, rows::next);
  }

  @Test
  void batchesOfAnotherKindAreRefused() {
    GivenRows rows = new GivenRows(List.of(batch(2, 7)).iterator(), SCHEMA);
    assertThrows(IllegalArgumentException.class, rows::hasNext);
    assertFalse(new GivenRows(List.<byte[]>of().iterator(), SCHEMA).hasNext());
  }
}
