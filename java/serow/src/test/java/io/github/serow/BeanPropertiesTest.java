package io.github.serow;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The properties of a class: none is lost because it is written in an unusual way. */
class BeanPropertiesTest {
  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> T back(Class<? extends T> of, T object) {
    Class<T> type = (Class<T>) of;
    T decoded = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      decoded = codec.decodeAll(codec.encodeAll(Collections.nCopies(70, object))).get(69);
      byte[] record = codec.encode(object);
      assertArrayEquals(record, codec.encode(decoded));
      assertArrayEquals(record, codec.encode(codec.decode(record)));
    }
    return decoded;
  }

  record Texts(String... texts) {}

  record Longs(int first, long... rest) {}

  record Any<T>(T... values) {
    @SafeVarargs
    Any {}
  }

  record HasAny(Any<String> any) {}

  @Test
  void variableArgumentsAreAnArray() {
    assertArrayEquals(new String[] {"a", "b"}, back(Texts.class, new Texts("a", "b")).texts());
    assertArrayEquals(new String[] {}, back(Texts.class, new Texts()).texts());
    assertNull(back(Texts.class, new Texts((String[]) null)).texts());
    assertArrayEquals(new long[] {2, 3}, back(Longs.class, new Longs(1, 2, 3)).rest());
    Object[] values = back(HasAny.class, new HasAny(new Any<>("a", "b"))).any().values();
    assertArrayEquals(new Object[] {"a", "b"}, values);
  }

  /** Its getter and setter have another name than its field. */
  public static class Odd {
    private long coordinate;
    private String[] names;

    public long getxCoord() {
      return coordinate;
    }

    public void setxCoord(long coordinate) {
      this.coordinate = coordinate;
    }

    public String[] getNames() {
      return names;
    }

    public void setNames(String... names) {
      this.names = names;
    }
  }

  @Test
  void propertiesHaveTheNamesOfFields() {
    assertEquals("Odd{coordinate: i64, names: [str]?}", Schema.of(Odd.class).toString());
    Odd odd = new Odd();
    odd.setxCoord(5);
    odd.setNames("a", "b");
    assertEquals(5, back(Odd.class, odd).getxCoord());
    assertArrayEquals(new String[] {"a", "b"}, back(Odd.class, odd).getNames());
    odd.setNames((String[]) null);
    assertNull(back(Odd.class, odd).getNames());
  }

  /** A bean with a type parameter as the type of its property. */
  public static class Base<T> {
    T id;

    public T getId() {
      return id;
    }

    public void setId(T id) {
      this.id = id;
    }
  }

  /** A subclass that specifies the type in the getter. */
  public static final class Reads extends Base<Long> {
    @Override
    public Long getId() {
      return super.getId();
    }
  }

  /** A subclass that specifies the type in the setter. */
  public static final class Writes extends Base<Long> {
    @Override
    public void setId(Long id) {
      super.setId(id);
    }
  }

  /** A subclass that specifies the type in both. */
  public static final class Both extends Base<Long> {
    @Override
    public Long getId() {
      return super.getId();
    }

    @Override
    public void setId(Long id) {
      super.setId(id);
    }
  }

  @Test
  void getterOrSetterMaySpecifyTheTypeOfAProperty() {
    assertSaid(Reads.class, new Reads());
    assertSaid(Writes.class, new Writes());
    assertSaid(Both.class, new Both());
  }

  private static <T extends Base<Long>> void assertSaid(Class<T> type, T bean) {
    assertEquals(type.getSimpleName() + "{id: i64?}", Schema.of(type).toString());
    bean.setId(7L);
    assertEquals(7L, back(type, bean).getId());
  }

  /** Has no field, so it has no property. */
  public static final class Computed {
    public Long getId() {
      return 1L;
    }

    public void setId(Long id) {}
  }

  @Test
  void gettersAndSettersAreNoProperties() {
    SchemaException e = assertThrows(SchemaException.class, () -> Schema.of(Computed.class));
    assertEquals(
        "Computed is of class io.github.serow.BeanPropertiesTest$Computed, which is not a record"
            + " and has no field; make it a record",
        e.getMessage());
  }

  /** Its getters and setters must not be called. */
  public static class Entity {
    private Long id;
    private boolean isOpen;
    protected int count;

    @Name("key")
    public Long getId() {
      throw new AssertionError();
    }

    public void setId(Long id) {
      throw new AssertionError();
    }

    @Ignore
    public boolean isOpen() {
      throw new AssertionError();
    }

    @Default("7")
    public void setCount(int count) {
      throw new AssertionError();
    }
  }

  @Test
  void annotationsOfGettersAndSettersCount() {
    assertEquals("Entity{count: i64, key: i64?}", Schema.of(Entity.class).toString());
    Entity entity = new Entity();
    entity.id = 3L;
    entity.isOpen = true;
    entity.count = 4;
    Entity decoded = back(Entity.class, entity);
    assertEquals(List.of(3L, 4, false), List.of(decoded.id, decoded.count, decoded.isOpen));
    byte[] older = Codec.of(EntityKey.class).encodeAll(List.of(new EntityKey(5L)));
    assertEquals(7, Codec.of(Entity.class).decodeAll(older).get(0).count);
  }

  /** The annotation is for a field of another name. */
  public static class Misnamed {
    private long coordinate;

    @Name("x")
    public long getxCoord() {
      return coordinate;
    }
  }

  @Test
  void anAnnotationWithoutEffectIsAnError() {
    SchemaException e = assertThrows(SchemaException.class, () -> Schema.of(Misnamed.class));
    assertTrue(
        e.getMessage()
            .endsWith(
                "whose getter or setter of xCoord has an annotation of serow, but there is no"
                    + " field xCoord; annotate the field that it is for"),
        e.getMessage());
  }

  @Name("Entity")
  record EntityKey(Long key) {}

  /** A public bean that inherits from a class that is not public. */
  static class Hidden {
    private long id;
    private List<String> names = List.of();

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }

    public List<String> getNames() {
      return names;
    }

    public void setNames(List<String> names) {
      this.names = names;
    }
  }

  /** A class with bridges only, for which Java gives no generic types. */
  public static final class Shown extends Hidden {}

  @Test
  void beansMayExtendClassesThatAreNotPublic() {
    assertEquals("Shown{id: i64, names: [str]?}", Schema.of(Shown.class).toString());
    Shown shown = new Shown();
    shown.setId(7);
    shown.setNames(List.of("a", "b"));
    Shown back = back(Shown.class, shown);
    assertEquals(7, back.getId());
    assertEquals(List.of("a", "b"), back.getNames());
  }

  /** A getter without a field, which fails. */
  public static final class Fails {
    @Ignore private Exception failure;

    @Creator({"text"})
    Fails(String text) {}

    public String getText() throws Exception {
      if (failure != null) {
        throw failure;
      }
      return "";
    }
  }

  @Test
  void exceptionsOfGettersAreReported() {
    Fails fails = new Fails("");
    assertEquals(Fails.class, back(Fails.class, fails).getClass());
    fails.failure = new IOException("no disk");
    EncodeException e = assertThrows(EncodeException.class, () -> back(Fails.class, fails));
    assertSame(fails.failure, e.getCause());
    assertEquals(
        "row 0, field text (str?): cannot read it, because the getter failed:"
            + " java.io.IOException: no disk",
        e.getMessage());
    fails.failure = new IllegalStateException("closed");
    EncodeException unchecked = assertThrows(EncodeException.class, () -> back(Fails.class, fails));
    assertSame(fails.failure, unchecked.getCause());
    assertEquals(List.of("text"), unchecked.path().orElseThrow());
  }

  record Pair<A, B>(A first, B second) {}

  record Grows<T>(Grows<Pair<T, T>> more) {}

  record HasGrowing(Grows<Long> more) {}

  @Test
  void aTypeThatGrowsWithoutAnEndIsAnError() {
    SchemaException e = assertThrows(SchemaException.class, () -> Schema.of(HasGrowing.class));
    assertTrue(e.getMessage().contains("; a schema can't be recursive: "), e.getMessage());
  }

  /** A record with this number of components, compiled here. */
  private static Class<?> wide(Path directory, int components) throws Exception {
    String name = "Wide" + components;
    String all =
        IntStream.range(0, components).mapToObj(i -> "Integer c" + i).collect(joining(", "));
    Path source = directory.resolve(name + ".java");
    Files.writeString(source, "public record " + name + "(" + all + ") {}");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertEquals(0, compiler.run(null, null, null, "-d", directory.toString(), source.toString()));
    // Not closed, because the class is still needed.
    ClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
    return loader.loadClass(name);
  }

  @Test
  void moreParametersThanAHandleTakesAreAnError(@TempDir Path directory) throws Exception {
    Class<?> widest = wide(directory, 253);
    assertTrue(Schema.of(widest).toString().endsWith("c252: i64?}"));
    Object[] values = IntStream.range(0, 253).boxed().toArray();
    Object object = widest.getDeclaredConstructors()[0].newInstance(values);
    assertEquals(object, back(widest, object));
    Class<?> wider = wide(directory, 254);
    SchemaException e = assertThrows(SchemaException.class, () -> Schema.of(wider));
    assertTrue(
        e.getMessage().endsWith("use a class with a constructor without arguments"),
        e.getMessage());
  }
}
