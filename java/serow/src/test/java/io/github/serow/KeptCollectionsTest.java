package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a collection has besides its elements comes back, or is an error. */
@SuppressWarnings("serial") // Nobody serializes the collections by Java.
class KeptCollectionsTest {
  record InMap(Map<String, Integer> it) {}

  record InSortedMap(SortedMap<String, Integer> it) {}

  record InNavigableMap(NavigableMap<String, Integer> it) {}

  record InConcurrentMap(ConcurrentMap<String, Integer> it) {}

  record InConcurrentNavigableMap(ConcurrentNavigableMap<String, Integer> it) {}

  record InSet(Set<String> it) {}

  record InSortedSet(SortedSet<String> it) {}

  record InCollection(Collection<String> it) {}

  record InList(List<String> it) {}

  record InQueue(Queue<String> it) {}

  record InBlockingQueue(BlockingQueue<String> it) {}

  record InPriorityQueue(PriorityQueue<String> it) {}

  record Deep(List<Map<String, Set<String>>> it) {}

  private static final Comparator<String> REVERSE = Comparator.reverseOrder();

  /** The reason why an object can't be encoded, the same by each way to encode it. */
  private static <T> String refusal(Class<T> type, T object, String place) {
    String reason = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      for (int count : new int[] {1, 3000}) {
        List<T> rows = Collections.nCopies(count, object);
        EncodeException error = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
        String before = "row 0, field " + place + ": cannot read it, because ";
        assertTrue(error.getMessage().startsWith(before), error.getMessage());
        reason = error.getMessage().substring(before.length());
      }
      Codec<T> records = codec.withoutSchemaAndChecksum();
      EncodeException one = assertThrows(EncodeException.class, () -> records.encode(object));
      String before = "record, field " + place + ": cannot read it, because ";
      assertEquals(before + reason, one.getMessage());
    }
    return reason;
  }

  private static <T> T back(Class<T> type, T object) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      List<T> rows = codec.decodeAll(codec.encodeAll(Collections.nCopies(3000, object)));
      decoded = codec.decode(codec.encode(rows.get(2999)));
    }
    return decoded;
  }

  static List<Record> sortedByComparators() {
    TreeMap<String, Integer> map = new TreeMap<>(REVERSE);
    map.put("a", 1);
    TreeSet<String> set = new TreeSet<>(REVERSE);
    set.add("a");
    ConcurrentSkipListMap<String, Integer> skipList = new ConcurrentSkipListMap<>(map);
    PriorityQueue<String> queue = new PriorityQueue<>(REVERSE);
    queue.add("a");
    PriorityBlockingQueue<String> blocking = new PriorityBlockingQueue<>(2, REVERSE);
    blocking.add("a");
    return List.of(
        new InMap(map),
        new InMap(skipList),
        new InMap(new TreeMap<>(Map.of("a", 1)).descendingMap()),
        new InMap(Collections.unmodifiableSortedMap(map)),
        new InSortedMap(map),
        new InNavigableMap(map),
        new InConcurrentMap(skipList),
        new InConcurrentNavigableMap(skipList),
        new InSet(set),
        new InSet(map.keySet()),
        new InSet(new ConcurrentSkipListSet<>(set)),
        new InSortedSet(set),
        new InCollection(set),
        new InCollection(queue),
        new InQueue(queue),
        new InQueue(blocking),
        new InBlockingQueue(blocking),
        new InPriorityQueue(queue));
  }

  @ParameterizedTest
  @MethodSource("sortedByComparators")
  void aComparatorBehindAnyTypeIsAnError(Record object) {
    assertComparatorRefused(object.getClass(), object);
  }

  private static <T> void assertComparatorRefused(Class<T> type, Object object) {
    String schema = Schema.of(type).toString();
    String place = "it (" + schema.substring(schema.indexOf("it: ") + 4, schema.length() - 1) + ")";
    assertEquals(
        "it is sorted by a comparator, which is not encoded; use the natural order, List or Map, or"
            + " register a converter",
        refusal(type, type.cast(object), place));
  }

  @Test
  void aComparatorIsFoundAtAnyDepth() {
    TreeSet<String> set = new TreeSet<>(REVERSE);
    set.add("x");
    Deep deep = new Deep(List.of(Map.of("k", Set.of()), Map.of("k", set)));
    String reason = refusal(Deep.class, deep, "it.1.value 0 ({str})");
    assertTrue(reason.startsWith("it is sorted by a comparator"), reason);
  }

  @Test
  void theNaturalOrderIsKeptWhereTheTypeHasIt() {
    Map<String, Integer> map = Map.of("b", 2, "a", 1);
    assertEquals(map, back(InMap.class, new InMap(new TreeMap<>(map))).it);
    TreeMap<String, Integer> natural = new TreeMap<>(Comparator.naturalOrder());
    natural.putAll(map);
    assertEquals(natural, back(InMap.class, new InMap(natural)).it);
    assertEquals("a", back(InSortedMap.class, new InSortedMap(natural)).it.firstKey());
    assertEquals(Set.of("a"), back(InSet.class, new InSet(new TreeSet<>(Set.of("a")))).it);
    List<String> letters = List.of("c", "a", "b");
    PriorityQueue<String> queue =
        back(InPriorityQueue.class, new InPriorityQueue(new PriorityQueue<>(letters))).it;
    assertEquals(List.of("a", "b", "c"), List.of(queue.poll(), queue.poll(), queue.poll()));
    Queue<String> plain = back(InQueue.class, new InQueue(new ArrayDeque<>(letters))).it;
    assertEquals(letters, List.of(plain.poll(), plain.poll(), plain.poll()));
  }

  record InHashMap(HashMap<String, Integer> it) {}

  record InLinkedHashMap(LinkedHashMap<String, Integer> it) {}

  record InLimited(Limited it) {}

  record InIgnoringCase(IgnoringCase it) {}

  record InBlockingDeque(BlockingDeque<String> it) {}

  record InLinkedBlockingQueue(LinkedBlockingQueue<String> it) {}

  record InIdentityMap(IdentityHashMap<String, Integer> it) {}

  record InWeakMap(WeakHashMap<String, Integer> it) {}

  record InSynchronousQueue(SynchronousQueue<String> it) {}

  /** Keeps the entries that were read last. */
  static final class Limited extends LinkedHashMap<String, Integer> {
    Limited() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
      return size() > 2;
    }
  }

  static final class IgnoringCase extends TreeMap<String, Integer> {
    IgnoringCase() {
      super(String.CASE_INSENSITIVE_ORDER);
    }
  }

  private static <M extends Map<String, Integer>> M filled(M map, int size) {
    for (int i = 0; i < size; i++) {
      map.put("key " + i, i);
    }
    return map;
  }

  private static LinkedHashMap<String, Integer> byAccess(int size) {
    return filled(new LinkedHashMap<>(16, 0.75f, true), size);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5})
  void anOrderByAccessIsAnError(int size) {
    String place = "it ({str: i64}?)";
    String why =
        "it is ordered by access, which is not encoded; use a LinkedHashMap that is ordered by"
            + " insertion, or register a converter";
    assertEquals(why, refusal(InMap.class, new InMap(byAccess(size)), place));
    assertEquals(why, refusal(InHashMap.class, new InHashMap(byAccess(size)), place));
    LinkedHashMap<String, Integer> map = byAccess(size);
    List<String> before = List.copyOf(map.keySet());
    assertEquals(why, refusal(InLinkedHashMap.class, new InLinkedHashMap(map), place));
    assertEquals(before, List.copyOf(map.keySet()));
    LinkedHashMap<String, Integer> byInsertion = filled(new LinkedHashMap<>(), size);
    assertEquals(byInsertion, back(InLinkedHashMap.class, new InLinkedHashMap(byInsertion)).it);
  }

  @Test
  void aLimitOfEntriesIsAnErrorUnlessTheClassHasIt() {
    Map<String, Integer> anonymous =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > 2;
          }
        };
    assertEquals(
        "its class "
            + anonymous.getClass().getName()
            + " may change what LinkedHashMap does, and a decoded Map would not be of this class;"
            + " declare it as this class, or encode a copy, or register a converter",
        refusal(InMap.class, new InMap(anonymous), "it ({str: i64}?)"));
    Limited limited = back(InLimited.class, new InLimited(filled(new Limited(), 3))).it;
    limited.get("key 1");
    limited.put("new", 1);
    assertEquals(List.of("key 1", "new"), List.copyOf(limited.keySet()));
  }

  @Test
  void aComparatorThatTheClassHasIsKept() {
    IgnoringCase decoded =
        back(InIgnoringCase.class, new InIgnoringCase(filled(new IgnoringCase(), 2))).it;
    assertEquals(1, decoded.get("KEY 1"));
  }

  @Test
  void aCapacityIsAnError() {
    String why =
        "it has a capacity of 2 elements, which is not encoded; use a queue without a limit, or"
            + " List, or register a converter";
    String place = "it ([str]?)";
    LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>(2);
    queue.add("a");
    assertEquals(why, refusal(InQueue.class, new InQueue(queue), place));
    assertEquals(why, refusal(InBlockingQueue.class, new InBlockingQueue(queue), place));
    assertEquals(
        why, refusal(InLinkedBlockingQueue.class, new InLinkedBlockingQueue(queue), place));
    assertEquals(
        why,
        refusal(InBlockingDeque.class, new InBlockingDeque(new LinkedBlockingDeque<>(2)), place));
    assertEquals(
        why, refusal(InCollection.class, new InCollection(new ArrayBlockingQueue<>(2)), place));
    LinkedBlockingQueue<String> free = new LinkedBlockingQueue<>(List.of("a", "b"));
    LinkedBlockingQueue<String> decoded =
        back(InLinkedBlockingQueue.class, new InLinkedBlockingQueue(free)).it;
    assertEquals(List.of("a", "b"), List.copyOf(decoded));
    assertEquals(free.remainingCapacity(), decoded.remainingCapacity());
  }

  @Test
  void mapsThatCompareOrKeepKeysInAnotherWayAreErrors() {
    String identity =
        "compares its keys by identity, and decoded keys are other objects; use HashMap";
    assertEquals(
        "it " + identity + ", or register a converter",
        refusal(InMap.class, new InMap(new IdentityHashMap<>()), "it ({str: i64}?)"));
    Map<Class<?>, String> classes =
        Map.of(
            InIdentityMap.class, "IdentityHashMap, which " + identity,
            InWeakMap.class,
                "WeakHashMap, which would lose decoded entries, because nothing else refers to"
                    + " their keys; use HashMap",
            InSynchronousQueue.class,
                "concurrent.SynchronousQueue, which holds no elements; use ArrayDeque");
    classes.forEach(
        (type, why) -> {
          SchemaException error = assertThrows(SchemaException.class, () -> Schema.of(type));
          assertEquals(
              type.getSimpleName() + ".it is of class java.util." + why, error.getMessage());
        });
    WeakHashMap<String, Integer> weak = new WeakHashMap<>(Map.of("a", 1));
    assertEquals(Map.of("a", 1), back(InMap.class, new InMap(weak)).it);
  }

  /** The decoded list would hand out its elements in the order of the heap's array. */
  @Test
  void aQueueWithPrioritiesNeedsItsClass() {
    String why =
        "it is a java.util.PriorityQueue, but a decoded Queue does not hand out its elements in"
            + " their natural order; declare it as PriorityQueue, or register a converter";
    PriorityQueue<String> queue = new PriorityQueue<>(List.of("b", "a"));
    assertEquals(why, refusal(InQueue.class, new InQueue(queue), "it ([str]?)"));
    assertEquals(
        why.replace("Queue does", "Collection does"),
        refusal(InCollection.class, new InCollection(queue), "it ([str]?)"));
  }

  static class Tags extends ArrayList<String> {
    static int made;
    transient int hash;
    String owner = "me";
  }

  static class DeepTags extends Tags {}

  /** As the ones that keep only recent entries. */
  static class Recent extends LinkedHashMap<String, Integer> {
    final int most = 2;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
      return size() > most;
    }
  }

  static class Counts extends HashMap<String, Integer> {
    int total;
  }

  static class Names extends HashSet<String> {
    int total;
  }

  static class Stack extends ArrayDeque<String> {
    int deepest;
  }

  static class Ordered extends TreeMap<String, Integer> {
    int total;
  }

  private static String lost(Class<?> type, String field) {
    String simple = type.getSimpleName();
    return "its class "
        + type.getTypeName()
        + " has the field "
        + field
        + ", which would be lost; declare it as "
        + simple
        + " and register a converter for this class with Mappings.standard().withConverter, or"
        + " encode a copy of one of Java's classes, or mark the field transient or with @Ignore";
  }

  @Test
  void fieldsOfACollectionBehindAnyTypeAreAnError() {
    Tags tags = new Tags();
    tags.add("a");
    assertEquals(lost(Tags.class, "owner"), refusal(InList.class, new InList(tags), "it ([str]?)"));
    assertEquals(
        lost(DeepTags.class, "owner"),
        refusal(InCollection.class, new InCollection(new DeepTags()), "it ([str]?)"));
    String map = "it ({str: i64}?)";
    assertEquals(lost(Recent.class, "most"), refusal(InMap.class, new InMap(new Recent()), map));
    assertEquals(lost(Counts.class, "total"), refusal(InMap.class, new InMap(new Counts()), map));
    assertEquals(
        lost(Ordered.class, "total"),
        refusal(InSortedMap.class, new InSortedMap(new Ordered()), map));
    assertEquals(
        lost(Names.class, "total"), refusal(InSet.class, new InSet(new Names()), "it ({str}?)"));
    assertEquals(
        lost(Stack.class, "deepest"),
        refusal(InQueue.class, new InQueue(new Stack()), "it ([str]?)"));
  }

  @Test
  void fieldsOfACollectionInRowsWithoutAClassAreAnError() {
    for (Object row : List.of(new Tags(), new Counts(), new Names())) {
      EncodeException error =
          assertThrows(EncodeException.class, () -> Serow.dumps(List.of(row, row)));
      String field = row instanceof Tags ? "owner" : "total";
      String message = error.getMessage();
      assertTrue(message.startsWith("row 0, "), message);
      assertTrue(message.endsWith(lost(row.getClass(), field)), message);
    }
    // Of the values inside, the option is replaced in a copy.
    Tags tags = new Tags();
    List<Object> row = List.of(Optional.of("a"), tags);
    EncodeException error = assertThrows(EncodeException.class, () -> Serow.dumps(List.of(row)));
    assertTrue(error.getMessage().endsWith(lost(Tags.class, "owner")), error.getMessage());
  }

  record DeclaresTags(Tags it) {}

  @Test
  void aConverterKeepsTheFields() {
    assertTrue(
        assertThrows(SchemaException.class, () -> Schema.of(DeclaresTags.class))
            .getMessage()
            .endsWith(
                "a collection whose field owner would be lost; register a converter with"
                    + " Mappings.standard().withConverter, or mark the field transient or with"
                    + " @Ignore"));
    Mappings mappings =
        Mappings.standard()
            .withConverter(
                Tags.class,
                String.class,
                tags -> tags.owner + ":" + String.join(",", tags),
                text -> {
                  Tags tags = new Tags();
                  tags.owner = text.substring(0, text.indexOf(':'));
                  tags.addAll(List.of(text.substring(text.indexOf(':') + 1).split(",")));
                  return tags;
                });
    Tags tags = new Tags();
    tags.owner = "you";
    tags.add("a");
    Codec<DeclaresTags> codec = Codec.of(DeclaresTags.class, mappings);
    Tags decoded = codec.decode(codec.encode(new DeclaresTags(tags))).it;
    assertEquals(tags, decoded);
    assertEquals("you", decoded.owner);
  }

  static class WithoutState extends ArrayList<String> {
    @Ignore int reads;
  }

  /** Keeps its elements in a field of its own. */
  static class Pair extends AbstractList<String> {
    final String[] both = {"a", "b"};

    @Override
    public String get(int i) {
      return both[i];
    }

    @Override
    public int size() {
      return 2;
    }
  }

  @Test
  void otherClassesOfTheCallerAreEncodedAsTheirElements() {
    String captured = "a";
    List<String> anonymous =
        new ArrayList<>() {
          {
            add(captured + getClass().getSimpleName());
          }
        };
    assertEquals(List.of("a"), back(InList.class, new InList(anonymous)).it);
    assertEquals(List.of(), back(InList.class, new InList(new WithoutState())).it);
    assertEquals(List.of("a", "b"), back(InList.class, new InList(new Pair())).it);
    assertEquals(List.of(List.of("a", "b")), Serow.loads(Serow.dumps(List.of(new Pair()))));
  }
}
