package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** No field of a class is lost without an error, whatever its methods and constructors are. */
class LostFieldsTest {
  private static <T> T back(Class<T> type, T object, Mappings mappings) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type, mappings).withWire(wire);
      List<T> rows = codec.decodeAll(codec.encodeAll(Collections.nCopies(3000, object)));
      decoded = codec.decode(codec.encode(rows.get(2999)));
    }
    return decoded;
  }

  private static <T> T back(Class<T> type, T object) {
    return back(type, object, Mappings.standard());
  }

  private static void assertLost(Class<?> type, String why) {
    SchemaException error = assertThrows(SchemaException.class, () -> Schema.of(type));
    assertTrue(error.getMessage().contains(why), error.getMessage());
  }

  static class Entity {
    private long id;

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }
  }

  static class Player extends Entity {
    private int level;
    private int[] scores;
  }

  @Test
  void fieldsBesideOtherPropertiesAreNotLost() {
    Player player = new Player();
    player.setId(7);
    player.level = 3;
    player.scores = new int[] {1, 2};
    Player decoded = back(Player.class, player, Mappings.standard());
    assertEquals(7, decoded.getId());
    assertEquals(3, decoded.level);
    assertArrayEquals(player.scores, decoded.scores);
  }

  static class Named extends Entity {
    @Name("hit_points")
    private int hitPoints;

    @Default("5")
    private int mana;

    @Ignore private int cache;
    private transient int hash;
    private final Lock lock = new ReentrantLock();
    @Ignore private Runnable listener;
  }

  @Test
  void annotatedFieldsAreProperties() {
    Named named = new Named();
    named.hitPoints = 3;
    named.mana = 4;
    named.cache = 1;
    Named decoded = back(Named.class, named);
    assertEquals("Named{hit_points: i64, id: i64, mana: i64}", sorted(Schema.of(Named.class)));
    assertEquals(List.of(3, 4, 0), List.of(decoded.hitPoints, decoded.mana, decoded.cache));
  }

  /** The fields of a record in the order of their names. */
  private static String sorted(Schema schema) {
    String text = schema.toString();
    int begin = text.indexOf('{') + 1;
    String[] fields = text.substring(begin, text.length() - 1).split(", ");
    java.util.Arrays.sort(fields);
    return text.substring(0, begin) + String.join(", ", fields) + "}";
  }

  /** The setters have other names than the fields, and one calls another method. */
  static class OtherNames {
    private String first;
    private int count;
    private boolean alive;

    public String getName() {
      return first;
    }

    public void setName(String name) {
      assign(name);
    }

    private void assign(String name) {
      first = name;
    }

    public int getSize() {
      return count;
    }

    public OtherNames setSize(int size) {
      count = size;
      return this;
    }

    public Boolean isAlive() {
      return alive;
    }

    public void setAlive(Boolean alive) {
      this.alive = alive;
    }
  }

  @Test
  void aSetterMayHaveAnotherNameThanItsField() {
    OtherNames object = new OtherNames().setSize(3);
    object.setName("a");
    object.setAlive(true);
    OtherNames decoded = back(OtherNames.class, object);
    assertEquals(List.of("a", 3, true), List.of(decoded.first, decoded.count, decoded.alive));
  }

  static class Room {
    private final String id;
    private final List<String> members = new ArrayList<>();

    Room(String id) {
      this.id = id;
    }
  }

  static class Fixed extends Entity {
    private final int[] cells = new int[3];
  }

  @Test
  void finalCollectionsAndArraysAreNotLost() {
    assertLost(Room.class, "whose field members is no parameter of its constructor");
    assertLost(Fixed.class, "whose field cells is final, so that only a constructor can set it");
  }

  static class Above {
    private int x;
  }

  static class Below extends Above {
    private int x;
  }

  @Test
  void fieldsOfTheSameNameAreBothWritten() {
    Below below = new Below();
    below.x = 1;
    ((Above) below).x = 2;
    Below decoded = back(Below.class, below);
    assertEquals(1, decoded.x);
    assertEquals(2, ((Above) decoded).x);
    assertEquals("Below{\"Above.x\": i64, x: i64}", Schema.of(Below.class).toString());
  }

  /** Has a constructor for tools besides the one that sets its final fields. */
  static class Buff {
    private final String name;
    private final List<Integer> steps;

    private Buff() {
      name = null;
      steps = null;
    }

    Buff(String name, List<Integer> steps) {
      this.name = name;
      this.steps = new ArrayList<>(steps);
    }
  }

  static class Copies {
    private final int[] numbers;
    private final TreeMap<String, Integer> counts;

    Copies(int[] numbers, TreeMap<String, Integer> counts) {
      this.numbers = numbers.clone();
      this.counts = new TreeMap<>(counts);
    }
  }

  @Test
  void aConstructorMayCopyWhatItGets() {
    Buff decoded = back(Buff.class, new Buff("a", List.of(1, 2)));
    assertEquals("a", decoded.name);
    assertEquals(List.of(1, 2), decoded.steps);
    Copies copies = new Copies(new int[] {1}, new TreeMap<>(java.util.Map.of("a", 1)));
    assertArrayEquals(new int[] {1}, back(Copies.class, copies).numbers);
    assertEquals(copies.counts, back(Copies.class, copies).counts);
  }

  static class Changes {
    private final String name;

    Changes(String text) {
      name = text.trim();
    }
  }

  static class Two {
    private final int a;
    private final String b;

    Two(int a, String b) {
      this.a = a;
      this.b = b;
    }

    Two(String b, int a) {
      this.a = a;
      this.b = b;
    }
  }

  static class Renamed {
    private final int a;

    @Creator("a")
    Renamed(int a, int b) {
      this.a = a + b;
    }
  }

  @Test
  void errorsSayWhatIsWrongWithTheConstructors() {
    assertLost(
        Changes.class,
        "parameter 1, \"text\", of its constructor Changes(String) has no field or getter of its"
            + " name and type");
    assertLost(
        Two.class,
        "whose constructors Two(int, String) and Two(String, int) both have its fields as parameters;"
            + " annotate one of them with @Creator");
    assertLost(Renamed.class, "an annotation gives 1 names to the parameters of its constructor");
  }

  static class Failure extends Exception {
    private static final long serialVersionUID = 1L;
    private int code;
  }

  @Test
  void fieldsOfAClassOfJavaAreNotLost() {
    assertLost(
        Failure.class, "which extends java.lang.Throwable, whose fields would be lost; register");
  }

  record Sorted(TreeMap<String, Integer> map) {}

  record SortedSetOf(TreeSet<String> set) {}

  record Queue(PriorityQueue<Integer> queue) {}

  private static <T> void assertNotEncoded(Class<T> type, T object, String message) {
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      EncodeException error =
          assertThrows(EncodeException.class, () -> codec.encodeAll(List.of(object)));
      assertEquals(message, error.getMessage());
      assertThrows(EncodeException.class, () -> codec.encode(object));
    }
  }

  @Test
  void aComparatorIsNotLost() {
    String why =
        "cannot read it, because it is sorted by a comparator, which is not encoded; use the natural"
            + " order, List or Map, or register a converter";
    assertNotEncoded(
        Sorted.class,
        new Sorted(new TreeMap<>(String.CASE_INSENSITIVE_ORDER)),
        "row 0, field map ({str: i64}?): " + why);
    assertNotEncoded(
        SortedSetOf.class,
        new SortedSetOf(new TreeSet<>(Comparator.reverseOrder())),
        "row 0, field set ({str}?): " + why);
    assertNotEncoded(
        Queue.class,
        new Queue(new PriorityQueue<>(Comparator.reverseOrder())),
        "row 0, field queue ([i64]?): " + why);
    Sorted natural = new Sorted(new TreeMap<>(Comparator.naturalOrder()));
    assertEquals(natural, back(Sorted.class, natural));
  }

  static class Base {
    int a;
  }

  static final class Derived extends Base {
    int b;
  }

  record HasBase(Base base) {}

  static sealed class Item permits Weapon {
    int kind;
  }

  static final class Weapon extends Item {
    int damage;
  }

  record Bag(List<Item> items) {}

  @Test
  void subclassesAreArmsOrErrors() {
    assertNotEncoded(
        HasBase.class,
        new HasBase(new Derived()),
        "row 0, field base (Base{a: i64}?): cannot encode io.github.serow.LostFieldsTest$Derived,"
            + " because decoding would lose what it adds to Base; make Base a sealed type, or"
            + " register a converter");
    Weapon weapon = new Weapon();
    weapon.damage = 3;
    Item item = new Item();
    item.kind = 2;
    List<Item> decoded = back(Bag.class, new Bag(List.of(weapon, item))).items();
    assertEquals(3, ((Weapon) decoded.get(0)).damage);
    assertEquals(Item.class, decoded.get(1).getClass());
    assertEquals(2, decoded.get(1).kind);
  }

  @Name("Config")
  record OldConfig(String name) {}

  static class Config {
    private String name;
    private String region = "eu";
    private int retries = 3;
    private int level;
    private List<String> tags = new ArrayList<>(List.of("a"));
    private Point at = new Point(1, 2);
    private UUID id = UUID.randomUUID();
    private String note;
  }

  record Point(int x, int y) {}

  @Test
  void aNewObjectShowsTheDefaults() {
    byte[] message = Codec.of(OldConfig.class).encodeAll(List.of(new OldConfig("n")));
    Config config = Codec.of(Config.class).decodeAll(message).get(0);
    assertEquals("n", config.name);
    assertEquals("eu", config.region);
    assertEquals(3, config.retries);
    assertEquals(0, config.level);
    assertEquals(List.of("a"), config.tags);
    assertEquals(new Point(1, 2), config.at);
    assertNull(config.note);
    // It differs from object to object, so no value is the default.
    assertNull(config.id);
  }

  record Text(String text) {}

  @Test
  void aClassMayBeConvertedToItself() {
    Mappings mappings =
        Mappings.standard().withConverter(String.class, String.class, String::trim, s -> s + "!");
    assertEquals(new Text("a!!"), back(Text.class, new Text(" a "), mappings));
  }

  static class Helped extends Entity {
    private Thread helper;
    public Thread shown;
  }

  @Test
  void aConverterToAClassWithoutATypeIsNamedEachTime() {
    Mappings mappings =
        Mappings.standard()
            .withConverter(Thread.class, Runnable.class, thread -> thread, Thread::new);
    for (int i = 0; i < 2; i++) {
      SchemaException error =
          assertThrows(SchemaException.class, () -> Schema.of(Helped.class, mappings));
      assertTrue(
          error
              .getMessage()
              .startsWith("Helped.helper (converted) is of interface java.lang.Runnable"),
          error.getMessage());
    }
  }

  static class Bean {
    public int a;
  }

  @Test
  void rowsWithoutASchemaNeedRecords() {
    EncodeException error =
        assertThrows(EncodeException.class, () -> Serow.dumps(List.of(new Bean())));
    assertEquals(
        "row 0: cannot encode io.github.serow.LostFieldsTest$Bean, which is no record; encode it"
            + " with a Codec of its class",
        error.getMessage());
  }
}
