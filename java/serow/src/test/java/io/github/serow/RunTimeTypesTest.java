package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Codecs of types that only reflection knows, as a framework of web services uses them. */
class RunTimeTypesTest {
  record Part(long key, String name) {}

  record Pair<A, B>(A first, B second) {}

  record Page<T>(List<T> items, Optional<URI> next) {}

  /** A service whose methods a framework finds by reflection. */
  static final class Parts {
    private final Map<String, Part> stored = new LinkedHashMap<>();

    public int store(Map<String, ? extends Part> parts) {
      stored.putAll(parts);
      return stored.size();
    }

    public Pair<String, Part> find(String label) {
      return new Pair<>(label, stored.get(label));
    }

    public Page<Part> page(int from, Optional<Integer> limit) {
      List<Part> items = stored.values().stream().skip(from).limit(limit.orElse(9)).toList();
      return new Page<>(items, Optional.of(URI.create("parts?from=" + (from + items.size()))));
    }

    public List<? super Part> append(List<Part>[] lists) {
      return Arrays.stream(lists).flatMap(List::stream).toList();
    }
  }

  /** In the style of Spring's GenericHttpMessageConverter. */
  private static final class MessageConverter {
    private static final Mappings MAPPINGS =
        Mappings.standard().withConverter(URI.class, String.class, URI::toString, URI::create);

    static Codec<Object> codec(Type type) {
      return Codec.of(type, MAPPINGS).withWire(Wire.ROW);
    }

    boolean canRead(Type type) {
      try {
        codec(type);
        return true;
      } catch (SchemaException e) {
        return false;
      }
    }

    Object read(Type type, InputStream body) throws IOException {
      return codec(type).decodeAll(body.readAllBytes()).get(0);
    }

    void write(Object body, Type type, OutputStream out) throws IOException {
      out.write(codec(type).encodeAll(List.of(body)));
    }
  }

  /** Calls methods of an object with arguments and results that are bytes. */
  private record Server(Object service, MessageConverter converter) {
    Method method(String name) {
      return Arrays.stream(service.getClass().getDeclaredMethods())
          .filter(method -> method.getName().equals(name))
          .findFirst()
          .orElseThrow();
    }

    Object call(String name, Object... given) throws ReflectiveOperationException, IOException {
      Method method = method(name);
      Type[] types = method.getGenericParameterTypes();
      Object[] arguments = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        assertTrue(converter.canRead(types[i]), types[i].getTypeName());
        arguments[i] = sent(given[i], types[i]);
      }
      return sent(method.invoke(service, arguments), method.getGenericReturnType());
    }

    private Object sent(Object body, Type type) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      converter.write(body, type, out);
      return converter.read(type, new ByteArrayInputStream(out.toByteArray()));
    }
  }

  @Test
  void aFrameworkServesMethodsThatItFinds() throws ReflectiveOperationException, IOException {
    Server server = new Server(new Parts(), new MessageConverter());
    Part almond = new Part(1, "almond");
    Part bolt = new Part(2, "bolt");
    assertEquals(1, server.call("store", Map.of("a", almond)));
    assertEquals(2, server.call("store", Map.of("b", bolt)));
    assertEquals(new Pair<>("b", bolt), server.call("find", "b"));
    assertEquals(new Pair<>("c", null), server.call("find", "c"));
    assertEquals(
        new Page<>(List.of(bolt), Optional.of(URI.create("parts?from=2"))),
        server.call("page", 1, Optional.of(5)));
    List<?>[] lists = {List.of(almond), List.of(), List.of(bolt, almond)};
    assertEquals(List.of(almond, bolt, almond), server.call("append", (Object) lists));
  }

  /** Methods with types that have no schema. */
  interface Wrong {
    <T> void parameter(T body);

    @SuppressWarnings("rawtypes") // This is what is refused.
    void raw(List body);

    void unknown(List<?> body);

    void inside(Pair<String, Thread> body);

    void nothing();
  }

  @Test
  void aTypeWithoutASchemaIsAnErrorThatNamesIt() throws NoSuchMethodException {
    MessageConverter converter = new MessageConverter();
    Map<String, String> errors = new HashMap<>();
    for (Method method : Wrong.class.getDeclaredMethods()) {
      Type[] types = method.getGenericParameterTypes();
      Type type = types.length == 0 ? method.getGenericReturnType() : types[0];
      assertFalse(converter.canRead(type));
      errors.put(method.getName(), refusal(type));
    }
    assertEquals(
        "T is of type parameter T, which has no argument here; give the arguments with a"
            + " TypeReference",
        errors.get("parameter"));
    assertEquals(
        "List is a List without the type of its elements; write, for example, List<String>,"
            + " or for rows new TypeReference<List<String>>() {}",
        errors.get("raw"));
    assertEquals(
        Map.of(
            "unknown", "List<?><0> is of class java.lang.Object",
            "inside", "Pair<String, Thread>.second is of class java.lang.Thread",
            "nothing", "void is of class void"),
        Map.of(
            "unknown", errors.get("unknown").split(",? which")[0],
            "inside", errors.get("inside").split(", which")[0],
            "nothing", errors.get("nothing").split(", which")[0]));
  }

  private static String refusal(Type type) {
    return assertThrows(SchemaException.class, () -> Codec.of(type)).getMessage();
  }

  @Test
  void allDoorsOfATypeLeadToOneBinding() throws NoSuchMethodException {
    Type raw = Part.class;
    assertSame(Codec.of(Part.class).binding(), Codec.of(raw).binding());
    Type listOfParts =
        Parts.class.getDeclaredMethod("append", List[].class).getGenericParameterTypes()[0];
    assertSame(Codec.of(listOfParts).binding(), Codec.of(listOfParts).binding());
    TypeReference<Pair<String, Part>> pairs = new TypeReference<>() {};
    Type result = Parts.class.getDeclaredMethod("find", String.class).getGenericReturnType();
    assertSame(Codec.of(pairs).binding(), Codec.of(result).binding());
    assertSame(Codec.of(pairs).binding(), Codec.of(TypeReference.of(result)).binding());
    assertNotSame(Codec.of(pairs).binding(), MessageConverter.codec(result).binding());
    assertEquals(
        refusal(Thread.class),
        assertThrows(SchemaException.class, () -> Codec.of(Thread.class)).getMessage());
    Type none = null;
    assertEquals(
        "type", assertThrows(NullPointerException.class, () -> Codec.of(none)).getMessage());
  }

  /** A type that equals no other, as those of some libraries. */
  private record NewEachTime(Class<?> raw, Type argument) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return new Type[] {argument};
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public Type getOwnerType() {
      return null;
    }

    @Override
    public boolean equals(Object other) {
      return false;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void typesThatEqualNoOtherHaveCodecsToo() {
    for (int i = 0; i < 600; i++) {
      Codec<Object> codec = Codec.of(new NewEachTime(List.class, Part.class));
      assertEquals("[Part{key: i64, name: str?}]", codec.schema().toString());
    }
  }
}
