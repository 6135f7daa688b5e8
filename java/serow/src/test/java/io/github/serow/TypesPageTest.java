package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the table of classes in {@code docs/types.md}. */
class TypesPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "types.md");
  private static final Pattern ROW =
      Pattern.compile("^\\| `(.+?)` \\| `.+?` \\| `(.+?)` \\| `.+?` \\|.*");
  private static final Path SCALA =
      Path.of("src", "test", "scala", "io", "github", "serow", "samples", "Values.scala");
  private static final Pattern SCALA_ROW = Pattern.compile("^\\| `(.+?)` \\| `(.+?)` \\|$");
  private static final Pattern SCALA_VALUE = Pattern.compile("^  def (\\w+): AnyRef = (.+)$");
  private static final LocalDate DATE = LocalDate.of(2024, 2, 29);
  private static final LocalTime TIME = LocalTime.of(12, 30);

  /** A value for each row of the table. */
  private static final List<Object> VALUES =
      Arrays.asList(
          -7L,
          2.5,
          "羚羊",
          true,
          null,
          BigInteger.TWO.pow(70),
          new byte[] {0, -1},
          ByteBuffer.wrap(new byte[] {0, -1}),
          DATE,
          TIME,
          OffsetTime.of(TIME, ZoneOffset.UTC),
          LocalDateTime.of(DATE, TIME),
          OffsetDateTime.of(DATE, TIME, ZoneOffset.UTC),
          ZonedDateTime.of(DATE, TIME, ZoneId.of("Europe/Zurich")),
          Duration.ofDays(-1).plusNanos(1000),
          new BigDecimal("-12.50"),
          UUID.fromString("12345678-1234-5678-1234-567812345678"),
          new Complex(1.5, -0.0),
          NdArray.of(new float[6], 2, 3),
          List.of(1L, 2L, 3L),
          List.of(1L, "a"),
          new Object[] {1L, "a"},
          Set.of(1L),
          FrozenSet.copyOf(List.of("a")),
          Map.of(1L, "a"),
          StructsTest.map("a", 1L, "b", "x"),
          Row.of("Part", List.of("key", "name"), 1L, "almond"),
          EnumMember.of("Color", List.of("RED", "GREEN"), "RED"));

  @Test
  void valuesAreOfTheTypesAndClassesThatThePageNames() throws IOException {
    List<String> named = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        named.add(row.group(1) + " is " + row.group(2));
      }
    }
    List<String> found = new ArrayList<>();
    for (Object value : VALUES) {
      List<Object> rows = Arrays.asList(value);
      Object back = Serow.loads(Serow.dumps(rows)).get(0);
      String name = back == null ? "null" : back instanceof ByteBuffer ? "ByteBuffer" : null;
      found.add(
          Schema.infer(rows) + " is " + (name == null ? back.getClass().getSimpleName() : name));
    }
    assertEquals(named, found);
  }

  /** Finds the sample whose text is the example. */
  @ParameterizedTest
  @EnumSource
  void scalasValuesAreOfTheTypesThatThePageNames(ScalaSamples scala) throws IOException {
    Map<String, String> names = new HashMap<>();
    for (String line : Files.readAllLines(SCALA)) {
      Matcher value = SCALA_VALUE.matcher(line);
      if (value.matches()) {
        names.put(value.group(2), value.group(1));
      }
    }
    String page = Files.readString(PAGE);
    String section = page.substring(page.indexOf("\n## Scala\n"));
    int rows = 0;
    for (String line : section.substring(1, section.indexOf("\n## ", 1)).split("\n")) {
      Matcher row = SCALA_ROW.matcher(line);
      if (row.matches()) {
        List<Object> values = Collections.singletonList(scala.value(names.get(row.group(1))));
        assertEquals(row.group(2), Schema.infer(values).toString(), row.group(1));
        rows++;
      }
    }
    assertEquals(14, rows);
  }
}
