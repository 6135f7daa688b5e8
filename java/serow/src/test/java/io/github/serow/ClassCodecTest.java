package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.mapping.Mapper;
import io.github.serow.internal.mapping.MapperOptions;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.row.RowReader;
import io.github.serow.internal.wire.Format;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codecs for the caller's own classes. */
class ClassCodecTest {
  /** An envelope of any content. */
  record Envelope<T>(String id, T content) {}

  /** Methods with types that a program finds at run time. */
  interface Service {
    Envelope<Long> number();

    Envelope<List<String>> texts();

    List<Envelope<Long>> numbers();
  }

  private static Codec<Object> codecOfResult(String method) throws NoSuchMethodException {
    return Codec.of(
        TypeReference.of(Service.class.getDeclaredMethod(method).getGenericReturnType()));
  }

  @Test
  void typesOfRunTimeHaveCodecs() throws NoSuchMethodException {
    Codec<Object> number = codecOfResult("number");
    Codec<Object> texts = codecOfResult("texts");
    assertEquals("Envelope{id: str?, content: i64?}", number.schema().toString());
    assertEquals("Envelope{id: str?, content: [str]?}", texts.schema().toString());
    List<Object> rows = List.of(new Envelope<>("a", 1L), new Envelope<>("b", 2L));
    assertEquals(rows, number.decodeAll(number.encodeAll(rows)));
    List<Object> lists = List.of(rows, List.of());
    assertEquals(
        lists, codecOfResult("numbers").decodeAll(codecOfResult("numbers").encodeAll(lists)));
    // Objects of another class are an error, as of the elements of any list.
    assertThrows(EncodeException.class, () -> number.encodeAll(List.of("a")));
    assertEquals(Schema.of(String.class), Schema.of(TypeReference.of(String.class)));
    assertEquals(
        "type",
        assertThrows(NullPointerException.class, () -> TypeReference.of(null)).getMessage());
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
  @interface NonNull {}

  enum Color {
    RED,
    GREEN
  }

  record Numbers(
      long a, int b, short c, byte d, double e, float f, boolean g, Long h, Integer i, Float j) {}

  record Times(
      LocalDate date,
      LocalTime time,
      LocalDateTime clock,
      OffsetDateTime offset,
      ZonedDateTime zoned,
      Instant instant,
      Duration duration) {}

  record Others(
      @NonNull String text,
      BigDecimal price,
      BigInteger large,
      UUID id,
      Complex complex,
      NdArray array,
      Color color) {}

  record Tags(
      List<String> list,
      Set<Integer> set,
      FrozenSet<Color> frozen,
      Map<String, List<Optional<Long>>> map,
      Optional<String> some,
      Collection<Point> points) {}

  record Point(int x, float y) {}

  record Box<T>(T value, List<? extends T> more) {}

  record Nested(Box<Point> points, Box<Box<String>> texts, Map<Point, Set<Point>> byPoint) {}

  /** Arrays are compared by identity. */
  record Arrayed(
      long[] longs,
      int[] ints,
      short[] shorts,
      double[] doubles,
      float[] floats,
      boolean[] bits,
      byte[] bytes,
      String[] texts,
      Point[][] points,
      List<int[]> lists) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Arrayed arrayed && Arrays.deepEquals(all(), arrayed.all());
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(all());
    }

