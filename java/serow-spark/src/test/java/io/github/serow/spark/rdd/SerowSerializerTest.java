package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.read;
import static io.github.serow.spark.rdd.Streams.serializer;
import static io.github.serow.spark.rdd.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.github.serow.spark.SerowSerializer;
import io.github.serow.spark.rdd.Streams.ForKryo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import javax.tools.ToolProvider;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.serializer.KryoRegistrator;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class SerowSerializerTest {
  private static final String REGISTRATOR = "spark.kryo.registrator";
  private static final String REQUIRED = "spark.kryo.registrationRequired";
  private static final String RELOCATION = "spark.serow.relocation";

  /** All settings of Kryo that change what an instance does. */
  private static final List<String[]> SETTINGS =
      List.of(
          new String[] {},
          new String[] {"spark.kryo.unsafe", "false"},
          new String[] {"spark.kryo.pool", "false"},
          new String[] {"spark.kryo.referenceTracking", "false"},
          new String[] {REGISTRATOR, WithoutReset.class.getName()},
          new String[] {REGISTRATOR, WithoutReset.class.getName(), "spark.kryo.pool", "false"});

  /** A registrator that lets Kryo remember objects between calls. */
  public static final class WithoutReset implements KryoRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
      kryo.setAutoReset(false);
    }
  }

  /** A class with fields and no equality. */
  public static final class Part {
    long key;
    String name;

    Part(long key, String name) {
      this.key = key;
      this.name = name;
    }
  }

  @Test
  void anArrayHasExactlyTheBytes() {
    for (String[] settings : SETTINGS) {
      SerializerInstance serow = instance(settings);
      for (Object each :
          Arrays.asList(null, 1, "text", Arrays.asList(1, "a"), "x".repeat(200_000))) {
        ByteBuffer bytes = serow.serialize(each, ANY);
        assertEquals(0, bytes.position());
        assertEquals(0, bytes.arrayOffset());
        assertEquals(bytes.limit(), bytes.array().length);
        assertEquals(each, serow.deserialize(bytes, ANY));
        assertEquals(Collections.singletonList(each), read(serow, bytes.array()));
        ByteBuffer streamed = ByteBuffer.wrap(write(serow, each));
        assertEquals(each, serow.deserialize(streamed, ANY));
      }
    }
  }

  @Test
  void buffersMayBeDirectOrPartsOfOthers() {
    SerializerInstance serow = instance();
    for (String text : List.of("short", "long".repeat(50_000))) {
      byte[] bytes = serow.serialize(text, ANY).array();
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 7).position(7);
      direct.put(bytes).position(7);
      assertEquals(text, serow.deserialize(direct, ANY));
      ByteBuffer part = ByteBuffer.allocate(bytes.length + 9).position(4).slice();
      part.position(3).put(bytes).position(3).limit(3 + bytes.length);
      assertEquals(text, serow.deserialize(part, ANY));
      assertEquals(text, serow.deserialize(part.asReadOnlyBuffer(), ANY));
    }
  }

  @Test
  void tooLargeAnObjectIsSparksError() {
    SerializerInstance serow =
        instance("spark.kryoserializer.buffer", "1k", "spark.kryoserializer.buffer.max", "1m");
    ForKryo large = new ForKryo(new byte[2 << 20]);
    Exception error = assertThrows(SparkException.class, () -> serow.serialize(large, ANY));
    assertTrue(error.getMessage().contains("spark.kryoserializer.buffer.max"));
    assertEquals(1, serow.<Object>deserialize(serow.serialize(1, ANY), ANY));
    // Kryo's largest arrays fit with the header too.
    SerializerInstance kryo =
        new KryoSerializer(Streams.conf("spark.kryoserializer.buffer.max", "1m")).newInstance();
    for (int size = (1 << 20) - 40; size < 1 << 20; size++) {
      ForKryo array = new ForKryo(new byte[size]);
      ByteBuffer expected;
      try {
        expected = kryo.serialize(array, ANY);
      } catch (Exception tooLarge) {
        assertThrows(SparkException.class, () -> serow.serialize(array, ANY));
        break;
      }
      assertTrue(serow.serialize(array, ANY).limit() > expected.limit());
    }
    List<Object> streamed = read(serow, write(serow, large, 1));
    assertEquals(large, streamed.get(0), "streams have no such limit");
  }

  /** What Spark demands: bytes between two flushes can be moved. */
  @Test
  void flushedObjectsCanBeReordered() {
    List<Function<Random, Object>> kinds =
        List.of(
            Random::nextInt,
            random -> Integer.toString(random.nextInt(), 36),
            random -> new Tuple2<>(random.nextInt(), random.nextDouble()),
            random -> {
              String shared = "text " + random.nextInt(5);
              return new Tuple2<>(shared, shared);
            });
    Random random = new Random(15);
    for (String[] settings : SETTINGS) {
      SerializerInstance serow = instance(settings);
      for (Function<Random, Object> kind : kinds) {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        SerializationStream out = serow.serializeStream(target);
        List<Tuple2<Object, byte[]>> items = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
          Object item = kind.apply(random);
          target.reset();
          out.writeObject(item, ANY).flush();
          items.add(new Tuple2<>(item, target.toByteArray()));
        }
        out.close();
        Collections.shuffle(items, random);
        byte[] moved = Streams.join(items.stream().map(Tuple2::_2).toList());
        assertEquals(items.stream().map(Tuple2::_1).toList(), read(serow, moved));
      }
    }
  }

  @Test
  void relocationIsSupportedAsByKryo() {
    assertTrue(serializer().supportsRelocationOfSerializedObjects());
    String name = WithoutReset.class.getName();
    assertFalse(serializer(REGISTRATOR, name).supportsRelocationOfSerializedObjects());
  }

  @Test
  void relocationCanBeSwitchedOff() {
    assertTrue(serializer(RELOCATION, "true").supportsRelocationOfSerializedObjects());
    assertFalse(serializer(RELOCATION, "false").supportsRelocationOfSerializedObjects());
  }

  @Test
  void settingsWithValuesThatTheyCannotHaveAreErrors() {
    for (String name : List.of("spark.serow.frames", RELOCATION)) {
      Exception error =
          assertThrows(IllegalArgumentException.class, () -> serializer(name, "flase"));
      assertTrue(error.getMessage().contains(name), error.getMessage());
    }
  }

  @Test
  void anInstanceServesManyCallsOfAllKinds() {
    for (String[] settings : SETTINGS) {
      SerializerInstance serow = instance(settings);
      List<String> object = new ArrayList<>(List.of("a", "b"));
      for (int i = 0; i < 5; i++) {
        assertEquals(object, serow.deserialize(serow.serialize(object, ANY), ANY));
        assertEquals(List.of(object, object), read(serow, write(serow, object, object)));
      }
    }
  }

  /** An object's own code may use the same instance. */
  public static final class Nesting implements KryoSerializable {
    static SerializerInstance instance;
    Object content;

    @Override
    public void write(Kryo kryo, Output output) {
      byte[] bytes = instance.serialize(content, ANY).array();
      output.writeInt(bytes.length);
      output.writeBytes(bytes);
    }

    @Override
    public void read(Kryo kryo, Input input) {
      content = instance.deserialize(ByteBuffer.wrap(input.readBytes(input.readInt())), ANY);
    }
  }

  @Test
  void callsMayBeNested() {
    for (String[] settings : SETTINGS) {
      SerializerInstance serow = instance(settings);
      Nesting.instance = serow;
      Nesting inner = new Nesting();
      inner.content = "innermost";
      Nesting outer = new Nesting();
      outer.content = inner;
      for (Object back :
          List.of(
              serow.<Object>deserialize(serow.serialize(outer, ANY), ANY),
              read(serow, write(serow, 1, outer)).get(1))) {
        assertEquals("innermost", ((Nesting) ((Nesting) back).content).content);
      }
    }
  }

  @Test
  void classesMustBeRegisteredIfDemanded() {
    SerializerInstance strict = instance(REQUIRED, "true");
    assertThrows(IllegalArgumentException.class, () -> strict.serialize(new Part(1, "a"), ANY));
    SerializerInstance registered =
        instance(REQUIRED, "true", "spark.kryo.classesToRegister", Part.class.getName());
    ByteBuffer bytes = registered.serialize(new Part(7, "b"), ANY);
    assertTrue(bytes.limit() < 20, "no name of the class: " + bytes);
    assertEquals(7, ((Part) registered.<Object>deserialize(bytes, ANY)).key);
  }

  @Test
  void aRegistratorThatIsMissingIsSparksError() {
    SerializerInstance serow = instance(REGISTRATOR, "no.such.Registrator");
    for (int i = 0; i < 2; i++) {
      assertThrows(SparkException.class, () -> serow.serialize(1, ANY));
      assertThrows(SparkException.class, () -> write(serow, 1));
    }
  }

  /** A loader with a class of its own for the name of {@link Part}. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(SerowSerializerTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Part.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = getResourceAsStream(file)) {
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException error) {
        throw new ClassNotFoundException(name, error);
      }
    }

    Class<?> part() throws ClassNotFoundException {
      return loadClass(Part.class.getName());
    }
  }

  @Test
  void classesComeFromTheDefaultLoaderOfTheTime() throws Exception {
    for (String pool : List.of("true", "false")) {
      SerowSerializer serializer = serializer("spark.kryo.pool", pool);
      SerializerInstance before = serializer.newInstance();
      SerializationStream open = before.serializeStream(new ByteArrayOutputStream());
      byte[] bytes = write(before, new Part(1, "a"));
      assertSame(Part.class, read(before, bytes).get(0).getClass());
      for (int i = 0; i < 2; i++) {
        Loader loader = new Loader();
        assertSame(serializer, serializer.setDefaultClassLoader(loader));
        SerializerInstance serow = serializer.newInstance();
        assertSame(loader.part(), read(serow, bytes).get(0).getClass());
        open.close();
        SerializerInstance next = serializer.newInstance();
        assertSame(loader.part(), read(next, bytes).get(0).getClass());
      }
    }
  }

  @Test
  void aCallMayNameItsLoader() throws Exception {
    SerializerInstance serow = instance();
    ByteBuffer bytes = serow.serialize(new Part(1, "a"), ANY);
    Loader one = new Loader();
    Loader other = new Loader();
    assertSame(Part.class, serow.<Object>deserialize(bytes, ANY).getClass());
    assertSame(one.part(), serow.<Object>deserialize(bytes, one, ANY).getClass());
    assertSame(other.part(), serow.<Object>deserialize(bytes, other, ANY).getClass());
    assertSame(Part.class, serow.<Object>deserialize(bytes, ANY).getClass());
    assertNotSame(one.part(), other.part());
  }

  /** Compiles a class named Thing with this body and gives an object of it. */
  private static Object thing(Path folder, String body) throws Exception {
    Path source = Files.createDirectories(folder).resolve("Thing.java");
    Files.writeString(source, "public final class Thing {" + body + "}");
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()));
    URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    return loader.loadClass("Thing").getConstructor().newInstance();
  }

  /** Applications that follow one another in a JVM, or sessions of Spark Connect. */
  @Test
  void classesOfOneNameMayHaveOtherFields(@TempDir Path folder) throws Exception {
    String equals = "public boolean equals(Object o) { return o.toString().equals(toString()); }";
    List<Object> things =
        List.of(
            thing(
                folder.resolve("one"),
                "int n = 7; String s = \"x\"; "
                    + equals
                    + "public String toString() { return n + s; }"),
            thing(
                folder.resolve("two"),
                "String s = \"y\"; long[] of = {3}; "
                    + equals
                    + "public String toString() { return s + of[0]; }"));
    List<SerializerInstance> instances = new ArrayList<>();
    for (Object thing : things) {
      SerowSerializer serializer = serializer();
      serializer.setDefaultClassLoader(thing.getClass().getClassLoader());
      instances.add(serializer.newInstance());
    }
    List<byte[]> written = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2; i++) {
        Object[] rows = Collections.nCopies(1500, things.get(i)).toArray();
        byte[] bytes = write(instances.get(i), rows);
        List<Object> read = read(instances.get(i), bytes);
        assertEquals(List.of(rows), read);
        assertSame(things.get(i).getClass(), read.get(0).getClass());
        written.add(bytes);
      }
    }
    Exception error = assertThrows(IOException.class, () -> read(instances.get(0), written.get(1)));
    assertTrue(error.getMessage().contains("other fields here: Thing"), error.getMessage());
  }

  /** Spark sends the serializer inside of a shuffle to each executor. */
  @Test
  void theSerializerIsSerializable() throws Exception {
    SerowSerializer serializer = serializer("spark.kryo.unsafe", "false", REQUIRED, "true");
    byte[] bytes = write(serializer.newInstance(), 1, "a");
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(sent)) {
      out.writeObject(serializer);
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
      SerowSerializer received = (SerowSerializer) in.readObject();
      assertEquals(List.of(1, "a"), read(received.newInstance(), bytes));
      SerializerInstance strict = received.newInstance();
      assertThrows(IllegalArgumentException.class, () -> strict.serialize(new Part(1, "a"), ANY));
    }
  }

  @Test
  void threadsShareASerializer() throws Exception {
    SerowSerializer serializer = serializer();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int number = i;
        tasks.add(
            () -> {
              SerializerInstance serow = serializer.newInstance();
              Object object = new HashMap<>(Collections.singletonMap("number", number));
              List<Object> objects = Collections.nCopies(300, object);
              return objects.equals(read(serow, write(serow, objects.toArray())))
                  && object.equals(serow.deserialize(serow.serialize(object, ANY), ANY));
            });
      }
      for (Future<Boolean> each : threads.invokeAll(tasks)) {
        assertTrue(each.get());
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void theConfigurationIsTheOnlyArgument() throws Exception {
    assertEquals(1, SerowSerializer.class.getConstructors().length);
    SerowSerializer.class.getConstructor(SparkConf.class);
  }
}
