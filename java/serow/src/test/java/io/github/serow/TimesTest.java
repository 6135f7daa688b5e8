package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.row.TieredCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Times as declared classes, which say what is kept, and portable times. */
class TimesTest {
  private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

  /** The second of two equal clock times. */
  private static final ZonedDateTime TWICE =
      LocalDateTime.of(2024, 10, 27, 2, 30).atZone(ZURICH).withLaterOffsetAtOverlap();

  @Name("At")
  record AsInstant(Instant at) {}

  @Name("At")
  record AsOffset(OffsetDateTime at) {}

  @Name("At")
  record AsZoned(ZonedDateTime at) {}

  @Name("At")
  record AsLocal(LocalDateTime at) {}

  @Name("At")
  record AsTime(OffsetTime at) {}

  record Nanos(Instant instant, LocalDateTime clock, LocalTime time, Duration duration) {}

  /** Asserts that a row comes back, in messages and records, interpreted and by generated code. */
  private static <T> void assertSame(Class<T> type, T row) {
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      assertEquals(row, codec.decode(codec.encode(row)));
      List<T> rows = Collections.nCopies(2 * TieredCode.WORTH_IT, row);
      assertEquals(rows, codec.decodeAll(codec.encodeAll(rows)));
    }
  }

  @Test
  void theFirstAndTheLastTimesComeBack() {
    for (Instant at :
        List.of(Instant.MIN, Instant.MAX, Instant.parse("+300000-01-01T00:00:00.000000001Z"))) {
      assertSame(AsInstant.class, new AsInstant(at));
    }
    for (LocalDateTime at : List.of(LocalDateTime.MIN, LocalDateTime.MAX)) {
      assertSame(AsLocal.class, new AsLocal(at));
      assertSame(AsZoned.class, new AsZoned(at.atZone(ZoneOffset.UTC)));
    }
    assertSame(AsOffset.class, new AsOffset(OffsetDateTime.MIN));
    assertSame(AsOffset.class, new AsOffset(OffsetDateTime.MAX));
    assertSame(AsZoned.class, new AsZoned(LocalDateTime.MIN.atZone(ZURICH)));
  }

  @Test
  void theBytesOfTimesBeyond64Bits() {
    // 31,556,889,864,403,199,999,999 microseconds, 999 nanoseconds: 1711 times 2^64, and a negative
    // number; the rest is 1711 * 2048 + 2 * 999.
    Codec<Object> parts = Codec.ofAny(Schema.parse("(i64, i64, i64, str)"));
    Codec<Object> time = Codec.ofAny(Schema.parse("timestamptz"));
    Codec<AsInstant> instants = Codec.of(AsInstant.class);
    Object[] components = {-5_489_245_713_842_814_977L, 1711L * 2048 + 1998, 0L, ""};
    byte[] expected = parts.withoutFingerprint().encode(components);
    byte[] record = instants.withoutFingerprint().encode(new AsInstant(Instant.MAX));
    String hex = HexFormat.of().formatHex(record);
    assertTrue(hex.endsWith(HexFormat.of().formatHex(expected)), hex);
    DecodeException e =
        assertThrows(DecodeException.class, () -> time.withoutFingerprint().decode(expected));
    assertTrue(e.getMessage().contains("a LocalDateTime has years"), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void aDeclaredClassSaysWhatIsKept(Wire wire) {
    Codec<AsZoned> source = Codec.of(AsZoned.class).withWire(wire);
    for (ZonedDateTime at :
        List.of(
            TWICE,
            TWICE.withEarlierOffsetAtOverlap(),
            TWICE.withZoneSameInstant(ZoneId.of("UTC")),
            TWICE.withZoneSameInstant(ZoneOffset.UTC),
            TWICE.withZoneSameInstant(ZoneOffset.ofHours(-3)))) {
      byte[] message = source.encodeAll(List.of(new AsZoned(at)));
      assertEquals(new AsZoned(at), Codec.of(AsZoned.class).decodeAll(message).get(0));
      assertEquals(
          new AsOffset(at.toOffsetDateTime()), Codec.of(AsOffset.class).decodeAll(message).get(0));
      assertEquals(
          new AsInstant(at.toInstant()), Codec.of(AsInstant.class).decodeAll(message).get(0));
    }
  }

  /** The single record of the components of a timestamptz or timetz. */
  private static <T> T read(Class<T> type, long micros, long rest, long offset, String zone) {
    Codec<Object> parts = Codec.ofAny(Schema.parse("{\"at\": (i64, i64, i64, str)?}"));
    Codec<T> codec = Codec.of(type);
    Object[] components = {micros, rest, offset, zone};
    byte[] record = parts.withoutFingerprint().encode(Collections.singletonMap("at", components));
    return codec.withoutFingerprint().decode(record);
  }

  @Test
  void declaredClassesDropWhatTheyLack() {
    long hour = 3_600_000_000L;
    ZoneOffset ahead = ZoneOffset.ofHours(2);
    OffsetDateTime noon = OffsetDateTime.of(1970, 1, 1, 12, 0, 0, 0, ahead);
    // The name of an offset, the fold of an offset, a region that is unknown, and one whose rules
    // differ.
    for (String zone : List.of("=CEST", "=", "", "Mars/Phobos", "Europe/Zurich")) {
      for (int fold : new int[] {0, 1}) {
        assertEquals(
            new AsInstant(noon.toInstant()),
            read(AsInstant.class, 12 * hour, fold, 2 * hour, zone));
        assertEquals(new AsOffset(noon), read(AsOffset.class, 12 * hour, fold, 2 * hour, zone));
        assertEquals(
            new AsTime(noon.toOffsetTime()), read(AsTime.class, 12 * hour, fold, 2 * hour, zone));
      }
    }
    assertEquals(
        new AsZoned(noon.toZonedDateTime()), read(AsZoned.class, 12 * hour, 1, 2 * hour, "=CEST"));
    // An offset with a fraction of a second is no ZoneOffset, but a point in time.
    assertEquals(
        new AsInstant(Instant.parse("1970-01-01T00:00:00.000001Z")),
        read(AsInstant.class, 0, 0, -1, "=a moment"));
    assertThrows(DecodeException.class, () -> read(AsOffset.class, 0, 0, -1, ""));
    for (String zone : List.of("Mars/Phobos", "Europe/Zurich")) {
      assertThrows(DecodeException.class, () -> read(AsZoned.class, 12 * hour, 0, 2 * hour, zone));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void aUnionOfBothClocksReadsAsEither(Wire wire) {
    OffsetDateTime noon = OffsetDateTime.of(2024, 7, 1, 12, 0, 0, 0, ZoneOffset.ofHours(2));
    Schema schema = Schema.parse("At{at: timestamp|timestamptz}");
    Codec<Object> source = Codec.ofAny(schema).withWire(wire);
    Object aware = Row.of("At", List.of("at"), noon);
    Object naive = Row.of("At", List.of("at"), noon.toLocalDateTime());
    byte[] message = source.encodeAll(Collections.nCopies(5, aware));
    assertEquals(
        Collections.nCopies(5, new AsInstant(noon.toInstant())),
        Codec.of(AsInstant.class).decodeAll(message));
    assertEquals(
        Collections.nCopies(5, new AsOffset(noon)), Codec.of(AsOffset.class).decodeAll(message));
    assertEquals(
        Collections.nCopies(5, new AsZoned(noon.toZonedDateTime())),
        Codec.of(AsZoned.class).decodeAll(message));
    assertEquals(
        List.of(new AsLocal(noon.toLocalDateTime())),
        Codec.of(AsLocal.class).decodeAll(source.encodeAll(List.of(naive))));
    List<Object> rows = new ArrayList<>(Collections.nCopies(5, aware));
    rows.add(naive);
    DecodeException e =
        assertThrows(
            DecodeException.class,
            () -> Codec.of(AsInstant.class).decodeAll(source.encodeAll(rows)));
    assertEquals(
        "frame 0, row 5, field at (timestamptz?): the value is a timestamp, which has no time"
            + " zone; read it as timestamp, or as a union of both",
        e.getMessage());
    assertEquals(5, e.row().orElseThrow());
    assertThrows(
        DecodeException.class, () -> Codec.of(AsLocal.class).decodeAll(source.encodeAll(rows)));
  }

  record Keys(Map<Instant, Duration> at, Set<Duration> of) {}

  @Test
  void elementsOfSetsAndKeysThatDifferStayDifferent() {
    Instant one = Instant.ofEpochSecond(1, 1);
    Duration brief = Duration.ofNanos(1);
    Keys row = new Keys(Map.of(one, brief, one.plusNanos(1), brief), Set.of(brief, Duration.ZERO));
    Keys rounded =
        new Keys(
            Map.of(one, Duration.ZERO, one.plusNanos(1), Duration.ZERO),
            Set.of(brief, Duration.ZERO));
    Codec<Keys> codec = Codec.of(Keys.class).withTimes(Times.PORTABLE);
    assertEquals(List.of(rounded), codec.decodeAll(codec.encodeAll(List.of(row))));

    Codec<Object> times = Codec.ofAny(Schema.parse("{timestamptz: timetz}"));
    Schema parts = Schema.parse("{(i64, i64, i64, str): (i64, i64, i64, str)}");
    Object[] key = {0L, 3L, 3_600_000_000L, "=CET"};
    Object[] value = {0L, 3L, 3_600_000_000L, "=CET"};
    byte[] record =
        Codec.ofAny(parts).withoutFingerprint().encode(Collections.singletonMap(key, value));
    ZoneOffset ahead = ZoneOffset.ofHours(1);
    assertEquals(
        Map.of(OffsetDateTime.of(1970, 1, 1, 0, 0, 0, 1, ahead), OffsetTime.of(0, 0, 0, 0, ahead)),
        times.withTimes(Times.PORTABLE).withoutFingerprint().decode(record));
    assertThrows(DecodeException.class, () -> times.withoutFingerprint().decode(record));
  }

  @Test
  void portableTimesHaveMicroseconds() {
    Instant instant = Instant.ofEpochSecond(-1, 999_999_999);
    LocalDateTime clock = LocalDateTime.of(2024, 1, 1, 0, 0, 0, 1_999);
    Nanos row = new Nanos(instant, clock, LocalTime.MAX, Duration.ofNanos(-1));
    Nanos portable =
        new Nanos(
            Instant.ofEpochSecond(-1, 999_999_000),
            clock.withNano(1_000),
            LocalTime.MAX.withNano(999_999_000),
            Duration.ofNanos(-1_000));
    for (Wire wire : Wire.values()) {
      Codec<Nanos> exact = Codec.of(Nanos.class).withWire(wire);
      Codec<Nanos> rounding = exact.withTimes(Times.PORTABLE);
      byte[] written = rounding.encodeAll(List.of(row));
      assertArrayEquals(exact.encodeAll(List.of(portable)), written);
      assertEquals(List.of(portable), exact.decodeAll(written));
      assertEquals(List.of(portable), rounding.decodeAll(exact.encodeAll(List.of(row))));
      assertEquals(portable, exact.decode(rounding.encode(row)));
      assertEquals(portable, rounding.decode(exact.encode(row)));
      assertEquals(row, rounding.withTimes(Times.EXACT).decode(exact.encode(row)));
    }
    List<Object> rows = List.of(instant.atOffset(ZoneOffset.UTC), clock, row.time, row.duration);
    List<Object> expected =
        List.of(
            portable.instant.atOffset(ZoneOffset.UTC),
            portable.clock,
            portable.time,
            portable.duration);
    assertEquals(expected, Serow.loads(Serow.options().withTimes(Times.PORTABLE).dumps(rows)));
    assertEquals(expected, Serow.options().withTimes(Times.PORTABLE).loads(Serow.dumps(rows)));
    assertEquals(
        expected, Serow.options().withTimes(Times.PORTABLE).loads(Serow.dumps(rows, Wire.FRAME)));
    assertEquals(rows, Serow.loads(Serow.dumps(rows)));
  }

  @Test
  void streamsOfAnyRowsTakeTheOption(@TempDir Path folder) throws IOException {
    // The second row has another schema.
    List<Object> rows = List.of(LocalTime.of(1, 2, 3, 4_567), List.of(Duration.ofNanos(1_999)));
    List<Object> portable = List.of(LocalTime.of(1, 2, 3, 4_000), List.of(Duration.ofNanos(1_000)));
    Path exact = written(StreamWriter.ofAny(), rows, folder.resolve("exact"));
    assertEquals(rows, readBack(StreamReader.ofAny(), exact));
    assertEquals(portable, readBack(StreamReader.ofAny().withTimes(Times.PORTABLE), exact));
    Threads two = Threads.of(2);
    assertEquals(
        portable, readBack(StreamReader.ofAny().withThreads(two).withTimes(Times.PORTABLE), exact));
    try (IndexedReader<Object> reader =
        IndexedReader.ofAny().withTimes(Times.PORTABLE).from(exact)) {
      assertEquals(portable.get(1), reader.row(1));
    }
    Path rounded =
        written(StreamWriter.ofAny().withTimes(Times.PORTABLE), rows, folder.resolve("rounded"));
    assertEquals(portable, readBack(StreamReader.ofAny(), rounded));
  }

  @Test
  void streamsOfCodecsTakeTheOption(@TempDir Path folder) throws IOException {
    LocalTime exact = LocalTime.of(1, 2, 3, 4_567);
    LocalTime rounded = exact.withNano(4_000);
    Codec<Object> codec = Codec.ofAny(Schema.parse("time"));
    Path file = written(StreamWriter.of(codec), List.of(exact), folder.resolve("exact"));
    assertEquals(List.of(exact), readBack(StreamReader.of(codec), file));
    assertEquals(
        List.of(rounded), readBack(StreamReader.of(codec).withTimes(Times.PORTABLE), file));
    assertEquals(
        List.of(rounded), readBack(StreamReader.of(codec.withTimes(Times.PORTABLE)), file));
    try (IndexedReader<Object> reader =
        IndexedReader.of(codec).withTimes(Times.PORTABLE).from(file)) {
      assertEquals(List.of(rounded), reader.frame(0));
    }
    Path portable =
        written(
            StreamWriter.of(codec).withTimes(Times.PORTABLE),
            List.of(exact),
            folder.resolve("portable"));
    assertEquals(List.of(rounded), readBack(StreamReader.of(codec), portable));
  }

  private static Path written(StreamWriter.Options<Object> options, List<Object> rows, Path file)
      throws IOException {
    try (StreamWriter<Object> writer = options.to(file)) {
      writer.writeAll(rows);
      writer.finish();
    }
    return file;
  }

  private static List<Object> readBack(StreamReader.Options<Object> options, Path file)
      throws IOException {
    try (StreamReader<Object> reader = options.from(file)) {
      return reader.stream().toList();
    }
  }
}
