package io.github.serow.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.serow.demo.Digest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntrantTest {

  /** Rows of Part's shape, with what is unusual in them. */
  private static List<Object[]> some() {
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {0L, "", "\u00e9", "\u7f9a", "\ud83d\ude00", -1L, "\0", -0.0, "x"});
    long least = Integer.MIN_VALUE;
    String large = "y".repeat(70_000);
    rows.add(
        new Object[] {
          (long) Integer.MAX_VALUE, large, "", "", "", least, "", Double.MAX_VALUE, ""
        });
    for (long i = 0; i < 2500; i++) {
      rows.add(new Object[] {i, "name " + i, "M", "B" + i % 5, "P", i % 50, "J", i / 7.0, ""});
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serow-row",
        "serow-frame",
        "kryo-class",
        "kryo-array",
        "fory-class",
        "fory-array",
        "pickle",
        "bson",
        "protobuf"
      })
  void rowsComeBackEqualInEveryWay(String name) throws Exception {
    Entrant entrant = Entrant.named(name);
    byte[] expected = Digest.of(some());
    List<?> rows = entrant.prepare(some());
    List<byte[]> messages = entrant.encode(rows);
    assertArrayEquals(expected, digest(entrant, entrant.decode(messages)));
    List<Object> byRows = new ArrayList<>();
    for (Object row : rows) {
      byRows.add(entrant.decodeRow(entrant.encodeRow(row)));
    }
    assertArrayEquals(expected, digest(entrant, byRows));
    if (entrant.retainsMemory()) {
      long bytes = messages.stream().mapToLong(message -> message.length).sum();
      assertEquals(bytes, entrant.encodeRetained(rows));
      assertEquals(bytes, entrant.encodeRetained(rows));
    }
  }

  private static byte[] digest(Entrant entrant, List<?> rows) {
    return Digest.of(rows.stream().map(entrant::fields).toList());
  }

  @Test
  void anUnknownNameIsAnError() {
    assertThrows(IllegalArgumentException.class, () -> Entrant.named("marshal"));
  }
}
