package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Queue;
import scala.collection.immutable.TreeMap;

/**
 * Random objects come back as from Kryo: equal, of the same classes, and shared where they were.
 */
class SameAsKryoTest {
  private static final int STREAMS = 60;
  private static final int OBJECTS = 40;

  /** Settings of an application, as names and values in turns. */
  private static final List<String[]> SETTINGS =
      List.of(
          new String[] {},
          new String[] {"spark.kryo.referenceTracking", "false"},
          new String[] {"spark.serow.frames", "false"},
          new String[] {
            "spark.kryo.classesToRegister",
            "io.github.serow.spark.rdd.Part,io.github.serow.spark.rdd.Any2,io.github.serow.spark.rdd.Circle"
          });

  private static List<Object> objects(long seed) {
    RandomRows random = new RandomRows(new Random(seed));
    List<Object> objects = new ArrayList<>();
    // Streams of one class, streams that change and mixed ones.
    int depth = (int) (seed % 4);
    for (int i = 0; i < OBJECTS; i++) {
      objects.add(random.inner(depth));
    }
    return objects;
  }

  @Test
  void streamsOfObjects() {
    for (String[] settings : SETTINGS) {
      SerializerInstance serow = Streams.instance(settings);
      SerializerInstance kryo = new KryoSerializer(Streams.conf(settings)).newInstance();
      for (long seed = 0; seed < STREAMS; seed++) {
        Object[] objects = objects(seed).toArray();
        List<Object> expected = Streams.read(kryo, Streams.write(kryo, objects));
        List<Object> actual = Streams.read(serow, Streams.write(serow, objects));
        assertEquals(objects.length, actual.size());
        for (int i = 0; i < objects.length; i++) {
          assertEquals(Dump.apply(expected.get(i)), Dump.apply(actual.get(i)), "seed " + seed);
          Object alone = serow.deserialize(serow.serialize(objects[i], ANY), ANY);
          assertEquals(Dump.apply(expected.get(i)), Dump.apply(alone), "seed " + seed);
        }
      }
    }
  }

  @Test
  void streamsOfPairs() {
    SerializerInstance serow = Streams.instance();
    SerializerInstance kryo = new KryoSerializer(Streams.conf()).newInstance();
    for (long seed = 0; seed < STREAMS; seed++) {
      List<Object> objects = objects(seed);
      for (int flushes : new int[] {0, 1, 3}) {
        List<String> expected = pairs(kryo, objects, flushes);
        assertEquals(expected, pairs(serow, objects, flushes), "seed " + seed);
      }
    }
  }

  /** Writes two objects as key and value, flushes after some, and reads them all. */
  private static List<String> pairs(SerializerInstance instance, List<Object> objects, int each) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = instance.serializeStream(bytes);
    for (int i = 0; i < objects.size(); i += 2) {
      out.writeKey(objects.get(i), ANY).writeValue(objects.get(i + 1), ANY);
      if (each != 0 && i / 2 % each == 0) {
        out.flush();
      }
    }
    out.close();
    DeserializationStream in =
        instance.deserializeStream(new ByteArrayInputStream(bytes.toByteArray()));
    List<String> read = new ArrayList<>();
    for (int i = 0; i < objects.size(); i += 2) {
      read.add(Dump.apply(in.readKey(ANY)));
      read.add(Dump.apply(in.readValue(ANY)));
    }
    return read;
  }

  /** The elements of long arrays are rows of their own, unless they share objects. */
  @Test
  void longArrays() {
    SerializerInstance serow = Streams.instance();
    SerializerInstance kryo = new KryoSerializer(Streams.conf()).newInstance();
    Object[] parts = new Object[3_000];
    Arrays.setAll(parts, i -> SampleRows.pair(i));
    int alone = serow.serialize(parts, ANY).limit();
    assertTrue(alone < 5 * parts.length, alone + " bytes");
    for (long seed = 0; seed < STREAMS; seed++) {
      Object[] some = objects(seed).toArray();
      Object[] array = parts.clone();
      // One object many times, and others from some place on, or none.
      for (int i = 300 + (int) (seed * 50); i < array.length && seed % 3 != 0; i++) {
        array[i] = some[i % some.length];
      }
      Object[] typed = Arrays.copyOf(array, 300, Object[].class);
      Object[] texts = new String[] {"a", "b", null};
      for (Object root : new Object[] {array, typed, Arrays.copyOf(texts, 700), new Part[300]}) {
        List<Object> expected = Streams.read(kryo, Streams.write(kryo, "before", root, root, 7));
        List<Object> actual = Streams.read(serow, Streams.write(serow, "before", root, root, 7));
        assertEquals(Dump.apply(expected.toArray()), Dump.apply(actual.toArray()));
        Object one = serow.deserialize(serow.serialize(root, ANY), ANY);
        assertEquals(Dump.apply(expected.get(1)), Dump.apply(one));
      }
    }
  }

  /** Blocks of many rows become frames. */
  @Test
  void streamsOfManyRows() {
    SerializerInstance serow = Streams.instance();
    SerializerInstance plain = Streams.instance("spark.serow.frames", "false");
    SerializerInstance kryo = new KryoSerializer(Streams.conf()).newInstance();
    for (long seed = 0; seed < STREAMS; seed++) {
      List<Object> some = objects(seed);
      List<Object> objects = new ArrayList<>();
      // Of some classes many objects, one class after another or in turns.
      for (int i = 0; i < 6_000; i++) {
        objects.add(some.get(seed % 2 == 0 ? i % 3 : i / 2_000));
      }
      byte[] bytes = Streams.write(serow, objects.toArray());
      List<Object> expected = Streams.read(kryo, Streams.write(kryo, objects.toArray()));
      List<Object> actual = Streams.read(serow, bytes);
      assertEquals(objects.size(), actual.size());
      for (int i = 0; i < objects.size(); i += 7) {
        assertEquals(Dump.apply(expected.get(i)), Dump.apply(actual.get(i)), "seed " + seed);
      }
      assertEquals(actual.size(), Streams.read(plain, bytes).size());
    }
  }

  /** Of the random objects, Kryo writes only those of some classes. */
  @Test
  void mostClassesAreRows() {
    RandomRows random = new RandomRows(new Random(3));
    Set<Class<?>> rows = new HashSet<>();
    Set<Class<?>> others = new HashSet<>();
    for (int i = 0; i < 3_000; i++) {
      Object object = random.inner(1);
      if (object != null && !rows.contains(object.getClass())) {
        byte[] bytes = Streams.write(Streams.instance(), object);
        boolean isRow = (bytes[0] & BlockHeader.KIND) == BlockHeader.ROWS;
        (isRow ? rows : others).add(object.getClass());
      }
    }
    others.removeAll(rows);
    assertTrue(rows.size() > 50, rows::toString);
    assertEquals(Set.of(Queue.class, TreeMap.class), others);
  }

  /** Rows of case classes are rows: without the names of their classes, they are much shorter. */
  @Test
  void caseClassesAreRows() {
    for (Object object : List.of(SampleRows.part(), SampleRows.pair(1), SampleRows.nested())) {
      Object[] many = new Object[1000];
      Arrays.fill(many, object);
      int serow = Streams.write(Streams.instance("spark.serow.frames", "false"), many).length;
      int framed = Streams.write(Streams.instance(), many).length;
      assertTrue(framed < serow / 4, framed + " of " + serow + " bytes for " + object);
      int kryo = Streams.write(new KryoSerializer(Streams.conf()).newInstance(), many).length;
      assertTrue(serow < 0.9 * kryo, serow + " of " + kryo + " bytes for " + object);
    }
  }
}
