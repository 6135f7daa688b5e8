package io.github.serow.internal.jni;

import io.github.serow.Codec;
import io.github.serow.Serow;
import io.github.serow.StreamReader;
import io.github.serow.StreamWriter;
import io.github.serow.Threads;
import io.github.serow.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** Classes of a user with every kind of field and value, for {@link UnloadingTest}. */
final class UserKinds {
  private static final Threads THREADS = Threads.of(2);

  private UserKinds() {}

  /** An enum of the user. */
  public enum Color {
    RED,
    GREEN
  }

  /** Single values. */
  public record Scalars(
      byte small,
      float ratio,
      char mark,
      boolean isOpen,
      BigInteger large,
      BigDecimal price,
      UUID id,
      byte[] bytes,
      char[] chars,
      Instant instant,
      LocalTime time,
      LocalDateTime local,
      OffsetDateTime offset,
      ZonedDateTime zoned,
      Duration duration,
      Optional<String> text,
      OptionalInt number,
      Color color) {}

  /** Collections by their declared classes. */
  public record Containers(
      List<String> list,
      Set<String> set,
      Collection<String> collection,
      Queue<String> queue,
      Deque<String> deque,
      SortedSet<String> sortedSet,
      EnumSet<Color> colors,
      BlockingQueue<String> blocking,
      Map<String, Integer> map,
      NavigableMap<String, Integer> navigable,
      ConcurrentMap<String, Integer> concurrent,
      EnumMap<Color, Integer> byColor,
      int[] ints,
      String[] texts) {}

  /** A sealed type of the user. */
  public sealed interface Shape {
    /** A record of it. */
    record Circle(double radius) implements Shape {}

    /** A class of it with setters that are checked. */
    final class Square implements Shape {
      private double side;

      public double getSide() {
        return side;
      }

      public void setSide(double side) {
        this.side = Math.abs(side);
      }
    }
  }

  /** A class with a constructor. */
  public static final class Made {
    private final String name;
    private final List<String> tags;

    Made(String name, List<String> tags) {
      this.name = name;
      this.tags = List.copyOf(tags);
    }
  }

  /** A class with a builder. */
  public static final class Built {
    private final String name;

    private Built(Builder builder) {
      name = builder.name;
    }

    static final class Builder {
      private String name;

      Builder name(String name) {
        this.name = name.trim();
        return this;
      }

      Built build() {
        return new Built(this);
      }
    }
  }

  /** Objects of classes of the user. */
  public record Objects(List<Shape> shapes, Made made, Built built) {}

  /** Writes and reads all kinds of values in several ways. */
  static void run() throws IOException {
    run(Scalars.class, List.of(scalars()));
    List<List<String>> lists =
        List.of(
            List.of("a"),
            new LinkedList<>(List.of("a")),
            new Vector<>(List.of("a")),
            Collections.unmodifiableList(new CopyOnWriteArrayList<>(List.of("a"))));
    List<Set<String>> sets =
        List.of(
            Set.of("a"),
            new TreeSet<>(Set.of("a")),
            Collections.emptySet(),
            Collections.synchronizedSet(ConcurrentHashMap.newKeySet()));
    List<Map<String, Integer>> maps =
        List.of(
            Map.of("a", 1),
            new ConcurrentSkipListMap<>(Map.of("a", 1)),
            Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))),
            new LinkedHashMap<>(Map.of("a", 1, "b", 2)));
    List<Containers> containers = new ArrayList<>();
    for (int i = 0; i < lists.size(); i++) {
      containers.add(containers(lists.get(i), sets.get(i), maps.get(i)));
      check(Serow.loads(Serow.dumps(List.of(lists.get(i), sets.get(i), maps.get(i)))).size() == 3);
    }
    run(Containers.class, containers);
    Shape.Square square = new Shape.Square();
    square.setSide(2);
    Made made = new Made("a", List.of("b"));
    Built built = new Built.Builder().name("a").build();
    Objects objects = new Objects(List.of(new Shape.Circle(1), square), made, built);
    run(Objects.class, List.of(objects));
    Codec<Object> shapes = Codec.of(Objects.class.getRecordComponents()[0].getGenericType());
    check(shapes.decode(shapes.encode(objects.shapes)) instanceof List<?> some && some.size() == 2);
  }

  private static Scalars scalars() {
    OffsetDateTime offset = OffsetDateTime.parse("2024-02-29T10:00:00+02:00");
    return new Scalars(
        (byte) 1,
        0.5f,
        'x',
        true,
        BigInteger.TEN.pow(30),
        new BigDecimal("1.10"),
        new UUID(1, 2),
        new byte[] {1},
        new char[] {'a'},
        offset.toInstant(),
        LocalTime.NOON,
        offset.toLocalDateTime(),
        offset,
        offset.atZoneSameInstant(ZoneId.of("Europe/Paris")),
        Duration.ofSeconds(1),
        Optional.of("a"),
        OptionalInt.of(1),
        Color.RED);
  }

  private static Containers containers(
      List<String> list, Set<String> set, Map<String, Integer> map) {
    return new Containers(
        list,
        set,
        Collections.unmodifiableCollection(list),
        new ArrayDeque<>(list),
        new LinkedList<>(list),
        new TreeSet<>(set),
        EnumSet.of(Color.GREEN),
        new LinkedBlockingQueue<>(list),
        map,
        new TreeMap<>(map),
        new ConcurrentHashMap<>(map),
        new EnumMap<>(Map.of(Color.RED, DayOfWeek.MONDAY.getValue())),
        new int[] {1, 2},
        new String[] {"a"});
  }

  /** Writes and reads rows of a class as messages, records and streams, with two threads. */
  private static <T> void run(Class<T> type, List<T> kinds) throws IOException {
    List<T> rows = new ArrayList<>();
    while (rows.size() < 3000) {
      rows.addAll(kinds);
    }
    for (Wire wire : NativeLibrary.isLoaded() ? Wire.values() : new Wire[] {Wire.ROW}) {
      Codec<T> codec = Codec.of(type).withWire(wire).withThreads(THREADS);
      check(codec.decodeAll(codec.encodeAll(rows)).size() == rows.size());
      for (T row : kinds) {
        check(type.isInstance(codec.decode(codec.encode(row))));
      }
      if (NativeLibrary.isLoaded()) {
        stream(codec, rows);
      }
    }
  }

  private static <T> void stream(Codec<T> codec, List<T> rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<T> writer = StreamWriter.of(codec).withThreads(THREADS).to(out)) {
      writer.writeAll(rows);
      writer.finish();
    }
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    try (StreamReader<T> reader = StreamReader.of(codec).withThreads(THREADS).from(in)) {
      check(reader.stream().count() == rows.size());
    }
  }

  private static void check(boolean isTrue) {
    if (!isTrue) {
      throw new AssertionError();
    }
  }
}
