package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Constructors and builders that keep what they get or bring it into a form, and such that change
 * it. What comes back is what was given, or there is an error.
 */
class KeptValuesTest {
  /** Classes whose constructors keep their arguments. */
  static class Keeping {
    static class Checked {
      final String name;
      final List<String> tags;

      Checked(String name, List<String> tags) {
        this.name = Objects.requireNonNull(name, "name");
        if (tags.size() > 9) {
          throw new IllegalArgumentException("too many: " + tags);
        }
        for (String tag : tags) {
          if (tag.isEmpty()) {
            throw new IllegalArgumentException(name);
          }
        }
        this.tags = List.copyOf(tags);
      }
    }

    static class ChecksItself {
      final String name;
      final int size;

      ChecksItself(String name, int size) {
        this.name = name;
        this.size = size;
        check();
      }

      ChecksItself(String name) {
        this(name, 0);
      }

      void check() {
        if (size < 0 || name.isEmpty()) {
          throw new IllegalArgumentException();
        }
      }
    }

    static class Below extends ChecksItself {
      final long more;

      Below(String name, int size, long more) {
        super(name, size);
        this.more = more;
      }
    }

    static class NullOrCopy {
      final List<String> tags;

      NullOrCopy(List<String> tags) {
        this.tags = tags == null ? null : Collections.unmodifiableList(new ArrayList<>(tags));
      }
    }

    static class OnlyIfNotNull {
      private String name;

      OnlyIfNotNull(String name) {
        if (name != null) {
          this.name = name;
        }
      }
    }

    static class BySetter {
      private String name;

      BySetter(String name) {
        setName(name);
      }

      private void setName(String name) {
        this.name = name;
      }
    }

    static class CopiedArray {
      final int[] cells;

      CopiedArray(int[] cells) {
        this.cells = Arrays.copyOf(cells, cells.length);
      }
    }

    static class Switching {
      final String kind;

      Switching(String kind) {
        switch (kind) {
          case "a", "b" -> {}
          default -> throw new IllegalArgumentException(kind);
        }
        this.kind = kind;
      }
    }
  }

  /** Classes whose constructors change an argument, or might. */
  static class Changing {
    static class Replaced {
      final String name;

      Replaced(String name) {
        name = name.trim();
        this.name = name;
      }
    }

    static class Incremented {
      final int size;

      Incremented(int size) {
        size++;
        this.size = size;
      }
    }

    static class InOneBranch {
      final int size;

      InOneBranch(int size) {
        if (size > 100) {
          size = 100;
        }
        this.size = size;
      }
    }

    static class Clamped {
      final int size;

      Clamped(int size) {
        this.size = Math.max(size, 0);
      }
    }

    static class AssignedTwice {
      long size;

      AssignedTwice(long size) {
        this.size = size;
        this.size *= 2;
      }
    }

    static class InALoop {
      int size;

      InALoop(int size) {
        this.size = size;
        for (int i = 0; i < 3; i++) {
          this.size++;
        }
      }
    }

    static class Narrowed {
      final double size;

      Narrowed(double size) {
        this.size = (float) size;
      }
    }

    static class SortedCopy {
      final List<String> tags;

      SortedCopy(List<String> tags) {
        this.tags = new ArrayList<>(tags);
        Collections.sort(this.tags);
      }
    }

    static class SortedBefore {
      final List<String> tags;

      SortedBefore(List<String> tags) {
        Collections.sort(tags);
        this.tags = tags;
      }
    }

    static class AddedLater {
      final List<String> tags;

      AddedLater(List<String> tags) {
        List<String> copy = new ArrayList<>(tags);
        this.tags = copy;
        copy.add("x");
      }
    }

    static class OtherEntries {
      final Map<String, Integer> sizes;

      OtherEntries(Map<String, Integer> sizes) {
        this.sizes = new HashMap<>(sizes);
        this.sizes.put("x", 1);
      }
    }

    static class OtherOrder {
      final Collection<String> tags;

      OtherOrder(Collection<String> tags) {
        this.tags = new TreeSet<>(tags);
      }
    }

    static class EmptyForNull {
      final List<String> tags;

