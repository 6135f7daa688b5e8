package io.github.serow.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContestantTest {

  @ParameterizedTest
  @ValueSource(strings = {"serow", "serow-compiled", "pickle", "bson", "protobuf"})
  void rowsComeBackEqual(String name) throws Exception {
    Contestant contestant = Contestant.named(name);
    List<?> rows = PartRows.some(2500);
    List<?> back = contestant.decode(contestant.encode(rows));
    assertEquals(rows.size(), back.size());
    assertArrayEquals(Digest.of(rows), Digest.of(back));
  }

  @ParameterizedTest
  @ValueSource(strings = {"serow", "serow-compiled", "pickle", "bson", "protobuf"})
  void rowsByThemselvesComeBackEqual(String name) throws Exception {
    Contestant contestant = Contestant.named(name);
    for (Object row : PartRows.some(20)) {
      Object back = contestant.decodeRow(contestant.encodeRow(row));
      assertArrayEquals(Digest.of(List.of(row)), Digest.of(List.of(back)));
    }
  }

  @Test
  void anUnknownNameIsAnError() {
    assertThrows(IllegalArgumentException.class, () -> Contestant.named("marshal"));
  }
}
