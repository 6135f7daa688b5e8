package io.github.serow.spark.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.LimitException;
import io.github.serow.internal.scala.ScalaLibrary;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What has a layout, what makes it wider, and what has none. */
class ExactRowsTest {
  private static final ClassLoader LOADER = ExactRowsTest.class.getClassLoader();

  private final ExactRows rows = new ExactRows(new AllClasses(LOADER, Part.class, Link.class));

  record Part(int key, Object any) {}

  static final class Link {
    Object next;
  }

  enum Color {
    RED,
    GREEN
  }

  /** Another enum with the same names. */
  static final class Other {
    enum Color {
      RED,
      GREEN
    }
  }

  private static byte[] write(ExactLayout layout, Object row) {
    RecordOut out = new RecordOut();
    int end = layout.write(row, out, 0);
    return out.copy(end);
  }

  private static Object read(ExactLayout layout, byte[] bytes) {
    RecordIn in = new RecordIn(bytes, 0, bytes.length);
    Object row = layout.read(in);
    in.end();
    return row;
  }

  private void assertKept(Object row) throws Exception {
    ExactLayout layout = rows.layoutOf(row);
    ExactSame.assertExact(row, read(layout, write(layout, row)));
  }

  private String refusal(Object row) {
    return assertThrows(MisfitException.class, () -> rows.layoutOf(row)).getMessage();
  }

  @Test
  void boxedValuesAreOfTheirOwnClasses() throws Exception {
    ExactLayout layout = rows.layoutOf(1);
    assertEquals("i64", layout.schema().toString());
    assertEquals(7, read(layout, write(layout, 7)));
    for (Object other : new Object[] {7L, (short) 7, (byte) 7, 'a', 1.5f, 1.5, "7", true, null}) {
      assertThrows(TypeMismatch.class, () -> write(layout, other));
    }
  }

  @Test
  void aPairIsARowOfTwoObjects() throws Exception {
    ExactLayout layout = rows.layoutOfPair(1, "almond");
    assertTrue(layout.isPair());
    assertEquals("(i64, str)", layout.schema().toString());
    assertEquals(3, layout.bytes().length);
    Object[] pair = {2, "peru"};
    byte[] bytes = write(layout, pair);
    assertArrayEquals(pair, (Object[]) read(layout, bytes));
    assertSame(layout, rows.parse(layout.bytes(), 0, layout.bytes().length));
    assertThrows(TypeMismatch.class, () -> write(layout, new Object[] {2, null}));
    ExactLayout wider = rows.join(layout, new Object[] {2L, null});
    assertArrayEquals(pair, (Object[]) read(wider, write(wider, pair)));
    assertArrayEquals(
        new Object[] {2L, null}, (Object[]) read(wider, write(wider, new Object[] {2L, null})));
  }

  @Test
  void classesOfOnePlaceBecomeArms() throws Exception {
    List<Object> several =
        List.of(1, 1L, "text", 1.5, Color.RED, Other.Color.RED, new Part(1, "a"), List.class);
    ExactLayout layout = rows.layoutOf(new Part(0, 1));
    for (Object any : several.subList(0, several.size() - 1)) {
      layout = rows.join(layout, new Part(0, any));
    }
    for (Object any : several.subList(0, several.size() - 1)) {
      Part row = new Part(0, any);
      ExactSame.assertExact(row, read(layout, write(layout, row)));
    }
    ExactLayout all = layout;
    assertThrows(MisfitException.class, () -> rows.join(all, new Part(0, Thread.currentThread())));
    assertSame(all, rows.join(all, new Part(7, 2L)));
  }

