package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defaults of properties that older messages lack, and errors of converters and collections. */
class ClassVersionsTest {
  @Name("Line")
  record OldLine(long part) {}

  @Name("Order")
  record OldOrder(long key, List<OldLine> lines, Map<String, OldLine> named) {}

  enum Color {
    RED,
    @Name("g")
    GREEN
  }

  record Line(
      long part,
      @Default("1") int count,
      @Default("0.5") float share,
      @Default("2.50") BigDecimal price,
      @Default("a, b") String note) {}

  record Order(
      long key,
      List<Line> lines,
      Map<String, Line> named,
      @Default("true") boolean open,
      @Default("x") char mark,
      @Default("g") Color color,
      @Default("2024-02-29") LocalDate day,
      @Default("2024-02-29T12:00:00Z") Instant at,
      @Default("PT1H") Duration time,
      @Default("12345678-1234-5678-1234-567812345678") UUID id,
      @Default("7") Optional<Long> more,
      @Default("[]") List<String> tags,
      @Default("{}") TreeMap<String, Integer> counts) {}

  private static final Line LINE = new Line(7, 1, 0.5f, new BigDecimal("2.50"), "a, b");

  private static final Order ORDER =
      new Order(
          1,
          List.of(LINE, LINE),
          Map.of("a", LINE),
          true,
          'x',
          Color.GREEN,
          LocalDate.of(2024, 2, 29),
          Instant.parse("2024-02-29T12:00:00Z"),
          Duration.ofHours(1),
          UUID.fromString("12345678-1234-5678-1234-567812345678"),
          Optional.of(7L),
          List.of(),
          new TreeMap<>());

  private static final OldOrder OLD =
      new OldOrder(1, List.of(new OldLine(7), new OldLine(7)), Map.of("a", new OldLine(7)));

  @ParameterizedTest
  @EnumSource(Wire.class)
  void missingPropertiesGetTheirDefaults(Wire wire) {
    Codec<OldOrder> old = Codec.of(OldOrder.class).withWire(wire);
    Codec<Order> codec = Codec.of(Order.class).withWire(wire);
    for (int rows : new int[] {1, 5000}) {
      byte[] message = old.encodeAll(Collections.nCopies(rows, OLD));
      assertEquals(Collections.nCopies(rows, ORDER), codec.decodeAll(message));
    }
    SchemaSet schemas = new SchemaSet();
    schemas.add(old.schema());
    assertEquals(
        ORDER, codec.withSchemas(schemas).decode(old.withoutSchemaAndChecksum().encode(OLD)));
    // Messages of the class itself are not touched.
    assertEquals(List.of(ORDER), codec.decodeAll(codec.encodeAll(List.of(ORDER))));
  }

  record WithNull(Long count, String note) {}

  @Name("WithNull")
  record NotNull(@Default("1") int count, @Default("[]") List<Long> added) {}

  @Name("WithNull")
  static class NotNullByFields {
    int count = 5;
  }

  @Name("WithNull")
  record WithoutDefault(int count) {}

  @ParameterizedTest
  @EnumSource(Wire.class)
  void aNullBecomesTheDefaultOfWhatIsNotNull(Wire wire) {
    Codec<WithNull> old = Codec.of(WithNull.class).withWire(wire);
    List<WithNull> rows = List.of(new WithNull(null, "a"), new WithNull(7L, null));
    byte[] message = old.encodeAll(rows);
    Codec<NotNull> codec = Codec.of(NotNull.class).withWire(wire);
    NotNull filled = new NotNull(1, List.of());
    assertEquals(List.of(filled, new NotNull(7, List.of())), codec.decodeAll(message));
    byte[] record = old.withoutSchemaAndChecksum().encode(rows.get(0));
    SchemaSet schemas = new SchemaSet().add(old.schema());
    assertEquals(filled, codec.withSchemas(schemas).decode(record));
    List<NotNullByFields> made = Codec.of(NotNullByFields.class).withWire(wire).decodeAll(message);
    assertEquals(List.of(5, 7), made.stream().map(each -> each.count).toList());
    Codec<WithoutDefault> none = Codec.of(WithoutDefault.class).withWire(wire);
    SchemaException error = assertThrows(SchemaException.class, () -> none.decodeAll(message));
    String advice = "field count: it may be null, but i64 may not be null; make the field optional";
    assertTrue(error.getMessage().contains(advice), error.getMessage());
  }

