package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which classes qualify, by which way their objects are made, and what may be null. */
class ClassModelTest {
  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> T back(T object) {
    return back((Class<T>) object.getClass(), object);
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

  private static String schema(Class<?> type) {
    return Schema.of(type).toString();
  }

  private static String refusal(Class<?> type) {
    return assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
  }

  /** Compiles a class, with javac's options. */
  private static Class<?> compiled(Path directory, String code, String... options)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-proc:none", "-d", directory.toString()));
    Path source = Files.writeString(directory.resolve("Compiled.java"), code);
    arguments.add(source.toString());
    String[] all = arguments.toArray(String[]::new);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, all));
    // Not closed, because the class is still needed.
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}).loadClass("Compiled");
  }

  private static final String CLASS =
      "public class Compiled { private final long key; private final String name;"
          + " %s public Compiled(long key, String name) { this.key = key; this.name = name; }"
          + " %s }";

  private static final String BUILDER =
      "public static class Builder { long key; String name;"
          + " public Builder key(long key) { this.key = key; return this; }"
          + " public Builder name(String name) { this.name = name; return this; }"
          + " public Compiled build() { return new Compiled(key, name); } }";

  @Test
  void namesOfParametersComeFromTheClassFileOrAnAnnotation(
      @TempDir Path none,
      @TempDir Path file,
      @TempDir Path own,
      @TempDir Path beans,
      @TempDir Path builder)
      throws Exception {
    Class<?> without = compiled(none, String.format(CLASS, "", ""));
    assertEquals(
        "Compiled is of class Compiled, which is not a record and has no constructor without"
            + " arguments and no builder, and the class file has no names of the parameters of its"
            + " constructor Compiled(long, String); compile it with -parameters, or give the names"
            + " with @Creator({…}) or with @Name at each parameter",
        refusal(without));
    List<Class<?>> with =
        List.of(
            compiled(file, String.format(CLASS, "", ""), "-parameters"),
            compiled(
                own, String.format(CLASS, "@io.github.serow.Creator({\"key\", \"name\"})", "")),
            compiled(
                beans,
                String.format(CLASS, "@java.beans.ConstructorProperties({\"key\",\"name\"})", "")),
            compiled(builder, String.format(CLASS, "", BUILDER)));
    for (Class<?> type : with) {
      assertEquals("Compiled{key: i64, name: str?}", schema(type));
      Constructor<?> constructor = type.getConstructor(long.class, String.class);
      Object decoded = back(constructor.newInstance(7L, "a"));
      assertEquals(type, decoded.getClass());
    }
  }

  @Name("Way")
  static class ByFields {
    private String name = "";
    private int count;

    private ByFields() {}

    ByFields(String name, int count) {
      throw new AssertionError("the fields are set instead");
    }
  }

  @Name("Way")
  static class Annotated {
    private String name = "";
    private int count;

    private Annotated() {
      throw new AssertionError("the other constructor is annotated");
    }

    @Creator
    Annotated(int count, String name) {
      this.count = count;
      this.name = name;
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface JsonCreator {}

  @Name("Way")
  static class OfJackson {
    private final String name;
    private final int count;

    OfJackson(String name, int count) {
      throw new AssertionError("the other constructor is annotated");
    }

    @JsonCreator
    OfJackson(int count, String name) {
      this.count = count;
      this.name = name;
    }
  }

  @Name("Way")
  static class Final {
    private final String name;
    private final int count;

    /** For tools that set final fields. */
    private Final() {
      throw new AssertionError("it can't set the fields");
    }

    Final(int count, String name) {
      this.count = count;
      this.name = name;
    }

    Final(Final copied) {
      this(copied.count, copied.name);
    }
  }

  @Name("Way")
  static class Longest {
    private String name = "";
    private int count;

    Longest(int count) {
      this.count = count;
    }

    Longest(String name, int count) {
      this.name = name;
      this.count = count;
    }

    Longest(String name, int count, boolean isLoud) {
      this(isLoud ? name.toUpperCase(java.util.Locale.ROOT) : name, count);
    }
  }

  @Name("Way")
  static class Built {
    private final String name;
    private final int count;

    private Built(Builder builder) {
      name = builder.name;
      count = builder.count;
    }

    static final class Builder {
      private String name;
      private int count;

      Builder setName(String name) {
        this.name = name;
        return this;
      }

      Builder setCount(Integer count) {
        this.count = count;
        return this;
      }

      Built build() {
        return new Built(this);
      }
    }
  }

  /** The order of parameters does not count, so a class may change and still reads old records. */
  @Test
  void allWaysGiveTheSameSchema() throws Exception {
    List<Object> objects =
        List.of(
            new Annotated(3, "a"),
            new OfJackson(3, "a"),
            new Final(3, "a"),
            new Longest("a", 3),
            new Built.Builder().setName("a").setCount(3).build());
    ByFields byFields = new ByFields();
    byFields.count = 3;
    byFields.name = "a";
    byte[] record = Codec.of(ByFields.class).encode(byFields);
    assertEquals("a", back(byFields).name);
    for (Object object : objects) {
      assertEquals("Way{count: i64, name: str?}", schema(object.getClass()));
      Object decoded = back(object);
      assertArrayEquals(record, encoded(decoded));
    }
  }

  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> byte[] encoded(T object) {
    return Codec.of((Class<T>) object.getClass()).encode(object);
  }

  static class Box<T> {
    private final T a;

    Box(T a) {
      this.a = a;
    }

    public T getA() {
      return a;
    }
  }

  static class IntBox extends Box<Integer> {
    IntBox(Integer a) {
      super(a);
    }
  }

  static class NamedBox extends Box<List<String>> {
    private final String name;

    NamedBox(List<String> a, String name) {
      super(a);
      this.name = name;
    }
  }

  /** Its only property is a getter's, with the type that the class gives to the type parameter. */
  abstract static class Getting<T> {
    abstract T value();
  }

  static class Doubled extends Getting<Long> {
    @Ignore private final long half;

    @Creator
    Doubled(Long value) {
      half = value / 2;
    }

    @Override
    Long value() {
      return 2 * half;
    }
  }

  static class Unboxed {
    private final int a;
    private final Integer b;

    Unboxed(Integer a, int b) {
      this.a = a;
      this.b = b;
    }
  }

  @Test
  void aParameterMayHaveTheTypeOfAPropertyAsSeenFromTheClass() {
    assertEquals("IntBox{a: i64?}", schema(IntBox.class));
    assertEquals(7, back(new IntBox(7)).getA());
    assertNull(back(new IntBox(null)).getA());
    assertEquals("NamedBox{a: [str]?, name: str?}", schema(NamedBox.class));
    assertEquals(List.of("x"), back(new NamedBox(List.of("x"), "n")).getA());
    assertEquals("Doubled{value: i64?}", schema(Doubled.class));
    assertEquals(6, back(new Doubled(6L)).value());
    assertTrue(
        assertThrows(DecodeException.class, () -> back(OfOdd.class, new OfOdd(7)))
            .getMessage()
            .contains("changes the value of odd"));
    assertEquals("Unboxed{a: i64, b: i64}", schema(Unboxed.class));
    Unboxed unboxed = back(new Unboxed(1, 2));
    assertEquals(List.of(1, 2), List.of(unboxed.a, unboxed.b));
    Codec<Box<Integer>> boxes = Codec.of(new TypeReference<Box<Integer>>() {});
    assertEquals(5, boxes.decode(boxes.encode(new Box<>(5))).getA());
  }

  static class OfOdd {
    private final int odd;

    OfOdd(int odd) {
      this.odd = odd + 1;
    }
  }

  static class Counting {
    static int made;

    private int count = ++made;
    private int size = 3;
    private List<String> tags = new ArrayList<>(List.of("a"));
  }

  @Name("Counting")
  record Older(UUID id) {}

  @Test
  void noCodeOfTheClassRunsBeforeObjectsAreMade() {
    Codec<Counting> codec = Codec.of(Counting.class);
    assertEquals("Counting{count: i64, size: i64, tags: [str]?}", codec.schema().toString());
    assertEquals(0, Counting.made);
    assertEquals(3, back(new Counting()).size);
    byte[] older = Codec.of(Older.class).encodeAll(List.of(new Older(null)));
    // New objects differ in the count, so it has no default.
    assertThrows(SchemaException.class, () -> codec.decodeAll(older));
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE_USE)
  @interface Nullable {}

  @Retention(RetentionPolicy.RUNTIME)
  @interface NullMarked {}

  @Retention(RetentionPolicy.RUNTIME)
  @interface NullUnmarked {}

  @NullMarked
  static final class Marked {
    record Strict(
        String name,
        @Nullable String note,
        List<@Nullable String> tags,
        Map<String, @Nullable Integer> counts,
        @Nullable String[] texts,
        List<? extends @Nullable Integer> numbers,
        Pair<Integer, @Nullable String> pair) {}

    record Pair<A, B>(A first, B second) {}

    static final class Fields {
      private String name = "";
      private @Nullable String note;
    }

    @NullUnmarked
    record Loose(String name) {}
  }

  record Elements(List<@Nullable String> tags) {}

  @Test
  void annotationsSayWhatMayBeNull() {
    assertEquals(
        "Strict{name: str, note: str?, tags: [str?], counts: {str: i64?}, texts: [str?], numbers:"
            + " [i64?], pair: Pair{first: i64, second: str?}}",
        schema(Marked.Strict.class));
    assertEquals("Fields{name: str, note: str?}", schema(Marked.Fields.class));
    assertEquals("Loose{name: str?}", schema(Marked.Loose.class));
    assertEquals("Elements{tags: [str?]?}", schema(Elements.class));
    Map<String, Integer> counts = new HashMap<>();
    counts.put("a", null);
    Marked.Strict strict =
        new Marked.Strict(
            "a",
            null,
            Arrays.asList("x", null),
            counts,
            new String[] {null, "y"},
            Arrays.asList(1, null),
            new Marked.Pair<>(1, null));
    Marked.Strict decoded = back(strict);
    assertEquals(strict.tags, decoded.tags);
    assertEquals(counts, decoded.counts);
    assertArrayEquals(strict.texts, decoded.texts);
    assertEquals(strict.numbers, decoded.numbers);
    assertEquals(strict.pair, decoded.pair);
    Elements elements = new Elements(Arrays.asList("x", null));
    assertEquals(elements, back(elements));
    Marked.Fields lacking = new Marked.Fields();
    lacking.name = null;
    assertThrows(EncodeException.class, () -> back(lacking));
  }

  @Test
  void aPackageMayBeNullMarked(@TempDir Path directory) throws Exception {
    Path sources = Files.createDirectories(directory.resolve("marked"));
    Files.writeString(
        sources.resolve("NullMarked.java"),
        "package marked; import java.lang.annotation.*;"
            + " @Retention(RetentionPolicy.RUNTIME) public @interface NullMarked {}");
    Files.writeString(sources.resolve("package-info.java"), "@NullMarked package marked;");
    Files.writeString(
        sources.resolve("Part.java"), "package marked; public record Part(String name) {}");
    String[] arguments = {
      "-d",
      directory.toString(),
      sources.resolve("NullMarked.java").toString(),
      sources.resolve("package-info.java").toString(),
      sources.resolve("Part.java").toString()
    };
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
    ClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
    assertEquals("Part{name: str}", schema(loader.loadClass("marked.Part")));
  }
}
