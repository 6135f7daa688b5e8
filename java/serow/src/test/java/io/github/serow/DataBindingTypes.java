package io.github.serow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;

/** The types of {@link DataBindingTest}. */
final class DataBindingTypes {
  private DataBindingTypes() {}

  record Point(int x, int y) {}

  record Pair<A, B>(A first, B second) {}

  /** Equal if all fields are. */
  abstract static class Compared {
    abstract List<Object> values();

    @Override
    public boolean equals(Object other) {
      return other != null
          && other.getClass() == getClass()
          && values().equals(((Compared) other).values());
    }

    @Override
    public int hashCode() {
      return values().hashCode();
    }
  }

  static class MyValue extends Compared {
    private String name;
    private int age;

    MyValue() {}

    MyValue(String name, int age) {
      this.name = name;
      this.age = age;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public int getAge() {
      return age;
    }

    public void setAge(int age) {
      this.age = age;
    }

    @Override
    List<Object> values() {
      return List.of(name, age);
    }
  }

  static class Open extends Compared {
    public String name;
    public int age;
    public transient int calls;

    Open() {}

    Open(String name, int age) {
      this.name = name;
      this.age = age;
    }

    @Override
    List<Object> values() {
      return List.of(name, age);
    }
  }

  static class Closed extends Compared {
    private String name;
    private int age;
    private transient int calls = 3;

    private Closed() {}

    Closed(String name, int age) {
      this.name = name;
      this.age = age;
    }

    @Override
    List<Object> values() {
      return List.of(name, age, calls);
    }
  }

  static class Pet extends Compared {
    private String name;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    @Override
    List<Object> values() {
      return List.of(name);
    }
  }

  static class Dog extends Pet {
    private double barkVolume;

    Dog() {}

    Dog(String name, double barkVolume) {
      setName(name);
      this.barkVolume = barkVolume;
    }

    public double getBarkVolume() {
      return barkVolume;
    }

    public void setBarkVolume(double barkVolume) {
      this.barkVolume = barkVolume;
    }

    @Override
    List<Object> values() {
      return List.of(getName(), barkVolume);
    }
  }

  static class CtorPoint extends Compared {
    private final String label;
    private final long value;
    private final transient int hash;

    CtorPoint(String label, long value) {
      this.label = Objects.requireNonNull(label, "label");
      this.value = value;
      hash = label.hashCode();
    }

    CtorPoint(String label) {
      this(label, 0);
    }

    public String getLabel() {
      return label;
    }

    @Override
    List<Object> values() {
      return List.of(label, value, hash);
    }
  }

  static final class NamedPoint extends CtorPoint {
    private final List<String> tags;

    NamedPoint(String label, long value, List<String> tags) {
      super(label, value);
      this.tags = List.copyOf(tags);
    }

    @Override
    List<Object> values() {
      return List.of(getLabel(), tags);
    }
  }

  static final class Built extends Compared {
    private final String name;
    private final int size;

    private Built(Builder builder) {
      name = builder.name;
      size = builder.size;
    }

    static Builder builder() {
      return new Builder();
    }

    static final class Builder {
      private String name;
      private int size;

      Builder name(String name) {
        this.name = name;
        return this;
      }

      Builder size(int size) {
        this.size = size;
        return this;
      }

      Built build() {
        return new Built(this);
      }
    }

    @Override
    List<Object> values() {
      return List.of(name, size);
    }
  }

  static final class Pizza extends Compared {
    private final int size;
    private final List<String> toppings;

    private Pizza(Builder builder) {
      size = builder.size;
      toppings = builder.toppings;
    }

    static final class Builder {
      private int size;
      private List<String> toppings;

      Builder withSize(int size) {
        this.size = size;
        return this;
      }

      Builder withToppings(List<String> toppings) {
        this.toppings = toppings;
        return this;
      }

      Pizza build() {
        return new Pizza(this);
      }
    }

    @Override
    List<Object> values() {
      return List.of(size, toppings);
    }
  }

  /** As code generators for values write it. */
  abstract static class Animal {
    abstract String name();

    abstract int legs();

    static Builder builder() {
      return new GeneratedBuilder();
    }

    abstract static class Builder {
      abstract Builder setName(String name);

      abstract Builder setLegs(int legs);

      abstract Animal build();
    }

    private static final class GeneratedBuilder extends Builder {
      private String name;
      private int legs;

      @Override
      Builder setName(String name) {
        this.name = name;
        return this;
      }

      @Override
      Builder setLegs(int legs) {
        this.legs = legs;
        return this;
      }

      @Override
      Animal build() {
        return new Generated(name, legs);
      }
    }

    private static final class Generated extends Animal {
      private final String name;
      private final int legs;

      Generated(String name, int legs) {
        this.name = name;
        this.legs = legs;
      }

