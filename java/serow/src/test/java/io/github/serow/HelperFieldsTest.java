package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** Which fields may be left out, because they hold no data, and which final fields are errors. */
class HelperFieldsTest {
  private static <T> T back(Class<T> type, T object) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      List<T> rows = codec.decodeAll(codec.encodeAll(Collections.nCopies(3000, object)));
      decoded = codec.decode(codec.encode(rows.get(2999)));
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
  }

  static class Circle {
    private final double radius;
    private final double area;

    Circle(double radius) {
      this.radius = radius;
      area = Math.PI * radius * radius;
    }
  }

  static class Computing {
    private final double radius;
    private final transient double area;
    @Ignore private final int kind = 7;

    Computing(double radius) {
      this.radius = radius;
      area = Math.PI * radius * radius;
    }
  }

  @Test
  void whatAConstructorComputesIsMarked() {
    assertTrue(refusal(Constants.class).contains("whose field version is final"));
    assertTrue(refusal(Circle.class).contains("whose field area is no parameter"));
    Computing computing = back(Computing.class, new Computing(2));
    assertEquals(Math.PI * 4, computing.area);
    assertEquals(7, computing.kind);
    assertEquals("Computing{radius: f64}", Schema.of(Computing.class).toString());
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
    assertTrue(refusal(Counting.class).endsWith("whose field count" + byConstructor));
    String bySetters =
        " is final, so that only a constructor can set it, and it has no constructor with"
            + " parameters; add one whose parameters are its fields, use a record, or register a"
            + " converter; or make the field non-final, or mark it transient or with @Ignore";
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

  /** Its constructor has not the field of the superclass, and the other one can't set its own. */
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
    String why =
        "and parameter 1, \"text\", of its constructor %s(String) has no field or getter of its name"
            + " and type; ";
    assertTrue(refusal(Parsed.class).contains(String.format(why, "Parsed")));
    String second = refusal(ParsedToo.class);
    assertTrue(
        second.contains("whose field number is final, so that only a constructor can set it"));
    assertTrue(second.contains(String.format(why, "ParsedToo")), second);
    String mixed = refusal(Mixed.class);
    assertTrue(mixed.contains("whose field id is no parameter of its constructor"), mixed);
  }
}
