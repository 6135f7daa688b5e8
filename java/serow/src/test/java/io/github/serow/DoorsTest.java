package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is a collection of rows: every method that takes rows asks the same question. */
class DoorsTest {
  private static final Schema SCHEMA = Schema.parse("i64|str");

  /** A method that takes rows, and decodes what it has encoded. */
  private interface Door<R> {
    List<?> pass(R rows) throws IOException;
  }

  private static List<?> written(StreamWriter.Options<Object> options, Object rows)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = options.to(out)) {
      try {
        if (rows instanceof Iterable<?> || rows == null) {
          writer.writeAll((Iterable<?>) rows);
        } else if (rows instanceof Iterator<?> iterator) {
          writer.writeAll(iterator);
        } else {
          writer.writeAll((Stream<?>) rows);
        }
      } catch (EncodeException | NullPointerException e) {
        assertEquals(0, writer.rows());
        throw e;
      }
      writer.finish();
    }
    try (StreamReader<Object> reader =
        StreamReader.ofAny().from(new ByteArrayInputStream(out.toByteArray()))) {
      return reader.stream().toList();
    }
  }

  /** Takes rows of any kind. */
  private static final Map<String, Door<Object>> WRITERS =
      Map.of(
          "Writer.ofAny", rows -> written(StreamWriter.ofAny(), rows),
          "Writer.of", rows -> written(StreamWriter.of(Codec.ofAny(SCHEMA)), rows),
          "Writer of many threads",
              rows -> written(StreamWriter.ofAny().withThreads(Threads.of(2)), rows));

  private static final Map<String, Door<List<?>>> LISTS = new LinkedHashMap<>();

  static {
    Codec<Object> codec = Codec.ofAny(SCHEMA);
    LISTS.put("dumps", rows -> Serow.loads(Serow.dumps(rows)));
    for (Wire wire : Wire.values()) {
      LISTS.put("dumps of " + wire, rows -> Serow.loads(Serow.dumps(rows, wire)));
    }
    LISTS.put(
        "options",
        rows -> Serow.loads(Serow.options().withCompression(Compression.lz4()).dumps(rows)));
    LISTS.put("Codec.encode", rows -> codec.decodeAll(codec.encodeAll(rows)));
    LISTS.put(
        "Codec.encodeInto",
        rows -> {
          ByteBuffer buffer = ByteBuffer.allocate(10_000);
          codec.encodeAllInto(rows, buffer);
          return codec.decodeAll(buffer.flip());
        });
    LISTS.put(
        "Schema.infer",
        rows -> {
          Codec<Object> inferred = Codec.ofAny(Schema.infer(rows));
          return inferred.decodeAll(inferred.encodeAll(rows));
        });
    WRITERS.forEach((name, door) -> LISTS.put(name, door::pass));
  }

  record Pair(long x, String y) implements Iterable<Object> {
    @Override
    public Iterator<Object> iterator() {
      return List.<Object>of(x, y).iterator();
    }
  }

  enum Color implements Iterable<String> {
    RED;

    @Override
    public Iterator<String> iterator() {
      return List.of(name()).iterator();
    }
  }

  /** A node of a tree. */
  public static final class Node implements Iterable<Node> {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    @Override
    public Iterator<Node> iterator() {
      return List.of(new Node(), new Node()).iterator();
    }
  }

  /** A record that is a list as well. */
  record Listed(List<Object> list) implements List<Object> {
    @Override
    public int size() {
      return list.size();
    }

    @Override
    public boolean isEmpty() {
      return list.isEmpty();
    }

    @Override
    public boolean contains(Object o) {
      return list.contains(o);
    }

    @Override
    public Iterator<Object> iterator() {
      return list.iterator();
    }

    @Override
    public Object[] toArray() {
      return list.toArray();
    }

    @Override
    public <T> T[] toArray(T[] to) {
      return list.toArray(to);
    }

    @Override
    public boolean add(Object o) {
      return list.add(o);
    }

    @Override
    public boolean remove(Object o) {
      return list.remove(o);
    }

    @Override
    public boolean containsAll(Collection<?> all) {
      return list.containsAll(all);
    }

    @Override
    public boolean addAll(Collection<?> all) {
      return list.addAll(all);
    }

    @Override
    public boolean addAll(int at, Collection<?> all) {
      return list.addAll(at, all);
    }

    @Override
    public boolean removeAll(Collection<?> all) {
      return list.removeAll(all);
    }

    @Override
    public boolean retainAll(Collection<?> all) {
      return list.retainAll(all);
    }

    @Override
    public void clear() {
      list.clear();
    }

    @Override
    public Object get(int at) {
      return list.get(at);
    }

    @Override
    public Object set(int at, Object o) {
      return list.set(at, o);
    }

    @Override
    public void add(int at, Object o) {
      list.add(at, o);
    }

    @Override
    public Object remove(int at) {
      return list.remove(at);
    }

    @Override
    public int indexOf(Object o) {
      return list.indexOf(o);
    }

    @Override
    public int lastIndexOf(Object o) {
      return list.lastIndexOf(o);
    }

    @Override
    public ListIterator<Object> listIterator() {
      return list.listIterator();
    }

    @Override
    public ListIterator<Object> listIterator(int at) {
      return list.listIterator(at);
    }

    @Override
    public List<Object> subList(int from, int to) {
      return list.subList(from, to);
    }
  }

  private static String refusal(String what) {
    return "rows must be a collection of rows, not "
        + what
        + "; to encode one row, use List.of(row)";
  }

  @Test
  void nothingAndOneValueAreRefusedEverywhere() {
    LISTS.forEach(
        (name, door) -> {
          assertEquals(
              refusal("null"),
              assertThrows(NullPointerException.class, () -> door.pass(null), name).getMessage());
          Listed one = new Listed(List.of(1L));
          assertEquals(
              refusal(Listed.class.getName() + ", which is one value"),
              assertThrows(EncodeException.class, () -> door.pass(one), name).getMessage());
        });
    WRITERS.forEach(
        (name, door) -> {
          for (Object one :
              List.of(new Pair(1, "x"), Color.RED, Path.of("a", "b"), new SQLException("no"))) {
            assertEquals(
                refusal(one.getClass().getName() + ", which is one value"),
                assertThrows(EncodeException.class, () -> door.pass(one), name).getMessage());
          }
        });
  }

  @Test
  void anObjectOfTheClassOfRowsIsOneRow() throws IOException {
    try (StreamWriter<Node> writer = StreamWriter.of(Node.class).to(new ByteArrayOutputStream())) {
      EncodeException e = assertThrows(EncodeException.class, () -> writer.writeAll(new Node()));
      assertEquals(refusal(Node.class.getName() + ", which is one value"), e.getMessage());
      writer.writeAll(new Node().iterator());
      writer.writeAll(Set.of(new Node()));
      assertEquals(3, writer.rows());
      writer.finish();
    }
  }

  /** Lists whose methods disagree. */
  private static final class Lying extends AbstractList<Object> {
    private final int size;
    private final List<Object> rows;

    Lying(int size, List<Object> rows) {
      this.size = size;
      this.rows = rows;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public Object get(int at) {
      return rows.get(at);
    }

    @Override
    public Iterator<Object> iterator() {
      return rows.iterator();
    }
  }

  /** A list that gives its own array. */
  private static final class Kept extends AbstractList<Object> {
    private final Object[] rows;

    Kept(Object... rows) {
      this.rows = rows;
    }

    @Override
    public int size() {
      return rows.length;
    }

    @Override
    public Object get(int at) {
      return rows[at];
    }

    @Override
    public Object[] toArray() {
      return rows;
    }
  }

  @Test
  void everyListIsTaken() throws IOException {
    List<Object> expected = List.of(1L, "x");
    List<Object> modifiable = new ArrayList<>(expected);
    List<List<?>> lists =
        List.of(
            expected,
            modifiable,
            new LinkedList<>(expected),
            new Vector<>(expected),
            Arrays.asList(1L, "x"),
            Collections.unmodifiableList(modifiable),
            Collections.synchronizedList(modifiable),
            new ArrayList<>(List.of(0L, 1L, "x")).subList(1, 3),
            new Kept(1L, "x"),
            new Lying(2, expected),
            new Lying(1, expected),
            new Lying(5, expected));
    for (Map.Entry<String, Door<List<?>>> door : LISTS.entrySet()) {
      for (List<?> list : lists) {
        assertEquals(expected, door.getValue().pass(list), door.getKey() + list.getClass());
      }
      assertEquals(List.of(), door.getValue().pass(List.of()));
    }
    for (Door<Object> door : WRITERS.values()) {
      assertEquals(expected, door.pass(expected.iterator()));
      assertEquals(expected, door.pass(expected.stream()));
      assertEquals(expected, door.pass((Iterable<Object>) expected::iterator));
      assertEquals(List.of(1L), door.pass(Set.of(1L)));
    }
  }

  @Test
  void theRowsOfTheCallerStayAsTheyAre() throws IOException {
    // serow replaces the optionals by their values, in an array of its own.
    Object[] rows = {Optional.of("x"), Optional.empty(), 1L};
    Optional<?>[] typed = {Optional.of("x"), Optional.empty()};
    for (Map.Entry<String, Door<List<?>>> door : LISTS.entrySet()) {
      if (door.getKey().contains("Codec") || door.getKey().equals("Writer.of")) {
        continue;
      }
      Object[] before = rows.clone();
      assertEquals(Arrays.asList("x", null, 1L), door.getValue().pass(new Kept(rows)));
      assertTrue(Arrays.equals(before, rows), door.getKey());
      assertEquals(Arrays.asList("x", null), door.getValue().pass(new Kept((Object[]) typed)));
    }
  }

  private static Set<String> publicMethods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void publicTypesOfferNoInnerMethods() {
    Map<Class<?>, String> offered =
        Map.of(
            Serow.class, "dumps loads options trimMemory",
            Serow.Options.class,
                "dumps loads withCompression withMaxMemory withThreads withTimes withWire",
            Codec.class,
                "compare compile decode decodeAll encode encodeAll encodeAllInto encodeInto ir of ofAny"
                    + " schema tier toString withCompression withMaxMemory withSchemas withThreads"
                    + " withTimes withWire withoutFingerprint withoutSchemaAndChecksum",
            StreamWriter.class,
                "bytesWritten close finish flush of ofAny rows schema write writeAll",
            StreamWriter.Options.class,
                "appendTo to withCompression withMetadata withProgress withThreads withTimes withWire",
            StreamReader.class, "bytesRead close frames iterator metadata of ofAny rows stream",
            StreamReader.Options.class,
                "from oneStream withMaxMemory withProgress withThreads withTimes",
            IndexedReader.class, "close firstRow frame frames of ofAny row rows",
            IndexedReader.Options.class, "from withMaxMemory withTimes");
    offered.forEach(
        (type, names) ->
            assertEquals(Set.of(names.split(" ")), publicMethods(type), type.getName()));
  }

  @Test
  void publicTypesHaveNoPublicConstructorsOfInnerClasses() {
    for (Class<?> type :
        List.of(
            Serow.class,
            Serow.Options.class,
            Codec.class,
            StreamWriter.class,
            StreamWriter.Options.class,
            StreamReader.class,
            StreamReader.Options.class,
            IndexedReader.class,
            IndexedReader.Options.class)) {
      assertEquals(0, type.getConstructors().length, type.getName());
    }
  }
}
