package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.message.RowMessageReader;
import io.github.serow.internal.schema.SharedSecrets;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Compares how Java and native code read rows of another schema. */
class EvolutionTest {
  /** The pairs of schemas with which native code's rules are tested. */
  private static final Path CASES =
      Path.of(System.getProperty("serow.golden.dir"))
          .resolve("../../crates/core/src/plan/tests.rs");

  private static final Pattern TEXTS = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  @Provide
  Arbitrary<RandomRowsTest.Sample> samples() {
    return new RandomRowsTest().samples();
  }

  /** Rows, or an error. */
  private record Outcome(ArrayList<Object> rows, SerowException error) {
    boolean isRefusal() {
      return error instanceof SchemaException;
    }

    @Override
    public String toString() {
      return error == null ? "rows" : error.getClass().getSimpleName() + " " + error.getMessage();
    }
  }

  private interface Read {
    ArrayList<Object> rows();
  }

  private static Outcome outcome(Read read) {
    try {
      return new Outcome(read.rows(), null);
    } catch (SerowException e) {
      return new Outcome(null, e);
    }
  }

  /** A writer's and a reader's schema. */
  private static final class Versions {
    private final Schema writer;
    private final Schema reader;
    private final Codec<Object> from;
    private final Codec<Object> to;
    private final ReadOptions options;

    Versions(Schema writer, Schema reader) {
      this.writer = writer;
      this.reader = reader;
      from = Codec.ofAny(writer).withWire(Wire.ROW).withoutSchemaAndChecksum();
      to = Codec.ofAny(reader).withWire(Wire.ROW).withSchemas(new SchemaSet().add(writer));
      options = ReadOptions.of(Binding.of(reader));
    }

    Outcome inJava(byte[] message) {
      return outcome(() -> RowMessageReader.read(message, 0, message.length, options));
    }

    Outcome inNative(byte[] message) {
      return outcome(() -> DecodeContext.read(message, options));
    }

    Outcome single(byte[] record) {
      return outcome(() -> new ArrayList<>(Collections.singletonList(to.decode(record))));
    }

    /** Compares a row's outcomes. Returns that of native code. */
    Outcome check(Object row) {
      byte[] message = from.encodeAll(Collections.singletonList(row));
      Outcome expected = inNative(message);
      try {
        Outcome java = inJava(message);
        assertAlike(expected, java);
        Outcome single = single(from.encode(row));
        assertAlike(java, single);
      } catch (AssertionError e) {
        throw new AssertionError(writer + " -> " + reader + ": " + e.getMessage(), e);
      }
      return expected;
    }
  }