  @Name("Box")
  record Empty() {}

  record Box(URI at) {}

  @Name("Box")
  record BoxWithDefault(@Default("http://a") URI at, @Ignore @Default("http://b") URI other) {}

  private static final Mappings URIS =
      Mappings.standard().withConverter(URI.class, String.class, URI::toString, URI::create);

  @Test
  void aConvertedPropertyHasTheDefaultOfItsText() {
    byte[] message = Codec.of(Empty.class).encodeAll(List.of(new Empty()));
    URI a = URI.create("http://a");
    assertEquals(
        List.of(new BoxWithDefault(a, URI.create("http://b"))),
        Codec.of(BoxWithDefault.class, URIS).withWire(Wire.FRAME).decodeAll(message));
    assertEquals(
        List.of(new Box(null)), Codec.of(Box.class, URIS).withWire(Wire.ROW).decodeAll(message));
  }

  record NoUri(@Ignore @Default(":") URI uri) {}

  @Test
  void aDefaultThatTheConverterRefusesIsRefused() {
    SchemaException error = assertThrows(SchemaException.class, () -> Schema.of(NoUri.class, URIS));
    assertTrue(
        error
            .getMessage()
            .startsWith("NoUri.uri has the default \":\", which its converter refuses: java."),
        error.getMessage());
  }

  record NoNumber(@Default("one") int count) {}

  record TooLarge(@Default("300") byte count) {}

  record NoMember(@Default("BLUE") Color color) {}

  record NoDefault(@Default("a") byte[] bytes) {}

  record NoList(@Default("a") List<String> list) {}

  private static void assertRefused(Class<?> type, String message) {
    SchemaException error = assertThrows(SchemaException.class, () -> Schema.of(type));
    assertEquals(message, error.getMessage());
  }

  @Test
  void aWrongDefaultIsRefused() {
    assertRefused(NoNumber.class, "NoNumber.count has the default \"one\", which is no Integer");
    assertRefused(TooLarge.class, "TooLarge.count has the default \"300\", which is no Byte");
    assertRefused(
        NoMember.class, "NoMember.color has the default \"BLUE\", which is not one of RED, g");
    assertRefused(
        NoDefault.class,
        "NoDefault.bytes has the default \"a\", which is only possible for texts, numbers, dates"
            + " and the like, enums, and empty collections");
    assertRefused(
        NoList.class,
        "NoList.list has the default \"a\", which is no collection; only \"[]\" is, which has no"
            + " elements");
  }

  record Twice(@Name("a") long x, long a) {}

  sealed interface Items {
    final class A {
      record Item(int n) implements Items {}
    }

    final class B {
      record Item(int n) implements Items {}
    }
  }

  @Test
  void clashingNamesAreRefused() {
    assertRefused(Twice.class, "field \"a\" comes twice in Twice");
    assertRefused(
        Items.class,
        "Items is of the sealed type io.github.serow.ClassVersionsTest$Items, and two of its classes"
            + " are Item{n: i64} in the schema; give one of them another name with @Name");
  }

  record Sites(List<URI> links) {}

  @Test
  void errorsOfConvertersNameThePlace() {
    IllegalStateException failure = new IllegalStateException("no");
    Mappings failing =
        Mappings.standard()
            .withConverter(
                URI.class,
                String.class,
                uri -> {
                  throw failure;
                },
                text -> text.equals("null") ? null : URI.create(text));
    Sites sites = new Sites(List.of(URI.create("a")));
    for (Wire wire : Wire.values()) {
      Codec<Sites> codec = Codec.of(Sites.class, failing).withWire(wire);
      EncodeException error =
          assertThrows(EncodeException.class, () -> codec.encodeAll(List.of(sites, sites)));
      assertEquals(
          "row 0, field links.0 (str): cannot read it, because the converter for java.net.URI"
              + " failed: java.lang.IllegalStateException: no",
          error.getMessage());
      assertSame(failure, error.getCause());
      assertEquals(List.of("links", 0), error.path().orElseThrow());
      assertThrows(EncodeException.class, () -> codec.encode(sites));

      Codec<Sites> writer =
          Codec.of(
                  Sites.class,
                  Mappings.standard()
                      .withConverter(URI.class, String.class, URI::getFragment, URI::create))
              .withWire(wire);
      for (String text : new String[] {"null", ":"}) {
        Sites wrong = new Sites(List.of(URI.create("#a"), URI.create("#" + text)));
        DecodeException decode =
            assertThrows(
                DecodeException.class, () -> codec.decodeAll(writer.encodeAll(List.of(wrong))));
        assertEquals(List.of("links", 1), decode.path().orElseThrow(), decode.getMessage());
        assertThrows(DecodeException.class, () -> codec.decode(writer.encode(wrong)));
      }
    }
  }