    private Object[] all() {
      return new Object[] {
        longs, ints, shorts, doubles, floats, bits, bytes, texts, points, lists.toArray()
      };
    }
  }

  /** Its superclass has a type parameter. */
  public static class Base<T> {
    private List<T> values;

    public List<T> getValues() {
      return values;
    }

    public void setValues(List<T> values) {
      this.values = values;
    }
  }

  public static final class Bean extends Base<Integer> {
    private String name;
    private int size;
    private boolean open;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }

    public boolean isOpen() {
      return open;
    }

    public Bean setOpen(boolean open) {
      this.open = open;
      return this;
    }

    /** Not a property, because it has no field. */
    public int getArea() {
      return size * size;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bean bean
          && Objects.equals(name, bean.name)
          && size == bean.size
          && open == bean.open
          && Objects.equals(getValues(), bean.getValues());
    }

    @Override
    public int hashCode() {
      return Objects.hash(name, size, open, getValues());
    }
  }

  record Checked(int low, int high) {
    Checked {
      if (low > high) {
        throw new IllegalArgumentException(low + " is above " + high);
      }
    }
  }

  static List<Object> samples(int seed) {
    Random random = new Random(seed);
    ZoneId zone = ZoneId.of("Europe/Zurich");
    List<Object> samples = new ArrayList<>();
    long number = random.nextLong();
    String text = random.nextBoolean() ? null : "text " + random.nextInt(50) + "\u20ac";
    boolean absent = random.nextInt(3) == 0;
    samples.add(
        new Numbers(
            number,
            (int) number,
            (short) number,
            (byte) number,
            number / 7.0,
            number / 7.0f,
            number > 0,
            absent ? null : number,
            absent ? null : (int) number,
            absent ? null : (float) number));
    LocalDateTime clock = LocalDateTime.of(2024, 2, 29, 12, 30).plusSeconds((int) number);
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(3600));
    samples.add(
        new Times(
            absent ? null : clock.toLocalDate(),
            clock.toLocalTime(),
            clock,
            clock.atOffset(offset),
            random.nextBoolean() ? clock.atZone(zone) : clock.atZone(offset),
            clock.toInstant(offset),
            Duration.ofSeconds(number)));
    samples.add(
        new Others(
            "" + text,
            absent ? null : BigDecimal.valueOf(number, 3),
            BigInteger.valueOf(number).multiply(BigInteger.TEN),
            new UUID(number, 7),
            new Complex(1.5, number),
            absent ? null : NdArray.of(new float[] {number, 0.5f}, 2, 1),
            absent ? null : Color.values()[(int) (number & 1)]));
    Map<String, List<Optional<Long>>> map = new LinkedHashMap<>();
    map.put("a", List.of());
    map.put("\u20ac", List.of(Optional.of(number), Optional.empty()));
    Point point = new Point((int) number, 0.5f);
    samples.add(
        new Tags(
            absent ? null : List.of("x", "" + text),
            Set.of((int) number, 1),
            FrozenSet.copyOf(List.of(Color.GREEN)),
            map,
            Optional.ofNullable(text),
            List.of(point, new Point(1, 2))));
    samples.add(
        new Nested(
            new Box<>(point, List.of(point, point)),
            new Box<>(absent ? null : new Box<>(text, List.of()), null),
            Map.of(point, Set.of(point))));
    samples.add(
        new Arrayed(
            random.longs(random.nextInt(5)).toArray(),
            random.ints(random.nextInt(5)).toArray(),
            new short[] {(short) number},
            random.doubles(random.nextInt(5)).toArray(),
            new float[] {0.1f, Float.NaN},
            new boolean[] {true, false},
            new byte[] {(byte) number},
            new String[] {"a", "" + text},
            new Point[][] {{point}, {}},
            List.of(new int[] {1, 2}, new int[0])));
    Bean bean = new Bean();
    bean.setName(text);
    bean.setSize(random.nextInt(1000));
    bean.setOpen(absent);
    bean.setValues(absent ? null : List.of(1, 2, (int) number));
    samples.add(bean);
    return samples;
  }

  private static <T> void comesBack(Class<T> type, Wire wire, int count) {
    List<T> rows = new ArrayList<>();
    for (int seed = 0; seed < count; seed++) {
      for (Object sample : samples(seed)) {
        if (sample.getClass() == type) {
          rows.add(type.cast(sample));
        }
      }
    }
    Codec<T> codec = Codec.of(type).withWire(wire);
    assertEquals(Schema.of(type), codec.schema());
    byte[] message = codec.encodeAll(rows);
    assertEquals(rows, codec.decodeAll(message));
    // The interpreter gives the same result.
    Mapping mapping = Mapper.of(type, MapperOptions.NONE);
    Node root = Nodes.of(mapping.type(), io.github.serow.Times.EXACT, mapping::node).root();
    assertArrayEquals(message, walked(root, codec.schema(), rows, wire));
    if (wire == Wire.FRAME) {
      assertEquals(rows, RandomRowsTest.read(RowReader.interpreted(root), message));
    }
    // And codecs of plain objects can read them.
    Codec<Object> plain = Codec.ofAny(codec.schema()).withWire(wire);
    List<Object> objects = plain.decodeAll(message);
    assertArrayEquals(message, plain.encodeAll(objects));
    assertEquals(rows, codec.decodeAll(plain.encodeAll(objects)));
    for (int i = 0; i < rows.size(); i++) {
      byte[] record = codec.encode(rows.get(i));
      assertArrayEquals(record, plain.encode(objects.get(i)));
      assertEquals(rows.get(i), codec.decode(record));
    }
  }

  /** The message that native code makes of what the nodes write. */
  private static byte[] walked(Node root, Schema schema, List<?> rows, Wire wire) {
    RecordWriter writer = RecordWriter.interpreted(root);
    RecordOut out = new RecordOut();
    int at = 0;
    for (Object row : rows) {
      int value = at + RecordIn.LENGTH;
      int end = writer.write(row, out, value);
      out.putInt(at, end - value);
      at = end;
    }
    Format format = Format.plain(wire);
    return EncodeContext.ofRecords(Binding.of(schema), format, out.bytes, 0, at, rows.size());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Numbers.class,
        Times.class,
        Others.class,
        Tags.class,
        Nested.class,
        Arrayed.class,
        Bean.class
      })
  void objectsComeBackEqual(Class<?> type) {
    for (Wire wire : Wire.values()) {
      comesBack(type, wire, 1);
      comesBack(type, wire, 100);
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void manyRowsMakeManyFrames(Wire wire) {
    List<Point> rows = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      rows.add(new Point(i, i * 0.25f));
    }
    Codec<Point> codec = Codec.of(Point.class).withWire(wire);
    assertEquals(rows, codec.decodeAll(codec.encodeAll(rows)));
    codec.compile();
    assertEquals(rows, codec.decodeAll(codec.encodeAll(rows)));
  }

  @Test
  void schemasAreThoseOfClasses() {
    assertEquals(
        "Numbers{a: i64, b: i64, c: i64, d: i64, e: f64, f: f64, g: bool, h: i64?, i: i64?, j: f64?}",
        Schema.of(Numbers.class).toString());
    assertEquals(
        "Others{text: str, price: decimal?, large: int?, id: uuid?, complex: complex?, array:"
            + " ndarray?, color: enum Color{RED, GREEN}?}",
        Schema.of(Others.class).toString());
    assertEquals(
        "Tags{list: [str]?, set: {i64}?, frozen: frozenset{enum Color{RED, GREEN}}?, map: {str:"
            + " [i64?]}?, some: str?, points: [Point{x: i64, y: f64}]?}",
        Schema.of(Tags.class).toString());
    assertEquals(
        "Bean{name: str?, open: bool, size: i64, values: [i64]?}",
        Schema.of(Bean.class).toString());
    assertEquals("i64", Schema.of(Integer.class).toString());
    assertEquals("enum Color{RED, GREEN}", Schema.of(Color.class).toString());
    assertEquals(
        Schema.infer(List.of(new Checked(1, 2))).toString(), Schema.of(Checked.class).toString());
  }

  @SuppressWarnings("rawtypes")
  record Raw(List raw) {}

  @SuppressWarnings("rawtypes")
  record RawMap(List<Map> maps) {}

  record Unknown(Point point, Date date) {}

  record Anything(Map<String, Object> map) {}

  record Loop(List<Loop> loops) {}

  record SetOfLists(Set<List<String>> set) {}

  record SetOfBeans(Map<Bean, String> map) {}

  record Stars(List<?> list) {}

  static final class NoConstructor {
    NoConstructor(int size) {}
  }

  static final class NoProperties {}

  record TwoOptions(List<Optional<Optional<Long>>> value) {}

  private static void assertRefused(Class<?> type, String message) {
    SchemaException e = assertThrows(SchemaException.class, () -> Codec.of(type));
    assertEquals(message, e.getMessage());
    assertThrows(SchemaException.class, () -> Schema.of(type));
  }

  @Test
  void classesWithoutASchemaAreDescribed() {
    assertRefused(
        Raw.class,
        "Raw.raw is a List without the type of its elements; write, for example, List<String>,"
            + " or for rows new TypeReference<List<String>>() {}");
    assertRefused(
        RawMap.class,
        "RawMap.maps<0> is a Map without the type of its elements; write, for example, Map<String, Long>,"
            + " or for rows new TypeReference<Map<String, Long>>() {}");
    assertRefused(
        TwoOptions.class, "TwoOptions.value<0> is an option of an option; use a single option");
    assertRefused(
        Box.class,
        "Box.value is of type parameter T, which has no argument here; give the arguments with a"
            + " TypeReference");
    assertRefused(
        Unknown.class,
        "Unknown.date is of class java.util.Date, which has no type; register a converter:"
            + " Mappings.standard().withConverter(Date.class, Instant.class, Date::toInstant,"
            + " Date::from)");
    assertRefused(
        Anything.class,
        "Anything.map<1> is of class java.lang.Object, which has no type; declare the class"
            + " of its values, or a sealed interface that all their classes implement, or register"
            + " a converter to byte[] by Serow.dumps and Serow.loads; for rows of any type use"
            + " Codec.ofAny");
    assertRefused(
        Stars.class,
        "Stars.list<0> is of class java.lang.Object, which has no type; declare the class"
            + " of its values, or a sealed interface that all their classes implement, or register"
            + " a converter to byte[] by Serow.dumps and Serow.loads; for rows of any type use"
            + " Codec.ofAny");
    assertRefused(
        Loop.class,
        "Loop.loops<0> is inside Loop itself; a schema can't be recursive: write a list of all the"
            + " objects, with indices in place of those inside them, for example by a converter"
            + " (Mappings.standard().withConverter), or mark the field with @Ignore");
    assertRefused(
        SetOfLists.class,
        "SetOfLists.set has mutable elements or keys, which can't be hashed; use" + " records");
    assertRefused(
        SetOfBeans.class,
        "SetOfBeans.map has mutable elements or keys, which can't be hashed; use" + " records");
    assertRefused(
        NoConstructor.class,
        "NoConstructor is of class io.github.serow.ClassCodecTest$NoConstructor, which is not a record"
            + " and has no constructor without arguments and no builder, and parameter 1, \"size\", of"
            + " its constructor NoConstructor(int) has no field or getter of its name and type; add"
            + " one, put @Name(\"size\") at the field that it is for, use a record, or register a converter");
    assertRefused(
        NoProperties.class,
        "NoProperties is of class io.github.serow.ClassCodecTest$NoProperties, which is not a record"
            + " and has no field; make it a record");
  }

  private static <T> void assertNotEncoded(Class<T> type, T row, String message) {
    Codec<T> codec = Codec.of(type);
    List<T> rows = Collections.singletonList(row);
    EncodeException e = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
    assertEquals("row 0" + message, e.getMessage());
  }

  @Test
  void misfitsAreDescribed() {
    assertNotEncoded(
        Others.class,
        new Others(null, null, null, null, null, null, null),
        ", field text (str): cannot encode null");
    assertNotEncoded(
        Tags.class,
        new Tags(Arrays.asList("a", null), null, null, null, null, null),
        ", field list.1 (str): cannot encode null; declare it with @Nullable for types, such as JSpecify's, or as an Optional");
    assertNotEncoded(Point.class, null, ", (Point{x: i64, y: f64}): cannot encode null");
    Bean extended = new Bean();
    Codec<Bean> codec = Codec.of(Bean.class);
    assertNull(codec.decodeAll(codec.encodeAll(List.of(extended))).get(0).getName());
  }

  private static <T> DecodeException notDecoded(Class<T> type, List<?> rows) {
    DecodeException found = null;
    Codec<T> codec = Codec.of(type);
    Codec<Object> plain = Codec.ofAny(codec.schema());
    List<Object> many = new ArrayList<>(Collections.nCopies(500, rows.get(0)));
    many.addAll(rows);
    byte[] message = plain.encodeAll(many);
    found = assertThrows(DecodeException.class, () -> codec.decodeAll(message));
    Mapping mapping = Mapper.of(type, MapperOptions.NONE);
    Node root = Nodes.of(mapping.type(), io.github.serow.Times.EXACT, mapping::node).root();
    assertThrows(
        AssertionError.class, () -> RandomRowsTest.read(RowReader.interpreted(root), message));

    return found;
  }

  private static String message(Class<?> type, Object... rows) {
    return notDecoded(type, Arrays.asList(rows)).getMessage();
  }

  @Test
  void valuesThatAClassCannotRepresentAreDescribed() {
    List<String> point = List.of("x", "y");
    assertEquals(
        "frame 0, row 501, field x (i64): cannot decode 3000000000 as an int, which has fewer bits",
        message(
            Point.class,
            Row.of("Point", point, 1L, 0.5),
            Row.of("Point", point, 3_000_000_000L, 0.5)));
    assertEquals(
        "frame 0, row 501, field y (f64): cannot decode 0.1 as a float, which has fewer bits",
        message(Point.class, Row.of("Point", point, 1L, 0.5), Row.of("Point", point, 1L, 0.1)));
    List<String> bounds = List.of("low", "high");
    DecodeException e =
        notDecoded(
            Checked.class,
            List.of(Row.of("Checked", bounds, 1L, 2L), Row.of("Checked", bounds, 2L, 1L)));
    assertEquals(
        "frame 0, row 501, (Checked{low: i64, high: i64}): cannot make the object:"
            + " java.lang.IllegalArgumentException: 2 is above 1",
        e.getMessage());
    assertEquals(IllegalArgumentException.class, e.getCause().getClass());
    List<String> bean = List.of("name", "open", "size", "values");
    String message =
        message(
            Bean.class,
            Row.of("Bean", bean, "a", true, 1L, List.of(1L)),
            Row.of("Bean", bean, "a", true, 1L, List.of(1L, 1L << 40)));
    assertTrue(message.startsWith("frame 0, row 501, field values.1 (i64): cannot"), message);
  }

  record Before(long key, String name, float price) {}

  record Item(@NonNull String name, Optional<Long> size, double price, BigInteger key) {}

  @ParameterizedTest
  @EnumSource(Wire.class)
  void messagesOfOtherSchemasAreReadByTheNamesOfFields(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      Map<String, Object> dict = new LinkedHashMap<>();
      dict.put("price", i / 4.0);
      dict.put("key", (long) i);
      dict.put("name", "n" + i % 10);
      dict.put("more", List.of(dict.toString()));
      rows.add(dict);
    }
    Codec<Item> codec = Codec.of(Item.class);
    List<Item> items = codec.decodeAll(Serow.dumps(rows, wire));
    assertEquals(3000, items.size());
    BigInteger key = BigInteger.valueOf(2999);
    assertEquals(new Item("n9", Optional.empty(), 749.75, key), items.get(2999));
    // Rows of the codec's own schema, and no rows, are decoded afterwards as before.
    assertEquals(items, codec.decodeAll(codec.encodeAll(items)));
    assertEquals(List.of(), codec.decodeAll(Serow.dumps(List.of(), wire)));
    assertEquals(items, codec.decodeAll(Serow.dumps(rows, wire)));
    byte[] before;
    Codec<Before> other = Codec.of(Before.class).withWire(wire);
    before = other.encodeAll(List.of(new Before(1, "a", 0.5f)));

    SchemaException e = assertThrows(SchemaException.class, () -> codec.decodeAll(before));
    assertTrue(
        e.getMessage().contains("field name: it may be null, but str may not be null; make"),
        e.getMessage());

    Codec<Before> befores = Codec.of(Before.class);
    assertEquals(new Before(7, "n7", 1.75f), befores.decodeAll(Serow.dumps(rows, wire)).get(7));
    rows.set(2000, Map.of("key", 1L, "name", "x", "price", 0.1, "more", List.of()));
    byte[] message = Serow.dumps(rows, wire);
    DecodeException fewer = assertThrows(DecodeException.class, () -> befores.decodeAll(message));
    assertEquals(
        "frame 0, row 2000, field price (f64): cannot decode 0.1 as a float, which has fewer bits",
        fewer.getMessage());
  }

  @Test
  void messagesOfOtherSchemasAreRefused() {
    byte[] message = Serow.dumps(List.of(Row.of("Point", List.of("y", "x"), 1L, "a")));
    Codec<Point> codec = Codec.of(Point.class);
    assertThrows(SchemaException.class, () -> codec.decodeAll(message));
  }

  @Test
  void malformedMessagesGiveObjectsOrErrors() {
    Random random = new Random(3);
    for (Object sample : samples(1)) {
      lie(sample.getClass(), random);
    }
  }

  private static <T> void lie(Class<T> type, Random random) {
    List<T> rows = new ArrayList<>();
    for (int seed = 0; seed < 5; seed++) {
      samples(seed).stream().filter(type::isInstance).map(type::cast).forEach(rows::add);
    }
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      byte[] message = codec.encodeAll(rows);
      for (int round = 0; round < 500; round++) {
        byte[] lying = message.clone();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
          lying[8 + random.nextInt(message.length - 8)] = (byte) random.nextInt();
        }
        try {
          for (Object row : codec.decodeAll(LyingContentTest.seal(lying))) {
            assertSame(type, row.getClass());
          }
        } catch (DecodeException | LimitException | SchemaException e) {
          assertTrue(e.getMessage() != null);
        }
      }
    }
  }
}