  private static void assertAlike(Outcome expected, Outcome actual) {
    if (expected.error == null && actual.error == null) {
      Same.assertSame(expected.rows, actual.rows);
    } else if (expected.isRefusal()) {
      String reason =
          actual.toString().replace("the record has schema", "frame 0 has rows of schema");
      assertEquals(expected.toString(), reason);
    } else {
      String text = expected + ", but " + actual;
      assertEquals(expected.error == null, actual.error == null, text);
      assertInstanceOf(expected.error.getClass(), actual.error, text);
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void javaReadsOtherVersionsAsNativeCodeDoes(
      @ForAll("samples") RandomRowsTest.Sample sample, @ForAll Random random) {
    Schema writer = Schema.parse(sample.schema());
    for (int i = 0; i < 20; i++) {
      Schema reader = new EvolvedType(random).of(writer);
      if (reader != null) {
        Versions versions = new Versions(writer, reader);
        sample.rows().forEach(versions::check);
      }
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void damagedRecordsOfOtherVersionsHaveTheVerdictOfNativeCode(
      @ForAll("samples") RandomRowsTest.Sample sample, @ForAll Random random) {
    Schema writer = Schema.parse(sample.schema());
    Schema reader = new EvolvedType(random).of(writer);
    if (reader == null || sample.rows().isEmpty()) {
      return;
    }
    Versions versions = new Versions(writer, reader);
    List<Object> rows = sample.rows().subList(0, Math.min(2, sample.rows().size()));
    byte[] like = versions.from.encodeAll(rows);
    for (byte[] record : RecordFrames.values(like)) {
      for (byte[] damaged : RandomRecordsTest.damage(record, random)) {
        byte[] message = RecordFrames.message(like, damaged);
        Outcome expected = versions.inNative(message);
        Outcome actual = versions.inJava(message);
        String text = writer + " -> " + reader + ": " + expected + ", but " + actual;
        assertEquals(expected.error == null, actual.error == null, text);
        if (expected.error == null) {
          Same.assertSame(expected.rows, actual.rows);
        }
      }
    }
  }

  /** What is dropped may be twice in a set or a map: nobody gets it. */
  @Test
  void whatIsDroppedMayBeThereTwice() {
    String[][] types = {
      {"[bool]", "{bool}"},
      {"[[(i64, str)]]", "[{i64: str}]"},
      {"[null]", "{null}"}
    };
    Object[] values = {
      List.of(true, true),
      List.of(List.of(RoundTripTest.tuple(1L, "a"), RoundTripTest.tuple(1L, "b"))),
      Arrays.asList(null, null)
    };
    for (int i = 0; i < types.length; i++) {
      Codec<Object> lists = Codec.ofAny(Schema.parse("(" + types[i][0] + ", i64)"));
      byte[] records =
          lists.withWire(Wire.ROW).encodeAll(List.of(RoundTripTest.tuple(values[i], 7L)));
      Schema writer = Schema.parse("\"R\"{a: " + types[i][1] + ", b: i64}");
      Versions versions = new Versions(writer, Schema.parse("\"R\"{b: i64}"));
      byte[] like =
          RecordFrames.message(
              versions.from.encodeAll(List.of()), RecordFrames.values(records).get(0));
      assertAlike(versions.inNative(like), versions.inJava(like));
      assertNull(versions.inJava(like).error, types[i][1]);
    }
  }

  /** All pairs of texts that are schemas, one after the other, in the tests of native code. */
  @Test
  void theRulesAreThoseOfNativeCode() throws IOException {
    List<Schema> schemas = new ArrayList<>();
    Matcher texts = TEXTS.matcher(Files.readString(CASES));
    while (texts.find()) {
      String text = texts.group(1).replaceAll("\\\\\\s+", "").replace("\\\"", "\"");
      try {
        schemas.add(Schema.parse(text));
      } catch (SchemaException e) {
        schemas.add(null);
      }
    }
    int read = 0;
    int refused = 0;
    for (int i = 1; i < schemas.size(); i++) {
      Schema writer = schemas.get(i - 1);
      Schema reader = schemas.get(i);
      if (writer != null && reader != null && EvolvedType.hasValues(SharedSecrets.type(writer))) {
        Outcome outcome =
            new Versions(writer, reader).check(EvolvedType.value(SharedSecrets.type(writer)));
        read += outcome.error == null ? 1 : 0;
        refused += outcome.isRefusal() ? 1 : 0;
      }
    }
    assertTrue(read > 30 && refused > 60, read + " were read, and " + refused + " refused");
  }

  private static Outcome read(String writer, Object row, String reader) {
    return new Versions(Schema.parse(writer), Schema.parse(reader)).check(row);
  }

  private static void assertRead(String writer, Object row, String reader, Object expected) {
    Outcome outcome = read(writer, row, reader);
    assertEquals(null, outcome.error);
    Same.assertSame(Collections.singletonList(expected), outcome.rows);
  }

  /** Checks that the error of a record is that of native code, in other words for the row. */
  private static void assertRefused(String writer, Object row, String reader) {
    Versions versions = new Versions(Schema.parse(writer), Schema.parse(reader));
    String expected = versions.check(row).error.getMessage();
    DecodeException error =
        assertThrows(DecodeException.class, () -> versions.to.decode(versions.from.encode(row)));
    assertEquals(expected.replace("frame 0, row 0", "record"), error.getMessage());
  }

  @Test
  void numbersAreNeverRounded() {
    long most = 1L << 53;
    for (long exact : new long[] {0, most, -most}) {
      assertRead("i64", exact, "f64", (double) exact);
      assertRead("i64", exact, "int", BigInteger.valueOf(exact));
    }
    for (long beyond : new long[] {most + 1, -most - 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertRefused("(i64, i64)", new Object[] {1L, beyond}, "(i64, f64)");
      assertRefused("[i64]", List.of(beyond), "[i16]");
    }
    BigInteger large = BigInteger.ONE.shiftLeft(63);
    assertRead("u64", large, "int", large);
    assertRead("int", large, "u64", large);
    for (String reader : List.of("i64", "f64", "f32", "i8")) {
      assertRefused("int", large, reader);
      assertRefused("int", large.negate().shiftLeft(7), reader);
      assertRefused("int", large.shiftLeft(100), reader);
    }
    assertRefused("i64", (1L << 24) + 1, "f32");
    assertRefused("i64", -1L, "u64");
    assertRefused("f64", 0.1, "f32");
    assertRead("f64", 0.5, "f32", 0.5);
    assertRead("f64", Double.NEGATIVE_INFINITY, "f32", Double.NEGATIVE_INFINITY);
    assertRead("f32", 0.25, "f64", 0.25);
  }

  @Test
  void valuesThatDoNotFitNameTheirPlace() {
    EnumMember green = EnumMember.of("Color", List.of("RED", "GREEN"), "GREEN");
    assertRefused("[enum Color{RED, GREEN}]", List.of(green), "[enum Color{RED, BLUE}]");
    assertRefused("{\"a\": [i64]}", Map.of("a", List.of(1L)), "{\"a\": (i64, i64)}");
    assertRefused("[i64]", List.of(1L, 2L), "[i64,]");
    assertRefused("[i64]", List.of(1L, 1L), "{i64}");
    Object time = LocalDateTime.of(2024, 2, 29, 12, 0);
    assertRefused("(timestamp|timestamptz,)", new Object[] {time}, "(timestamptz,)");
    assertRead("timestamp|timestamptz", time, "timestamp?", time);
    Object[] cancelled = {Row.of("Cancelled", List.of("why"), "lost")};
    String events = "(Created{id: i64}|Paid{id: i64}|Cancelled{why: str},)";
    assertRefused(events, cancelled, "(Created{id: i64}|Paid{id: i64},)");
    assertRefused(events, cancelled, "(Paid{id: f64}?,)");
    assertRead("[i64|str]", List.of(1L), "[f64?]", listOf(1.0));
    assertRefused("[i64|str]", List.of("a"), "[f64?]");
    assertRefused("ndarray", NdArray.of(new float[] {1, 2}, 1, 2), "[f64]");
    assertRefused("ndarray", NdArray.of(new float[] {1}, 1), "[i64]");
    assertRead("ndarray", NdArray.of(new int[] {1, 2}, 1, 2), "[[f64?]]", listOf(listOf(1.0, 2.0)));
  }

  @Test
  void bytesAreMutableOrNot() {
    byte[] bytes = {1, 2};
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    assertRead("[bytes]", List.of(bytes), "[bytearray?]", listOf(buffer));
    assertRead("[bytearray|i64]", List.of(buffer), "[bytes|str]", listOf(bytes));
    assertRead("bytes", bytes, "bytes|bytearray", bytes);
  }

  private static List<Object> listOf(Object... elements) {
    return new ArrayList<>(List.of(elements));
  }

  /** A value that Java's classes can't hold, in a field that the reader drops. */
  @Test
  void whatIsDroppedNeedsNoClassOfJava() {
    Versions versions =
        new Versions(
            Schema.parse("{\"a\": i64, \"b\": decimal}"),
            Schema.parse("{\"a\": i64, \"c\": str?}"));
    byte[] like = versions.from.encodeAll(List.of(Map.of("a", 1L, "b", BigDecimal.ONE)));
    byte[] value = RecordFrames.values(like).get(0);
    // Infinity: the kind of a decimal that is not finite, and which of these it is.
    value[1] = (byte) (6 << 1 | 1);
    value[2] = 1;
    byte[] message = RecordFrames.message(like, value);
    assertThrows(DecodeException.class, () -> versions.from.decodeAll(message));
    assertEquals(null, versions.inNative(message).error);
    assertEquals(null, versions.inJava(message).error);
  }

  /** More schemas than conversions are kept. */
  @Test
  void aReaderMeetsManySchemas() {
    SchemaSet schemas = new SchemaSet();
    Codec<Object> reader =
        Codec.ofAny(Schema.parse("Part{key: f64, note: str?}"))
            .withWire(Wire.ROW)
            .withSchemas(schemas);
    List<byte[]> records = new ArrayList<>();
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Schema schema = Schema.parse("Part{key: i64, extra" + i + ": str}");
      schemas.add(schema);
      Codec<Object> codec = Codec.ofAny(schema).withWire(Wire.ROW).withoutSchemaAndChecksum();
      List<String> names = List.of("key", "extra" + i);
      Row row = Row.of("Part", names, new Object[] {(long) i, "x"});
      records.add(codec.encode(row));
      messages.add(codec.encodeAll(List.of(row, row)));
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < records.size(); i++) {
        Row expected = Row.of("Part", List.of("key", "note"), new Object[] {(double) i, null});
        assertEquals(expected, reader.decode(records.get(i)));
        assertEquals(List.of(expected, expected), reader.decodeAll(messages.get(i)));
      }
    }
  }

  @Test
  void memoryOfConvertedRecordsIsLimited() {
    Schema writer = Schema.parse("[Part{note: str}]");
    Schema reader = Schema.parse("[Part{a: i64?}]");
    Codec<Object> from = Codec.ofAny(writer).withWire(Wire.ROW).withoutSchemaAndChecksum();
    Codec<Object> to =
        Codec.ofAny(reader).withWire(Wire.ROW).withSchemas(new SchemaSet().add(writer));
    Row row = Row.of("Part", List.of("note"), new Object[] {"x".repeat(1000)});
    List<Object> rows = Collections.nCopies(100, row);
    byte[] record = from.encode(rows);
    byte[] message = from.encodeAll(List.of(rows));
    // What is dropped does not add up.
    assertEquals(100, ((List<?>) to.withMaxMemory(12_000).decode(record)).size());
    assertEquals(1, to.withMaxMemory(12_000).decodeAll(message).size());
    assertThrows(LimitException.class, () -> to.withMaxMemory(5_000).decode(record));
    assertThrows(LimitException.class, () -> to.withMaxMemory(5_000).decodeAll(message));
  }

  /** Many fields, which are matched in linear time. */
  @Test
  void wideRecordsAreConverted() {
    StringBuilder fields = new StringBuilder();
    List<String> names = new ArrayList<>();
    Object[] values = new Object[20_000];
    for (int i = 0; i < values.length; i++) {
      names.add("f" + i);
      values[i] = (long) i;
      fields.append(i == 0 ? "" : ", ").append("f").append(i).append(": i64");
    }
    Schema writer = Schema.parse("Wide{" + fields + "}");
    Schema reader = Schema.parse("Wide{f19999: i64, f7: i64}");
    Row row = Row.of("Wide", names, values);
    byte[] message = Codec.ofAny(writer).withWire(Wire.ROW).encodeAll(List.of(row));
    Row expected = Row.of("Wide", List.of("f19999", "f7"), new Object[] {19_999L, 7L});
    assertEquals(List.of(expected), Codec.ofAny(reader).withWire(Wire.ROW).decodeAll(message));
  }
}