  @Test
  void aRowThatDoesNotFitLeavesTheBytesBeforeIt() throws Exception {
    ExactLayout layout = rows.layoutOf(new Part(1, "alm\u00f6nd"));
    RecordOut out = new RecordOut();
    int end = layout.write(new Part(1, "alm\u00f6nd"), out, 0);
    byte[] before = out.copy(end);
    assertThrows(
        TypeMismatch.class,
        () -> layout.write(new Part(1, new Object[] {"\u00f6", 1}), out, before.length));
    int next = layout.write(new Part(2, "b"), out, end);
    RecordIn in = new RecordIn(out.copy(next), 0, next);
    assertEquals(new Part(1, "alm\u00f6nd"), layout.read(in));
    assertEquals(end, in.position());
    assertEquals(new Part(2, "b"), layout.read(in));
    in.end();
  }

  @Test
  void theFirstRowsAreInterpretedAndOthersNot() throws Exception {
    ExactLayout layout = rows.layoutOf(new Part(1, List.of(1).toArray()));
    RecordOut out = new RecordOut();
    for (int i = 0; i < 5_000; i++) {
      Part row = new Part(i, new Object[] {i});
      int end = layout.write(row, out, 0);
      ExactSame.assertExact(row, layout.read(new RecordIn(out.bytes, 0, end)));
    }
    assertTrue(layout.binding().recordWriter(1).getClass().isHidden());
    assertTrue(layout.binding().recordReader(1, false).getClass().isHidden());
  }

  @Test
  void aMutableObjectOccursOnce() throws Exception {
    int[] array = {1};
    String refusal = refusal(new Object[] {array, array});
    assertTrue(refusal.contains("twice"), refusal);
    ExactLayout layout = rows.layoutOf(new Object[] {new int[] {1}, new int[] {1}});
    for (int i = 0; i < 2; i++) {
      assertThrows(TypeMismatch.class, () -> write(layout, new Object[] {array, array}));
      Object[] many = new Object[3_000];
      Arrays.setAll(many, it -> new int[] {it});
      ExactSame.assertExact(many, read(layout, write(layout, many)));
    }
    assertKept(new Object[] {new int[] {1}, new int[] {1}});
    assertKept(new Object[] {"a", "a", 1000, 1000});
    ExactLayout parts =
        rows.layoutOf(List.of(new Part(1, new Link()), new Part(1, new Link())).toArray());
    Link link = new Link();
    assertThrows(
        TypeMismatch.class,
        () -> write(parts, new Object[] {new Part(1, link), new Part(2, link)}));
    AllClasses sharing = new AllClasses(LOADER);
    sharing.keepsSharing = false;
    ExactRows twice = new ExactRows(sharing);
    Object row = new Object[] {array, array};
    ExactLayout free = twice.layoutOf(row);
    Object[] back = (Object[]) read(free, write(free, row));
    assertArrayEquals((int[]) back[0], (int[]) back[1]);
    assertNotSame(back[0], back[1]);
  }

  /** More fields than one generated method has. */
  static final class Wide {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9;
    Object b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    char c0, c1, c2, c3, c4, c5, c6, c7, c8, c9;
    float d0, d1, d2, d3, d4, d5, d6, d7, d8, d9;
    transient Object lost = "x";
  }

  @Test
  void wideClassesAreKept() throws Exception {
    Wide wide = new Wide();
    wide.a9 = -1;
    wide.b9 = new int[] {7};
    wide.c9 = '\uffff';
    wide.d9 = Float.NaN;
    ExactLayout layout = rows.layoutOf(wide);
    for (int i = 0; i < 3_000; i++) {
      wide.a1 = i;
      Wide back = (Wide) read(layout, write(layout, wide));
      assertEquals(i, back.a1);
    }
    Wide back = (Wide) read(layout, write(layout, wide));
    ExactSame.assertExact(wide, back);
    assertSame(null, back.lost);
  }

  @Test
  void numbersAndNamesStandForClasses() throws Exception {
    int numbered = rows.layoutOf(new Part[] {new Part(1, "a")}).bytes().length;
    assertEquals(6, numbered);
    Object row = new Object[] {new Pair(1, new Pair("a", "b")), new Pair[][] {}};
    byte[] named = rows.layoutOf(row).bytes();
    assertTrue(named.length < 2 * Pair.class.getName().length());
    ExactLayout layout = new ExactRows(new AllClasses(LOADER)).parse(named, 0, named.length);
    ExactSame.assertExact(row, read(layout, write(rows.layoutOf(row), row)));
  }

