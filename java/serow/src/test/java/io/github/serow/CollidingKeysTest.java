package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements of sets and keys of maps that were chosen to collide in Java's hash tables. */
class CollidingKeysTest {
  private static final int COUNT = 20_000;

  record Pair(long a, long b) {}

  /** Two bytes at a time: {@code 31 * 5 + 40} is {@code 31 * 36 - 921}, modulo 2^32. */
  private static byte[] bytes(long n) {
    byte[] bytes = new byte[30];
    for (int i = 0; i < 15; i++) {
      boolean isSet = (n >> i & 1) != 0;
      bytes[2 * i] = (byte) (isSet ? 6 : 5);
      bytes[2 * i + 1] = (byte) (isSet ? 9 : 40);
    }
    return bytes;
  }

  private static Object[] tuple(long n) {
    return new Object[] {n, -31 * n};
  }

  static List<LongFunction<Object>> keys() {
    return List.of(
        CollidingKeysTest::bytes,
        CollidingKeysTest::tuple,
        n -> new Object[] {tuple(n), bytes(n)},
        n -> new Pair(n, -31 * n),
        n -> new Object[] {FrozenSet.copyOf(List.of(n, 100_000 - n))},
        n -> new Object[] {LocalDateTime.of(LocalDate.EPOCH, LocalTime.ofNanoOfDay(n * 1000))},
        n -> new Complex(n, Double.longBitsToDouble(-31 * Double.doubleToLongBits(n))));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void theyTakeNoLongerThanOthers(LongFunction<Object> key) {
    Set<Object> set = new LinkedHashSet<>();
    Map<Object, Object> map = new LinkedHashMap<>();
    List<Object> rows = new ArrayList<>(List.of(set, map));
    for (long n = 0; n < COUNT; n++) {
      // Java's own sets would be slow with records.
      if (!(key.apply(n) instanceof Record)) {
        set.add(key.apply(n));
        map.put(key.apply(n), n);
      } else {
        Pair pair = key.apply(n) instanceof Pair it ? it : null;
        set.add(pair == null ? key.apply(n) : Row.of("Pair", List.of("a", "b"), n, pair.b()));
      }
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          List<Object> back = Serow.loads(Serow.dumps(rows));
          assertEquals(COUNT, ((Collection<?>) back.get(0)).size());
          assertEquals(map.size(), ((Map<?, ?>) back.get(1)).size());
        });
  }

  /** A time of day in microseconds whose hash is {@code hash}; null if there is none. */
  private static LocalTime time(int hash) {
    for (long high = 0; high < 20_000; high++) {
      long nanos = high << 32 | (hash ^ high) & 0xffff_ffffL;
      if (nanos % 1000 == 0) {
        return LocalTime.ofNanoOfDay(nanos);
      }
    }
    return null;
  }

  @Test
  void thoseThatJavaCannotOrderAreAnError() {
    Set<Object> times = new LinkedHashSet<>();
    Set<Object> sets = new LinkedHashSet<>();
    for (int n = 0; n < 2_000; n++) {
      sets.add(FrozenSet.copyOf(List.of((long) n, 5_000L - n)));
    }
    for (LocalDate date = LocalDate.EPOCH; times.size() < 2_000; date = date.plusDays(1)) {
      LocalTime time = time(date.hashCode() ^ 0x1234);
      if (time != null) {
        times.add(LocalDateTime.of(date, time));
      }
    }
    assertEquals(1, times.stream().map(Object::hashCode).distinct().count());
    Map<Object, Object> map = new LinkedHashMap<>();
    times.forEach(time -> map.put(time, 1L));
    for (Object row : List.of(times, sets, map)) {
      for (Wire wire : Wire.values()) {
        byte[] message = Serow.dumps(List.of(row), wire);
        DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
        assertEquals(0, e.row().orElse(-1), e.getMessage());
        assertTrue(e.getMessage().contains("the same hash code"), e.getMessage());
      }
    }
  }

  @Test
  void equalValuesHaveEqualHashes() {
    List<String> fields = List.of("a", "b");
    for (Object value :
        List.of(1L, 0.5, "a", List.of(1L, "b"), Map.of(1L, "b"), Set.of(1L, 2L), bytes(5))) {
      Row row = Row.of("A", fields, value, new Object[] {value});
      Object same = value instanceof Set<?> set ? FrozenSet.copyOf(set) : value;
      Row other = Row.of("A", fields, same, new Object[] {same});
      assertEquals(row, other);
      assertEquals(row.hashCode(), other.hashCode());
    }
    assertEquals(new Complex(0.5, -0.0).hashCode(), new Complex(0.5, -0.0).hashCode());
  }
}
