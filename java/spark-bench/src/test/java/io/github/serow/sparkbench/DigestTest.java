package io.github.serow.sparkbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class DigestTest {
  @Test
  void equalRowsHaveOneDigestAndOtherRowsOthers() {
    assertEquals(Digest.of(MadeRows.order(7)), Digest.of(MadeRows.order(7)));
    assertEquals(
        1000,
        LongStream.range(0, 1000).map(row -> Digest.of(MadeRows.order(row))).distinct().count());
  }

  @Test
  void aFieldAClassOrAnElementChangesTheDigest() {
    Part part = MadeRows.part(3);
    Part other =
        part.copy(
            part.key(),
            part.name(),
            part.manufacturer(),
            part.brand(),
            part.kind(),
            part.size() + 1,
            part.container(),
            part.price(),
            part.comment());
    assertNotEquals(Digest.of(part), Digest.of(other));
    Stream.of(
            new Object[] {1, 1L},
            new Object[] {null, 0},
            new Object[] {new int[] {1, 2}, new int[] {2, 1}},
            new Object[] {new int[] {1, 2}, new long[] {1, 2}},
            new Object[] {new int[0][1], new int[0]},
            new Object[] {new Tuple2<>("a", 1), new Tuple2<>("a", 2)})
        .forEach(pair -> assertNotEquals(Digest.of(pair[0]), Digest.of(pair[1])));
    assertEquals(Digest.of(new int[] {1, 2}), Digest.of(new int[] {1, 2}));
  }
}