  @Test
  void aLargeRowThatRepeatsAnObjectIsRefused() throws Exception {
    Object text = "x".repeat(1_000);
    Object[] same = new Object[1_000];
    Object[] distinct = new Object[1_000];
    for (int i = 0; i < same.length; i++) {
      same[i] = new Pair(i, new Pair(text, "a"));
      distinct[i] = new Pair(i, new Pair("x".repeat(1_000), "a"));
    }
    ExactLayout layout = rows.layoutOf(distinct);
    assertThrows(TypeMismatch.class, () -> write(layout, same));
    assertSame(layout, rows.join(layout, same));
    ExactLayout pair = rows.layoutOfPair(1, distinct);
    assertThrows(TypeMismatch.class, () -> write(pair, new Object[] {1, same}));
    ExactSame.assertExact(distinct, read(layout, write(layout, distinct)));
    AllClasses sharing = new AllClasses(LOADER, Part.class);
    sharing.keepsSharing = false;
    ExactLayout free = new ExactRows(sharing).layoutOf(same);
    ExactSame.assertExact(same, read(free, write(free, same)));
  }

  @Test
  void theElementsOfAPairMayShareObjects() throws Exception {
    Link link = new Link();
    ExactLayout layout = rows.layoutOfPair(link, link);
    Object[] back = (Object[]) read(layout, write(layout, new Object[] {link, link}));
    assertNotSame(back[0], back[1]);
    Object[] twice = {link, link};
    assertThrows(MisfitException.class, () -> rows.layoutOfPair(1, twice));
    ExactLayout arrays = rows.layoutOfPair(1, new Object[] {new Link(), new Link()});
    assertThrows(TypeMismatch.class, () -> write(arrays, new Object[] {1, twice}));
  }

  @Test
  void manyRowsWithoutBytesFollowEachOther() throws Exception {
    ExactLayout layout = rows.layoutOf(new Object[] {null, null});
    Object[] nulls = new Object[2_000_000];
    RecordOut out = new RecordOut();
    int end = 0;
    for (int i = 0; i < 3; i++) {
      end = layout.write(nulls, out, end);
    }
    RecordIn in = new RecordIn(out.bytes, 0, end);
    for (int i = 0; i < 3; i++) {
      assertEquals(nulls.length, ((Object[]) layout.read(in)).length);
    }
    in.end();
  }

  @Test
  void cyclesAndDeepRowsHaveNoLayout() throws Exception {
    Link link = new Link();
    link.next = link;
    assertTrue(refusal(link).contains("twice"));
    Object deep = new Part(0, null);
    for (int i = 0; i < 40; i++) {
      deep = new Part(i, deep);
    }
    assertTrue(refusal(deep).contains("deep"));
    Object shallow = new Part(0, null);
    for (int i = 0; i < 20; i++) {
      shallow = new Part(i, shallow);
    }
    assertKept(shallow);
    AllClasses sharing = new AllClasses(LOADER);
    sharing.keepsSharing = false;
    ExactRows free = new ExactRows(sharing);
    assertThrows(MisfitException.class, () -> free.layoutOf(link));
    ExactLayout layout = free.layoutOf(new Link());
    assertThrows(TypeMismatch.class, () -> write(layout, link));
  }

  @Test
  void rowsOfMillionsOfObjectsHaveNoLayout() {
    Object twice = new Part(1, "a");
    for (int i = 0; i < 30; i++) {
      twice = new Pair(twice, twice);
    }
    String refusal = refusal(twice);
    assertTrue(refusal.contains("places"), refusal);
  }

  record Pair(Object first, Object second) {}