  record Prices(Set<BigDecimal> prices) {}

  @Name("Prices")
  record SortedPrices(TreeSet<BigDecimal> prices) {}

  @Test
  void aSortedSetThatLosesElementsIsAnError() {
    Prices prices = new Prices(Set.of(new BigDecimal("1.0"), new BigDecimal("1.00")));
    byte[] message = Codec.of(Prices.class).encodeAll(List.of(prices));
    DecodeException error =
        assertThrows(DecodeException.class, () -> Codec.of(SortedPrices.class).decodeAll(message));
    assertEquals("of 2 different elements, TreeSet keeps only 1", error.getCause().getMessage());
    assertEquals(List.of("prices"), error.path().orElseThrow());
  }

  record Letter(char letter) {}

  @Name("Letter")
  record Text(@ClassCodecTest.NonNull String letter) {}

  @Test
  void aTextThatIsNoCharIsAnError() {
    assertEquals(Schema.of(Letter.class), Schema.of(Text.class));
    byte[] message = Codec.of(Text.class).encodeAll(List.of(new Text("a"), new Text("ab")));
    DecodeException error =
        assertThrows(DecodeException.class, () -> Codec.of(Letter.class).decodeAll(message));
    assertEquals(
        "frame 0, row 1, field letter (str): cannot decode a text of 2 chars as a char; use String",
        error.getMessage());
  }

  @Name("Line")
  record Counted(long part, int count) {}

  @Name("Order")
  record CountedOrder(List<Counted> lines) {}

  /** A field without a default. The error names its path, and says what to do. */
  @Test
  void aFieldThatOlderRowsLackNeedsADefault() {
    String why =
        "field lines.[].count: the writer's schema lacks it, and i64 has no default; make the field"
            + " optional, or give it a default";
    Codec<OldOrder> older = Codec.of(OldOrder.class);
    Codec<CountedOrder> newer = Codec.of(CountedOrder.class);
    for (Wire wire : Wire.values()) {
      byte[] message = Codec.of(OldOrder.class).withWire(wire).encodeAll(List.of(OLD));
      SchemaException error = assertThrows(SchemaException.class, () -> newer.decodeAll(message));
      assertTrue(error.getMessage().startsWith("frame 0 has rows of schema Order{"));
      assertTrue(error.getMessage().endsWith(why), error.getMessage());
    }
    SchemaSet schemas = new SchemaSet();
    schemas.add(older.schema());
    byte[] record = older.withoutSchemaAndChecksum().encode(OLD);
    SchemaException error =
        assertThrows(SchemaException.class, () -> newer.withSchemas(schemas).decode(record));
    assertTrue(error.getMessage().startsWith("the record has schema Order{"), error.getMessage());
    assertTrue(error.getMessage().endsWith(why), error.getMessage());
  }

  @Name("Part")
  record ComparedPart(double key, String name, @Default("1") int size) {}

  @Test
  void schemasAreComparedWithTheDefaultsOfAClass() {
    Codec<ComparedPart> codec = Codec.of(ComparedPart.class);
    Comparison result = codec.compare(Schema.parse("Part{key: i64, name: str, price: f64}"));
    assertTrue(result.isReadable());
    assertEquals(
        """
        key: i64 -> f64; an integer beyond ±2⁵³ is an error
        name: str -> str?
        price: dropped (f64)
        size: missing (i64); the writer's schema lacks it; it gets its default""",
        result.toString());
    assertTrue(result.changes().get(0).mayFail());
    assertEquals(List.of(), result.warnings());

    Comparison refused = codec.compare(Schema.parse("Part{key: str, \"a\\u{a}b\": i64}"));
    assertFalse(refused.isReadable());
    Comparison.Change key = refused.changes().get(0);
    assertEquals(Comparison.Kind.REFUSED, key.kind());
    assertEquals("str can't be read as f64", key.reason());
    assertEquals(1, refused.warnings().size());
    assertEquals("key: f64\nname: str?\nsize: i64", codec.compare(codec.schema()).toString());
  }
}
