package io.github.serow.sparkbench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.Ordering;

class TeraSortTest {
  private static final Ordering<byte[]> ORDER = TeraSort.ByBytes$.MODULE$;

  @Test
  void aRecordHasTheSizesOfTeraGensAndTheNumberOfItsRow() {
    Tuple2<byte[], byte[]> record = TeraSort.record(0xBEEF);
    assertEquals(10, record._1().length);
    assertEquals(90, record._2().length);
    assertEquals("000000000000000000beef", new String(record._2(), 0, 22, US_ASCII));
    assertArrayEquals(record._2(), TeraSort.record(0xBEEF)._2());
  }

  @Test
  void partitionsAreInTheOrderOfKeysAndOfSimilarSizes() {
    TeraSort.Ranges ranges = new TeraSort.Ranges(8);
    byte[][] keys = sorted();
    int[] partitions = Arrays.stream(keys).mapToInt(ranges::getPartition).toArray();
    assertArrayEquals(Arrays.stream(partitions).sorted().toArray(), partitions);
    for (int partition = 0; partition < 8; partition++) {
      int one = partition;
      long rows = IntStream.of(partitions).filter(each -> each == one).count();
      assertTrue(rows > 80 && rows < 170, () -> one + " has " + rows + " rows");
    }
    assertEquals(7, ranges.getPartition(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}));
  }

  @Test
  void rowsThatAreNotSortedAreNoticed() {
    byte[][] keys = sorted();
    Tuple2<byte[], byte[]> ends = endsOf(keys).get();
    assertArrayEquals(keys[0], ends._1());
    assertArrayEquals(keys[keys.length - 1], ends._2());
    byte[] moved = keys[500];
    keys[500] = keys[501];
    keys[501] = moved;
    assertThrows(IllegalStateException.class, () -> endsOf(keys));
    assertTrue(endsOf().isEmpty());
  }

  private static byte[][] sorted() {
    return LongStream.range(0, 1000)
        .mapToObj(row -> TeraSort.record(row)._1())
        .sorted((Comparator<byte[]>) ORDER)
        .toArray(byte[][]::new);
  }

  private static scala.Option<Tuple2<byte[], byte[]>> endsOf(byte[]... keys) {
    return Rdds.endsOf(CollectionConverters.asScala(Arrays.asList(keys).iterator()), ORDER);
  }
}