  @Test
  void classesThatWouldNotComeBackHaveNoLayout() {
    for (Object row :
        new Object[] {
          new TreeMap<>(Map.of(1, 2)),
          List.of(1),
          Arrays.asList(1, 2),
          Collections.unmodifiableList(new ArrayList<>()),
          new ArrayList<>(List.of(1, 2, 3)).subList(0, 1),
          new HashMap<>(Map.of(1, new Object())),
          ByteBuffer.allocateDirect(1),
          ByteBuffer.allocate(4).slice(1, 2),
          ByteBuffer.allocate(4).asReadOnlyBuffer(),
          new Exception(),
          Thread.currentThread(),
          String.class,
          new Object() {},
          (Runnable) () -> {},
        }) {
      String refusal = refusal(row);
      assertTrue(refusal.startsWith("a row has an object of class "), refusal);
    }
  }

  @Test
  void aMapThatIsOrderedByAccessHasNoLayout() throws Exception {
    LinkedHashMap<Object, Object> map = new LinkedHashMap<>(Map.of("a", 1, "b", 2));
    assertKept(map);
    LinkedHashMap<Object, Object> byAccess = new LinkedHashMap<>(16, 0.75f, true);
    byAccess.putAll(map);
    assertThrows(MisfitException.class, () -> rows.layoutOf(byAccess));
    ExactLayout layout = rows.layoutOf(map);
    assertThrows(TypeMismatch.class, () -> write(layout, byAccess));
  }

  @Test
  void onlyPermittedClassesHaveALayout() throws Exception {
    AllClasses classes = new AllClasses(LOADER).without(Part.class.getName());
    ExactRows some = new ExactRows(classes);
    MisfitException refused =
        assertThrows(MisfitException.class, () -> some.layoutOf(new Part(1, 2)));
    assertEquals(
        "a row has an object of class " + Part.class.getName() + ", which is not permitted",
        refused.getMessage());
    assertThrows(MisfitException.class, () -> some.layoutOf(new Object[] {new Part(1, 2)}));
  }

  @Test
  void aSequenceOfSingletonsIsLimitedAsOthers() throws Exception {
    Object[] reds = new Object[4_000_000];
    Arrays.fill(reds, null);
    ExactLayout layout = rows.layoutOf(new Object[] {null});
    assertThrows(LimitException.class, () -> write(layout, reds));
  }

  @ParameterizedTest
  @EnumSource
  void collectionsOfScalaThatCameFromLargerOnesHaveNoLayout(ScalaVersion version) throws Exception {
    ExactRows scala = new ExactRows(new AllClasses(version.type("ExactOdd").getClassLoader()));
    for (String name :
        new String[] {
          "slice",
          "shrunk",
          "sorted",
          "linked",
          "withDefault",
          "range",
          "function",
          "anonymous",
          "inner",
          "rounded"
        }) {
      Object value = version.type("ExactOdd").getMethod(name).invoke(null);
      try {
        ExactLayout layout = scala.layoutOf(value);
        // Some versions make the class that the number of elements demands.
        ExactSame.assertExact(value, read(layout, write(layout, value)));
        assertTrue(name.equals("slice") || name.equals("shrunk"), name);
      } catch (MisfitException e) {
        assertTrue(e.getMessage().startsWith("a row has an object of class"), e.getMessage());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 1023, 1024, 1025, 32768, 32769})
  void vectorsOfEachSizeAreKept(int size) throws Throwable {
    ScalaVersion version = ScalaVersion.SCALA_2_13;
    ExactRows scala = new ExactRows(new AllClasses(version.type("ExactOdd").getClassLoader()));
    Object[] elements = new Object[size];
    Arrays.fill(elements, 1);
    Object vector =
        new ScalaLibrary(version.load("scala.Option"))
            .collections("scala.collection.immutable.Vector$")
            .make(Arrays.asList(elements));
    ExactLayout layout = scala.layoutOf(vector);
    Object back = read(layout, write(layout, vector));
    assertEquals(vector, back);
    assertSame(vector.getClass(), back.getClass());
  }
}