      EmptyForNull(List<String> tags) {
        this.tags = tags == null ? List.of() : tags;
      }
    }

    static class SortedArray {
      final int[] cells;

      SortedArray(int[] cells) {
        this.cells = cells.clone();
        Arrays.sort(this.cells);
      }
    }

    static class ChangedCell {
      final int[][] cells;

      ChangedCell(int[][] cells) {
        this.cells = cells;
        cells[0][0] = 7;
      }
    }

    static class ChangedElement {
      final List<int[]> cells;

      ChangedElement(List<int[]> cells) {
        this.cells = cells;
        for (int[] row : cells) {
          row[0] = 7;
        }
      }
    }

    static class ChangesItself {
      private String name;

      ChangesItself(String name) {
        this.name = name;
        normalize();
      }

      void normalize() {
        name = name.trim();
      }
    }

    static class ChangedByALambda {
      private String name;

      ChangedByALambda(String name) {
        this.name = name;
        Runnable change = () -> this.name = "x";
        change.run();
      }
    }

    static class ChangedByOthers {
      final List<String> tags;

      ChangedByOthers(List<String> tags) {
        this.tags = tags;
        clear(this);
      }

      static void clear(ChangedByOthers given) {
        given.tags.clear();
      }
    }

    abstract static class Above {
      String name;

      Above(String name) {
        this.name = name;
        begin();
      }

      abstract void begin();
    }

    static class ChangedBelow extends Above {
      ChangedBelow(String name) {
        super(name);
      }

      @Override
      void begin() {
        name = name.trim();
      }
    }

    static class ComputedAbove extends AssignedTwice {
      ComputedAbove(long size) {
        super(size + 1);
      }
    }

    static class Swapped {
      final int low;
      final int high;

      Swapped(int low, int high) {
        this.low = Math.min(low, high);
        this.high = Math.max(low, high);
      }
    }

    static class Caught {
      final String name;

      Caught(String name) {
        String trimmed;
        try {
          trimmed = name.trim();
        } catch (RuntimeException e) {
          trimmed = name;
        }
        this.name = trimmed;
      }
    }

    static class Mapped {
      final Optional<String> name;

      Mapped(Optional<String> name) {
        this.name = name.map(String::trim);
      }
    }
  }

  static List<Class<?>> keeping() {
    return List.of(Keeping.class.getDeclaredClasses());
  }

  /** Objects whose constructors change no value that is in the form that they give it. */
  static List<Object> forming() {
    return List.of(
        new Changing.Replaced(" a "),
        new Changing.InOneBranch(200),
        new Changing.Clamped(-1),
        new Changing.Narrowed(0.1),
        new Changing.SortedCopy(List.of("b", "a")),
        new Changing.SortedBefore(new ArrayList<>(List.of("b", "a"))),
        new Changing.OtherEntries(Map.of("a", 1)),
        new Changing.OtherOrder(List.of("b", "a")),
        new Changing.EmptyForNull(null),
        new Changing.SortedArray(new int[] {2, 1}),
        new Changing.ChangedCell(new int[][] {{1}}),
        new Changing.ChangedElement(List.of(new int[] {1})),
        new Changing.ChangesItself(" a "),
        new Changing.ChangedByALambda("a"),
        new Changing.ChangedByOthers(new ArrayList<>(List.of("a"))),
        new Changing.ChangedBelow(" a "),
        new Changing.Swapped(2, 1),
        new Changing.Caught(" a "),
        new Changing.Mapped(Optional.of(" a ")));
  }

  /** Objects whose constructors would make other ones of their values. */
  static List<Object> changing() {
    return List.of(
        new Changing.Incremented(1),
        new Changing.AssignedTwice(1),
        new Changing.InALoop(1),
        new Changing.AddedLater(List.of("a")),
        new Changing.ComputedAbove(1));
  }

  @ParameterizedTest
  @MethodSource("keeping")
  void aConstructorThatKeepsItsArgumentsIsUsed(Class<?> type) {
    assertDoesNotThrow(() -> Schema.of(type));
  }