      @Override
      String name() {
        return name;
      }

      @Override
      int legs() {
        return legs;
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Generated it && name.equals(it.name) && legs == it.legs;
      }

      @Override
      public int hashCode() {
        return legs;
      }
    }
  }

  enum Color {
    RED,
    GREEN
  }

  enum Operation {
    PLUS {
      @Override
      int apply(int a) {
        return a + 1;
      }
    },
    MINUS {
      @Override
      int apply(int a) {
        return a - 1;
      }
    };

    abstract int apply(int a);
  }

  enum Size {
    @Name("S")
    SMALL,
    LARGE
  }

  record Car(Color color, Color second) {}

  record Sum(Operation operation, int of) {}

  static class Box<T> extends Compared {
    private T content;

    public T getContent() {
      return content;
    }

    public void setContent(T content) {
      this.content = content;
    }

    @Override
    List<Object> values() {
      return List.of(content);
    }
  }

  static final class StringBox extends Box<String> {
    StringBox() {}

    StringBox(String content) {
      setContent(content);
    }
  }

  record Optionals(
      Optional<String> text,
      OptionalInt i,
      OptionalLong l,
      OptionalDouble d,
      Optional<Point> point) {}

  sealed interface Figure permits Circle, Square {}

  record Circle(double radius) implements Figure {}

  record Square(double side) implements Figure {}

  record Drawing(String name, Figure main, Map<String, Figure> more) {}

  sealed interface Event permits Login, Purchase, Simple {}

  record Login(String user) implements Event {}

  sealed interface Purchase extends Event permits Bought, Returned {}

  record Bought(String item, int count) implements Purchase {}

  record Returned(String item) implements Purchase {}

  enum Simple implements Event {
    LOGOUT {
      @Override
      int code() {
        return 1;
      }
    },
    PING;

    int code() {
      return 0;
    }
  }

  sealed interface Result<T> permits Ok, Failed {}

  record Ok<T>(T value) implements Result<T> {}

  record Failed<T>(String reason) implements Result<T> {}

  abstract static sealed class Vehicle extends Compared permits Truck, Bike {}

  static final class Truck extends Vehicle {
    private double load;

    Truck() {}

    Truck(double load) {
      this.load = load;
    }

    public double getLoad() {
      return load;
    }

    public void setLoad(double load) {
      this.load = load;
    }

    @Override
    List<Object> values() {
      return List.of(load);
    }
  }

  static final class Bike extends Vehicle {
    private final boolean electric;

    Bike(boolean electric) {
      this.electric = electric;
    }

    @Override
    List<Object> values() {
      return List.of(electric);
    }
  }

  sealed interface Shape2 permits Shape2.Outer.Item, Shape2.Other.Item {
    final class Outer {
      @Name("OuterItem")
      record Item(int n) implements Shape2 {}
    }

    final class Other {
      record Item(int n) implements Shape2 {}
    }
  }

  @Name("Person")
  record Renamed(@Name("full_name") String name, @Name("years") int age) {}

  record Partly(String name, @Ignore Object cache) {}

  record Session(
      String user, @Ignore @Default("30") int minutes, @Ignore @Default("3") Optional<Integer> n) {}

  record Chars(char first, Character second, List<Character> more, Map<Character, Character> map) {}

  record Numbers(
      byte b,
      short s,
      int i,
      long l,
      float f,
      double d,
      boolean bool,
      BigInteger large,
      BigDecimal decimal) {}

  record Stamped(Instant at, LocalDate day, UUID id) {}

  record Sorted(
      SortedSet<String> names,
      TreeSet<Long> numbers,
      SortedMap<String, Integer> counts,
      NavigableMap<Long, String> texts) {}

  record Queues(Queue<String> names, Deque<Integer> numbers, Queue<Double> more) {}

  record Others(
      ConcurrentMap<String, Integer> counts,
      Set<String> names,
      java.util.Vector<Long> numbers,
      Collection<String> any) {}

  static final class Tags extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Tags() {}

    Tags(List<String> tags) {
      super(tags);
    }
  }

  record Site(URI address, List<URI> links, Currency currency) {}

  record Celsius(double degrees) {}

  /** Not a record: its parts are computed. */
  static final class Interval {
    private final long from;
    private final long length;

    private Interval(long from, long length) {
      this.from = from;
      this.length = length;
    }

    static Interval of(long from, long to) {
      return new Interval(from, to - from);
    }

    long from() {
      return from;
    }

    long to() {
      return from + length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Interval it && it.from == from && it.length == length;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(from);
    }
  }

  record Tree(String name, List<Tree> children) {}

  abstract static class Open2 {}

  static final class Half {
    private final String name;
    private String note;

    Half(String name) {
      this.name = name;
    }

    String text() {
      return name + note;
    }
  }
}
