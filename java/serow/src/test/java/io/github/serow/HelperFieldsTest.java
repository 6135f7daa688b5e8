package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Which fields may be left out, because they are no data or because each object has them again. */
class HelperFieldsTest {
  private static <T> T back(Class<T> type, T object) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      try (Codec<T> codec = Codec.of(type, wire)) {
        List<T> rows = codec.decode(codec.encode(Collections.nCopies(3000, object)));
        decoded = codec.decodeOne(codec.encodeOne(rows.get(2999)));
      }
    }
    return decoded;
  }

  private static String refusal(Class<?> type) {
    return assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
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

  static class Listening extends Entity {
    private Runnable listener;
  }

  static class Threaded extends Entity {
    private Thread helper;
  }

  /** Has no getters and setters, so its fields are its properties. */
  static class OfFields {
    long id;
    Thread helper;
  }

  static class ByConstructor {
    private final long id;
    private Thread helper;

    ByConstructor(long id) {
      this.id = id;
    }
  }

  record Holder(List<Threaded> all) {}

  static class Linked {
    String name;
    Linked next;
  }

  private static final String THREAD =
      "helper is of class java.lang.Thread, which has no type; register a converter with"
          + " Mappings.standard().withConverter, or use another class; or mark the field transient"
          + " or with @Ignore if it is no data";

  @Test
  void aFieldWhoseClassHasNoTypeIsAnError() {
    assertEquals(
        "Listening.listener is of interface java.lang.Runnable, which has no type; register a"
            + " converter with Mappings.standard().withConverter, or use another class; or mark the"
            + " field transient or with @Ignore if it is no data",
        refusal(Listening.class));
    assertEquals("Threaded." + THREAD, refusal(Threaded.class));
    assertEquals("OfFields." + THREAD, refusal(OfFields.class));
    assertEquals("Holder.all<0>." + THREAD, refusal(Holder.class));
    assertEquals(
        "Linked.next is inside Linked itself; a schema can't be recursive: write a list of all the"
            + " objects, with indices in place of those inside them, for example by a converter"
            + " (Mappings.standard().withConverter), or mark the field with @Ignore",
        refusal(Linked.class));
    assertTrue(
        refusal(ByConstructor.class)
            .contains("whose field helper is no parameter of its constructor"));
  }

  static class Locked extends Entity {
    static int count;
    private final Lock lock = new ReentrantLock();
    private ReentrantReadWriteLock other = new ReentrantReadWriteLock();
    private final Logger logger = Logger.getLogger("a");
    private System.Logger platform = System.getLogger("b");
    private transient Thread helper;
    @Ignore private Runnable listener;
  }

  static class LockedFields {
    int id;
    private final Lock lock = new ReentrantLock();
    private final Logger logger = Logger.getLogger("a");
  }

  static class LockedByConstructor {
    private final int id;
    private final Lock lock = new ReentrantLock();
    private Logger logger = Logger.getLogger("a");

    LockedByConstructor(int id) {
      this.id = id;
    }
  }

  @Test
  void locksAndLoggersAreNoData() {
    Locked locked = new Locked();
    locked.setId(3);
    assertEquals(3, back(Locked.class, locked).getId());
    assertEquals("Locked{id: i64}", Schema.of(Locked.class).toString());
    LockedFields fields = new LockedFields();
    fields.id = 4;
    assertEquals(4, back(LockedFields.class, fields).id);
    assertEquals(5, back(LockedByConstructor.class, new LockedByConstructor(5)).id);
  }

  static class Constants extends Entity {
    private final int version = 3;
    private final String kind = "a";
    final BigDecimal rate = BigDecimal.valueOf(5);
  }

  static class Circle {
    private final double radius;
    private final double area;
    private final int hash;
    private final String text;
    private final int kind = 7;

    Circle(double radius) {
      if (radius < 0) {
        throw new IllegalArgumentException("negative: " + radius);
      }
      this.radius = radius;
      area = Math.PI * radius * radius;
      hash = Double.hashCode(radius);
      text = radius > 1 ? "large" + hash : "small";
    }
  }

  static class Ring extends Circle {
    private final double inner;

    Ring(double radius, double inner) {
      super(radius);
      this.inner = inner;
    }
  }

  @Test
  void constantsAndComputedValuesAreTheSameAgain() {
    Constants constants = new Constants();
    constants.setId(8);
    Constants decoded = back(Constants.class, constants);
    assertEquals(List.of(8L, 3, "a"), List.of(decoded.getId(), decoded.version, decoded.kind));
    assertEquals(constants.rate, decoded.rate);
    Circle circle = back(Circle.class, new Circle(2));
    assertEquals(Math.PI * 4, circle.area);
    assertEquals("large" + Double.hashCode(2), circle.text);
    assertEquals("Circle{radius: f64}", Schema.of(Circle.class).toString());
    Ring ring = back(Ring.class, new Ring(2, 1));
    assertEquals(Math.PI * 4, ((Circle) ring).area);
    assertEquals(1, ring.inner);
  }

  static class RandomId extends Entity {
    private final UUID key = UUID.randomUUID();
  }

  static class Created {
    private final long id;
    private final long at;

    Created(long id) {
      this.id = id;
      at = System.nanoTime() + id;
    }
  }

  static class Numbered {
    static int last;
    private final long id;
    private final int number;

    Numbered(long id) {
      this.id = id;
      number = ++last;
    }
  }

  static class Branches {
    private final long id;
    private final int way;

    Branches(long id) {
      this.id = id;
      if (Math.random() > id) {
        way = 1;
      } else {
        way = 2;
      }
    }
  }

  static class TwoWays {
    private final long id;
    private final String kind;

    TwoWays(long id) {
      this.id = id;
      kind = "plain";
    }

    TwoWays(String text) {
      id = Long.parseLong(text);
      kind = "parsed";
    }
  }

  static class Above {
    final int depth;
    final int twice;

    Above(int depth) {
      this.depth = depth;
      twice = 2 * depth;
    }
  }

  static class Below extends Above {
    final int id;

    Below(int id) {
      super((int) System.nanoTime());
      this.id = id;
    }
  }

  /** The width may change, but the area stays. */
  static class Mutable {
    private int width;
    private final int area;

    Mutable(int width) {
      this.width = width;
      area = width * width;
    }
  }

  static class OfArray {
    private final int[] all;
    private final int first;

    OfArray(int[] all) {
      this.all = all;
      first = all[0];
    }
  }

  /** The text of an object may be another one in each process. */
  static class OfText {
    private final Entity of;
    private final String text;

    OfText(Entity of) {
      this.of = of;
      text = "of " + of;
    }
  }

  static class Counting {
    private final int id;
    private final AtomicInteger count = new AtomicInteger();

    Counting(int id) {
      this.id = id;
    }
  }

  static class Keeping extends Entity {
    private final Locked locked = new Locked();
  }

  static class Collecting extends Entity {
    private final List<String> list = new ArrayList<>();
  }

  @Test
  void otherFinalFieldsAreErrors() {
    String byConstructor =
        " is no parameter of its constructor, so that its value would be lost; add the parameter,"
            + " or mark the field transient or with @Ignore";
    assertTrue(refusal(Created.class).endsWith("whose field at" + byConstructor));
    assertTrue(refusal(Numbered.class).endsWith("whose field number" + byConstructor));
    assertTrue(refusal(Branches.class).endsWith("whose field way" + byConstructor));
    assertTrue(refusal(TwoWays.class).endsWith("whose field kind" + byConstructor));
    assertTrue(refusal(Counting.class).endsWith("whose field count" + byConstructor));
    assertTrue(refusal(Mutable.class).endsWith("whose field area" + byConstructor));
    assertTrue(refusal(OfArray.class).endsWith("whose field first" + byConstructor));
    assertTrue(refusal(OfText.class).endsWith("whose field text" + byConstructor));
    assertTrue(refusal(Below.class).endsWith("whose field depth" + byConstructor));
    String bySetters =
        " is final, so that only a constructor can set it, and it has no constructor with"
            + " parameters; add one whose parameters are its fields, use a record, or register a"
            + " converter; or mark the field transient or with @Ignore";
    assertTrue(refusal(RandomId.class).endsWith("whose field key" + bySetters));
    assertTrue(refusal(Keeping.class).endsWith("whose field locked" + bySetters));
    assertTrue(refusal(Collecting.class).endsWith("whose field list" + bySetters));
  }

  static class Marked extends Entity {
    private final transient UUID key = null;
    @Ignore private final AtomicInteger count = new AtomicInteger();
  }

  @Test
  void aMarkedFinalFieldIsLeftOut() {
    Marked decoded = back(Marked.class, new Marked());
    assertNull(decoded.key);
    assertEquals(0, decoded.count.get());
  }

  static class Parsed {
    private final int number;

    Parsed(String text) {
      number = Integer.parseInt(text);
    }
  }

  static class ParsedToo {
    private final int number;

    ParsedToo() {
      number = 1;
    }

    ParsedToo(String text) {
      number = Integer.parseInt(text);
    }
  }

  static class Mixed extends Entity {
    private final String name;

    Mixed() {
      name = null;
    }

    Mixed(String name) {
      this.name = name;
    }
  }

  @Test
  void errorsOfFinalFieldsNameTheParameterThatSetsNone() {
    String why = "no constructor of it assigns each parameter to a field as it is (parameter 1 of ";
    assertTrue(refusal(Parsed.class).contains(why + "Parsed(String) has no such field); "));
    String second = refusal(ParsedToo.class);
    assertTrue(
        second.contains("whose field number is final, so that only a constructor can set it"));
    assertTrue(second.contains(why + "ParsedToo(String) has no such field); "), second);
    String mixed = refusal(Mixed.class);
    assertTrue(mixed.contains("its setters are used instead of its constructor"), mixed);
  }
}
