package io.github.serow.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.serow.demo.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EntrantTest {

  /** Lines of a workload's table, with unusual values. */
  private static List<String> lines(Workload workload) {
    List<String> lines = new ArrayList<>();
    String large = "y".repeat(70_000);
    switch (workload) {
      case PART, DICTS -> {
        lines.add("0||\u00e9|\u7f9a|\ud83d\ude00|-1|\0|-0.0|x|");
        lines.add("2147483647|" + large + "||||-2147483648||1.7976931348623157E308||");
        for (int i = 0; i < 2500; i++) {
          lines.add(i + "|name " + i + "|M|B" + i % 5 + "|P|" + i % 50 + "|J|" + i / 7.0 + "||");
        }
      }
      case LINEITEM, AMOUNTS -> {
        String days = "0001-01-01|9999-12-31|1970-01-01";
        lines.add(
            "-9223372036854775808|9223372036854775807|-1|0|0|0.00|-12.50|1E+2|||"
                + days
                + "|\u7f9a|\ud83d\ude00|"
                + large
                + "|");
        for (int i = 0; i < 2500; i++) {
          lines.add(
              i
                  + "|1|2|3|"
                  + i
                  + "|"
                  + i
                  + ".05|0.04|0.02|N|O|1996-03-13|1969-12-31|2000-02-29"
                  + "|IN PERSON|TRUCK|comment "
                  + i % 7
                  + "|");
        }
      }
      case READINGS -> {
        lines.add(Long.MIN_VALUE + "||" + Long.MAX_VALUE + "|1||-0.0|\\N|0001-01-01|0.00");
        lines.add("0|" + large + "|-1|0|-0.0;4.9E-324;0.1|Infinity||9999-12-31|-1E+30");
        for (int i = 0; i < 2500; i++) {
          String note = i % 3 == 0 ? "\\N" : "note " + i;
          lines.add(i + "|sensor|" + i % 9 + "|0|2.5;" + i + "|1.5|" + note + "|2024-02-29|0.10");
        }
      }
    }
    return lines;
  }

  private static List<Object> some(Workload workload) {
    List<Object> rows = new ArrayList<>();
    for (String line : lines(workload)) {
      rows.add(workload.parse(line));
    }
    return rows;
  }

  static Stream<Arguments> everyone() {
    List<String> ofClasses =
        List.of("serow-row", "serow-frame", "kryo-class", "kryo-array", "fory-class", "fory-array");
    List<Arguments> all = new ArrayList<>();
    for (Workload workload :
        List.of(Workload.PART, Workload.LINEITEM, Workload.READINGS, Workload.AMOUNTS)) {
      ofClasses.forEach(name -> all.add(Arguments.of(workload, name)));
    }
    for (Workload workload : List.of(Workload.LINEITEM, Workload.READINGS, Workload.AMOUNTS)) {
      all.add(Arguments.of(workload, "serow-row-record"));
      all.add(Arguments.of(workload, "serow-frame-record"));
    }
    for (String name : List.of("pickle", "bson", "protobuf")) {
      all.add(Arguments.of(Workload.PART, name));
    }
    for (String name : List.of("serow-row", "serow-frame", "kryo-map", "fory-map")) {
      all.add(Arguments.of(Workload.DICTS, name));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everyone")
  void rowsComeBackEqualInEveryWay(Workload workload, String name) throws Exception {
    Entrant entrant = Entrant.named(name, workload);
    byte[] expected = Digest.of(some(workload));
    List<?> rows = entrant.prepare(some(workload));
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

  static Stream<Arguments> floors() {
    return Stream.of(
        Arguments.of(Workload.PART, "floor-array"),
        Arguments.of(Workload.LINEITEM, "floor-array"),
        Arguments.of(Workload.LINEITEM, "floor-record"),
        Arguments.of(Workload.READINGS, "floor-record"));
  }

  @ParameterizedTest
  @MethodSource("floors")
  void aFloorMakesAsManyObjectsOfTheSameClasses(Workload workload, String name) throws Exception {
    Entrant entrant = Entrant.named(name, workload);
    List<?> rows = entrant.prepare(some(workload));
    List<?> made = entrant.decode(entrant.encode(rows));
    assertEquals(rows.size(), made.size());
    // Later rows are made like the first ones.
    assertEquals(classes(entrant, rows.subList(0, 64)), classes(entrant, made.subList(0, 64)));
    Object one = entrant.decodeRow(entrant.encodeRow(rows.get(0)));
    assertEquals(classes(entrant, rows.subList(0, 1)), classes(entrant, List.of(one)));
  }

  private static List<List<String>> classes(Entrant entrant, List<?> rows) {
    return rows.stream()
        .map(row -> (Object[]) entrant.plain(row))
        .map(row -> Stream.of(row).map(EntrantTest::nameOfClass).toList())
        .toList();
  }

  private static String nameOfClass(Object value) {
    return value == null ? "null" : value.getClass().getName();
  }

  private static byte[] digest(Entrant entrant, List<?> rows) {
    return Digest.of(rows.stream().map(entrant::plain).toList());
  }

  @Test
  void anUnknownNameIsAnError() {
    assertThrows(IllegalArgumentException.class, () -> Entrant.named("marshal", Workload.PART));
    assertThrows(IllegalArgumentException.class, () -> Entrant.named("kryo-class", Workload.DICTS));
    assertThrows(IllegalArgumentException.class, () -> Workload.named("nations"));
  }
}
