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
 * Constructors, setters and builders that keep what they get, and such that change it. No class is
 * made by a constructor that changes its arguments.
 */
class KeptArgumentsTest {
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

  static List<Class<?>> changing() {
    return Arrays.stream(Changing.class.getDeclaredClasses())
        .filter(type -> type != Changing.Above.class)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("keeping")
  void aConstructorThatKeepsItsArgumentsIsUsed(Class<?> type) {
    assertDoesNotThrow(() -> Schema.of(type));
  }

  @ParameterizedTest
  @MethodSource("changing")
  void aConstructorThatMayChangeThemIsRefused(Class<?> type) {
    String message = assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
    assertTrue(
        message.contains("no constructor of it assigns each parameter to a field as it is"),
        message);
  }

  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> T back(T object) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      try (Codec<T> codec = Codec.of((Class<T>) object.getClass(), wire)) {
        List<T> rows = codec.decode(codec.encode(Collections.nCopies(3000, object)));
        decoded = codec.decodeOne(codec.encodeOne(rows.get(2999)));
      }
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

  static class Bean {
    private String name;
    private Boolean isOpen;
    private List<String> tags;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name == null ? null : name.toLowerCase(java.util.Locale.ROOT);
    }

    public boolean isOpen() {
      return isOpen;
    }

    public void setOpen(boolean isOpen) {
      this.isOpen = isOpen;
    }

    public Collection<String> getTags() {
      return Collections.unmodifiableCollection(tags);
    }

    public void setTags(Collection<String> tags) {
      this.tags = new ArrayList<>(tags);
    }
  }

  static class Appending {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name += name;
    }

    public String getTwice() {
      return name + name;
    }

    public void setTwice(String twice) {}
  }

  @Test
  void aSetterMayBringValuesIntoItsForm() {
    Bean bean = new Bean();
    bean.setName("A");
    bean.setOpen(true);
    bean.setTags(List.of("x", "y"));
    Bean decoded = back(bean);
    assertEquals("a", decoded.getName());
    assertEquals(List.of("x", "y"), List.copyOf(decoded.getTags()));
    Appending appending = new Appending();
    appending.setName("a");
    Appending same = back(appending);
    assertEquals("a", same.name);
  }

  static class Salted {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name + "!";
    }
  }

  @Test
  void aSetterThatChangesItsValueIsAnError() {
    Salted salted = new Salted();
    salted.setName("a");
    assertChanges(salted, "name");
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
