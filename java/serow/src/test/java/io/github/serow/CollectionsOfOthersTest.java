package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Python's lists, tuples, sets and frozensets, read into the properties of a class. */
class CollectionsOfOthersTest {
  private static final List<String> NAMES =
      List.of("frozen", "nested", "anyLength", "fixed", "either", "unique", "bytes", "byFrozen");

  /** What {@code typing.Sequence[int]} and {@code typing.AbstractSet[int]} are in Python too. */
  private static final Schema PYTHON =
      Schema.parse(
          "Sample{frozen: frozenset{str}, nested: [frozenset{str}], anyLength: (i64, ...), fixed:"
              + " (i64, i64), either: [i64]|(i64, ...), unique: {i64}|frozenset{i64}, bytes:"
              + " bytearray, byFrozen: {frozenset{i64}: str}}");

  private static final FrozenSet<String> FROZEN = FrozenSet.copyOf(List.of("b", "a"));
  private static final FrozenSet<Long> KEY = FrozenSet.copyOf(List.of(1L));

  private static final Row ROW =
      Row.of(
          "Sample",
          NAMES,
          new Object[] {
            FROZEN,
            List.of(FROZEN),
            new Object[] {1L, 2L},
            new Object[] {3L, 4L},
            new Object[] {5L},
            KEY,
            ByteBuffer.wrap(new byte[] {1}),
            Map.of(KEY, "one")
          });

  record Sample(
      Set<String> frozen,
      List<Set<String>> nested,
      List<Long> anyLength,
      List<Integer> fixed,
      Collection<Long> either,
      Set<Long> unique,
      ByteBuffer bytes,
      Map<FrozenSet<Long>, String> byFrozen) {}

  @Name("Sample")
  record Other(SortedSet<String> frozen, Set<Long> anyLength, long[] fixed, List<Long> unique) {}

  @ParameterizedTest
  @EnumSource(Wire.class)
  void theClassChoosesTheCollection(Wire wire) {
    byte[] message = Codec.ofAny(PYTHON).withWire(wire).encodeAll(List.of(ROW));
    assertEquals(
        new Sample(
            Set.of("a", "b"),
            List.of(Set.of("a", "b")),
            List.of(1L, 2L),
            List.of(3, 4),
            List.of(5L),
            Set.of(1L),
            ByteBuffer.wrap(new byte[] {1}),
            Map.of(KEY, "one")),
        Codec.of(Sample.class).withWire(wire).decodeAll(message).get(0));
    Other other = Codec.of(Other.class).withWire(wire).decodeAll(message).get(0);
    assertEquals(new TreeSet<>(FROZEN), other.frozen());
    assertEquals(Set.of(1L, 2L), other.anyLength());
    assertArrayEquals(new long[] {3, 4}, other.fixed());
    assertEquals(List.of(1L), other.unique());
  }
}