  @ParameterizedTest
  @MethodSource("forming")
  void aConstructorMayBringValuesIntoItsForm(Object object) {
    Object decoded = back(object);
    Codec<Object> codec = codec(object);
    assertArrayEquals(codec.encode(object), codec.encode(decoded));
  }

  @ParameterizedTest
  @MethodSource("changing")
  void aConstructorThatChangesAValueIsAnError(Object object) {
    String property = object instanceof Changing.AddedLater ? "tags" : "size";
    assertChanges(object, property);
  }

  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> Codec<T> codec(T object) {
    return Codec.of((Class<T>) object.getClass());
  }

  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> T back(T object) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of((Class<T>) object.getClass()).withWire(wire);
      List<T> rows = codec.decodeAll(codec.encodeAll(Collections.nCopies(3000, object)));
      decoded = codec.decode(codec.encode(rows.get(2999)));
    }
    return decoded;
  }

  private static void assertChanges(Object object, String property) {
    DecodeException error = assertThrows(DecodeException.class, () -> back(object));
    String type = object.getClass().getSimpleName();
    String why = "cannot make the object: " + type + " changes the value of " + property;
    assertTrue(error.getMessage().contains(why), error.getMessage());
  }

  record Trimmed(String name, List<String> tags, float ratio, short size) {
    Trimmed {
      name = name.trim();
      tags = tags == null ? List.of() : List.copyOf(tags);
      size = (short) Math.max(size, 1);
    }
  }

  record Copied(List<int[]> cells, Map<String, long[][]> sizes) {
    Copied {
      cells = cells.stream().map(int[]::clone).toList();
      Map<String, long[][]> copies = new HashMap<>();
      sizes.forEach((name, rows) -> copies.put(name, new long[][] {rows[0].clone()}));
      sizes = copies;
    }
  }

  record Doubled(long size) {
    Doubled {
      size *= 2;
    }
  }

  record OtherAccessor(int size) {
    @Override
    public int size() {
      return size + 1;
    }
  }

  @Test
  void aRecordMayBringValuesIntoItsForm() {
    Trimmed trimmed = new Trimmed(" a ", null, 0.1f, (short) -3);
    assertEquals(trimmed, back(trimmed));
    Copied copied = back(new Copied(List.of(new int[] {7}), Map.of("a", new long[][] {{8, 9}})));
    assertArrayEquals(new int[] {7}, copied.cells.get(0));
    assertArrayEquals(new long[] {8, 9}, copied.sizes.get("a")[0]);
    assertChanges(new Doubled(3), "size");
    assertChanges(new OtherAccessor(3), "size");
  }

  record Singles(
      boolean flag, byte b, short s, int i, long l, float f, double d, char c, Integer boxed) {}

  /** Changes one of its values if that is not in the form of all others. */
  static final class OneOfMany {
    private final boolean flag;
    private final byte b;
    private final short s;
    private final int i;
    private final long l;
    private final float f;
    private final double d;
    private final char c;
    private final Integer boxed;

    OneOfMany(
        boolean flag, byte b, short s, int i, long l, float f, double d, char c, Integer boxed) {
      this.flag = flag && l != 1;
      this.b = (byte) (b + (l == 2 ? 1 : 0));
      this.s = (short) (s + (l == 3 ? 1 : 0));
      this.i = i + (l == 4 ? 1 : 0);
      this.l = l == 5 ? 0 : l;
      this.f = l == 6 && f == 0 ? 0f : f;
      this.d = l == 7 ? d + 1 : d;
      this.c = l == 8 ? 'z' : c;
      this.boxed = l == 9 ? boxed + 1 : boxed;
    }
  }

  @Test
  void eachKindOfValueIsCompared() {
    List<String> names = List.of("flag", "b", "s", "i", "l", "f", "d", "c", "boxed");
    Codec<OneOfMany> codec = Codec.of(OneOfMany.class);
    for (int which = 0; which <= 10; which++) {
      Singles singles =
          new Singles(true, (byte) 1, (short) 1, 1, which, -0f, Double.NaN, 'a', 1000);
      if (which == 7) {
        singles = new Singles(true, (byte) 1, (short) 1, 1, which, -0f, 0.5, 'a', 1000);
      }
      for (Wire wire : Wire.values()) {
        byte[] message =
            Codec.of(Singles.class).withWire(wire).encodeAll(Collections.nCopies(3000, singles));
        if (which == 0 || which == 10) {
          OneOfMany decoded = codec.decodeAll(message).get(2999);
          assertEquals(List.of(which, 1000), List.of((int) decoded.l, decoded.boxed));
          continue;
        }
        DecodeException error = assertThrows(DecodeException.class, () -> codec.decodeAll(message));
        String why = "OneOfMany changes the value of " + names.get(which - 1) + " that it gets";
        assertTrue(error.getMessage().contains(why), error.getMessage());
        assertTrue(error.getMessage().startsWith("frame 0, row 0, "), error.getMessage());
      }
    }
  }

  record Failing(int size) {
    @Override
    public int size() {
      if (size == 7) {
        throw new IllegalStateException("seven");
      }
      return size;
    }
  }

  @Name("Failing")
  record Plain(int size) {}

  @Test
  void anAccessorThatFailsWhenItIsReadAgainHasAPlace() {
    for (Wire wire : Wire.values()) {
      byte[] message =
          Codec.of(Plain.class).withWire(wire).encodeAll(List.of(new Plain(1), new Plain(7)));
      DecodeException error =
          assertThrows(DecodeException.class, () -> Codec.of(Failing.class).decodeAll(message));
      String text = error.getMessage();
      assertTrue(text.startsWith("frame 0, row 1"), text);
      String why = ": cannot make the object: java.lang.IllegalStateException: seven";
      assertTrue(text.endsWith(why), text);
    }
  }

  /** The methods of its builder take wider types than the fields have. */
  static final class Wide {
    private final String name;
    private final List<String> tags;
    private final Map<String, Integer> sizes;
    private final List<String> more;

    private Wide(Builder builder) {
      name = builder.name;
      tags = List.copyOf(builder.tags);
      sizes = Map.copyOf(builder.sizes);
      more = builder.more;
    }

    static Builder builder() {
      return new Builder();
    }

    static final class Builder {
      private String name;
      private final List<String> tags = new ArrayList<>();
      private final Map<String, Integer> sizes = new HashMap<>();
      private List<String> more;

      Builder name(CharSequence name) {
        this.name = name.toString().trim();
        return this;
      }

      Builder tags(String... tags) {
        return tags(Arrays.asList(tags));
      }

      Builder tags(Collection<? extends String> tags) {
        this.tags.addAll(tags);
        return this;
      }

      Builder sizes(Map<? extends String, ? extends Integer> sizes) {
        this.sizes.putAll(sizes);
        return this;
      }

      Builder more(Iterable<String> more) {
        throw new AssertionError("another method takes a narrower type");
      }

      Builder more(List<String> more) {
        this.more = more;
        return this;
      }

      Wide build() {
        return new Wide(this);
      }
    }
  }

  @Test
  void aBuilderMayTakeWiderTypes() {
    Wide wide =
        Wide.builder().name("a").tags("x", "x").sizes(Map.of("b", 1)).more(List.of()).build();
    assertEquals(
        "Wide{more: [str]?, name: str?, sizes: {str: i64}?, tags: [str]?}",
        Schema.of(Wide.class).toString());
    Wide decoded = back(wide);
    assertEquals(
        List.of("a", List.of("x", "x"), Map.of("b", 1), List.of()),
        List.of(decoded.name, decoded.tags, decoded.sizes, decoded.more));
  }

  static final class Hashed {
    private final String secret;
    private final int size;

    private Hashed(Builder builder) {
      secret = builder.secret;
      size = builder.size * 100;
    }

    static final class Builder {
      private String secret;
      private int size;

      Builder secret(String secret) {
        this.secret = secret == null ? null : Integer.toHexString(secret.hashCode());
        return this;
      }

      Builder size(int size) {
        this.size = size;
        return this;
      }

      Hashed build() {
        return new Hashed(this);
      }
    }
  }

  @Test
  void aBuilderThatChangesAValueIsAnError() {
    assertChanges(new Hashed.Builder().secret("a").size(0).build(), "secret");
    assertChanges(new Hashed.Builder().size(1).build(), "size");
  }
}
