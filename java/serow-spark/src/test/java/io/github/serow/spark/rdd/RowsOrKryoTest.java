package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import com.esotericsoftware.kryo.serializers.TaggedFieldSerializer;
import io.github.serow.NdArray;
import io.github.serow.SerowException;
import io.github.serow.spark.SerowSerializer;
import io.github.serow.spark.rdd.Streams.ForKryo;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.serializer.KryoRegistrator;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.util.collection.CompactBuffer;
import org.apache.spark.util.collection.CompactBuffer$;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Which objects are rows, and which ones Kryo writes because it might treat them differently. */
class RowsOrKryoTest {
  private static final String REGISTRATOR = "spark.kryo.registrator";
  private static final String REQUIRED = "spark.kryo.registrationRequired";
  private static final String REGISTERED = "spark.kryo.classesToRegister";

  static final class Plain {
    int number = 1;
    String text = "a";
  }

  static final class Bound {
    @FieldSerializer.Bind(Doubled.class)
    int number = 1;
  }

  record Point(int x, int y) {}

  /** Writes a number twice, as no other serializer does. */
  public static final class Doubled extends Serializer<Integer> {
    @Override
    public void write(Kryo kryo, Output output, Integer number) {
      output.writeInt(2 * number);
    }

    @Override
    public Integer read(Kryo kryo, Input input, Class<Integer> type) {
      return input.readInt() / 2;
    }
  }

  /** Sets a serializer that keeps only fields with a tag. */
  public static final class Tagged implements KryoRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
      kryo.register(Plain.class, new TaggedFieldSerializer<>(kryo, Plain.class));
    }
  }

  /** Removes a field. */
  public static final class WithoutText implements KryoRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
      FieldSerializer<Plain> serializer = new FieldSerializer<>(kryo, Plain.class);
      serializer.removeField("text");
      kryo.register(Plain.class, serializer);
    }
  }

  private static int kind(SerializerInstance serow, Object object) {
    return write(serow, object)[0] & BlockHeader.KIND;
  }

  private static void assertRow(SerializerInstance serow, Object object) {
    assertEquals(BlockHeader.ROWS, kind(serow, object), () -> "of " + object.getClass());
  }

  private static void assertKryo(SerializerInstance serow, Object object) {
    assertEquals(BlockHeader.KRYO, kind(serow, object), () -> "of " + object.getClass());
  }

  @Test
  void dataClassesAreRowsAndOthersAreNot() {
    SerializerInstance serow = instance();
    for (Object row :
        List.of(
            new Plain(),
            new Point(1, 2),
            1,
            "a",
            new int[3],
            new ArrayList<>(List.of(1)),
            new Timestamp(1),
            NdArray.of(new float[] {1, 2}, 1, 2))) {
      assertRow(instance(), row);
      assertRow(serow, row);
    }
    TreeMap<String, Integer> sorted = new TreeMap<>();
    for (Object object :
        List.of(
            new ForKryo(1),
            Locale.ROOT,
            sorted,
            Optional.of(1),
            new Bound(),
            List.of(1).iterator().next().getClass())) {
      assertKryo(instance(), object);
    }
  }

  @Test
  void arraysOfAnyNumberOfDimensionsComeBack() {
    NdArray array = NdArray.of(new short[] {1, 2, 3}, 3, 1).withBigEndian(true);
    Object[] pairs = new Object[500];
    Arrays.setAll(pairs, i -> new Tuple2<>(i, i % 3 == 0 ? null : array));
    for (Object[] objects : List.of(pairs, new Object[] {array, "a", array})) {
      assertEquals(List.of(objects), Streams.read(instance(), write(instance(), objects)));
    }
  }

  private static Object group(Class<?> of, Object... values) {
    ClassTag<Object> tag = ClassTag$.MODULE$.apply(of);
    CompactBuffer<Object> group = CompactBuffer$.MODULE$.apply(tag);
    for (Object value : values) {
      group.$plus$eq(value);
    }
    return group;
  }

  /** What {@code groupByKey} gives. */
  @Test
  void groupsAreRows() {
    Object[] groups = new Object[500];
    for (int i = 0; i < groups.length; i++) {
      Object[] values = new Object[i % 9];
      Arrays.setAll(values, n -> new Point(n, 2));
      groups[i] = new Tuple2<>("key " + i, group(Point.class, values));
    }
    assertRow(instance(), groups[7]);
    SerializerInstance listed =
        instance(
            REQUIRED,
            "true",
            "spark.serow.classes",
            Point.class.getName(),
            REGISTERED,
            Point[].class.getName());
    for (SerializerInstance serow : List.of(instance(), listed)) {
      List<Object> back = Streams.read(serow, write(serow, groups));
      assertEquals(List.of(groups), back);
      Object group = ((Tuple2<?, ?>) back.get(3))._2;
      assertEquals(CompactBuffer.class, group.getClass());
      assertEquals(3, ((CompactBuffer<?>) group).length());
    }
    CompactBuffer<Object> ofAny = CompactBuffer$.MODULE$.apply(1, ClassTag$.MODULE$.Any());
    assertRow(instance(), ofAny);
    assertEquals(List.of(ofAny), Streams.read(instance(), write(instance(), ofAny)));
    assertKryo(instance(), group(int.class, 1, 2));
    SerializerInstance strict = instance(REQUIRED, "true");
    assertThrows(Exception.class, () -> strict.serialize(group(Plain.class, new Plain()), ANY));
  }

  /** A class tag has no class that Kryo would not write. */
  @Test
  void tagsOfOtherClassesAreRefused() {
    byte[] bytes = write(instance(), group(Plain.class));
    assertEquals(BlockHeader.ROWS, bytes[0] & BlockHeader.KIND);
    SerializerInstance strict = instance(REQUIRED, "true");
    Exception error = assertThrows(Exception.class, () -> Streams.read(strict, bytes));
    assertTrue(error.getMessage().contains(Plain.class.getName()), error.getMessage());
  }

  @Test
  void aSerializerThatSomebodyHasSetIsTaken() {
    assertKryo(instance(REGISTRATOR, Tagged.class.getName()), new Plain());
    SerializerInstance less = instance(REGISTRATOR, WithoutText.class.getName());
    assertKryo(less, new Plain());
    Plain changed = new Plain();
    changed.text = "b";
    Plain back = (Plain) Streams.read(less, write(less, changed)).get(0);
    assertEquals("a", back.text, "the field is not written");
  }

  @Test
  void registrationMayBeRequired() {
    SerializerInstance strict = instance(REQUIRED, "true");
    assertThrows(IllegalArgumentException.class, () -> write(strict, new Plain()));
    assertThrows(IllegalArgumentException.class, () -> strict.serialize(new Plain(), ANY));
    assertRow(instance(REQUIRED, "true", REGISTERED, Plain.class.getName()), new Plain());
    // Kryo can't register records.
    Point point = new Point(1, 2);
    SerializerInstance listed =
        instance(REQUIRED, "true", "spark.serow.classes", "x.Y, " + Point.class.getName());
    assertRow(listed, point);
    assertEquals(List.of(point), Streams.read(listed, write(listed, point)));
    assertThrows(Exception.class, () -> write(instance(REQUIRED, "true"), point));
  }

  @Test
  void registeredClassesHaveNoNamesInTheBytes() {
    String name = Plain.class.getName();
    assertTrue(text(write(instance(), new Plain())).contains(name));
    assertTrue(!text(write(instance(REGISTERED, name), new Plain())).contains(name));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** The bytes name what is permitted for writing, and nothing else. */
  @Test
  void bytesCannotChooseOtherClasses() {
    byte[] bytes = write(instance(), new Plain());
    SerializerInstance strict = instance(REQUIRED, "true");
    Exception error = assertThrows(Exception.class, () -> Streams.read(strict, bytes));
    assertTrue(error.getMessage().contains(Plain.class.getName()), error.getMessage());
  }

  @Test
  void otherFieldsThanTheWritersAreAnError() {
    byte[] bytes = write(instance(REGISTERED, Plain.class.getName()), new Plain());
    // The two bytes before the row: a number and a text of one letter.
    bytes[bytes.length - 4]++;
    SerializerInstance serow = instance(REGISTERED, Plain.class.getName());
    Exception error = assertThrows(SerowException.class, () -> Streams.read(serow, bytes));
    assertTrue(error.getMessage().contains("other fields"), error.getMessage());
    assertTrue(error.getMessage().contains(Plain.class.getName()), error.getMessage());
  }

  record Order(Integer number, List<Object> lines) {}

  /** Kryo alone can't write records, whatever keeps them from being rows. */
  @Test
  void recordsAlwaysComeBack() {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Integer number = i % 20 == 3 ? null : (Integer) i;
      Object line = i % 7 == 0 ? Optional.of(i) : (Object) i;
      objects.add(new Order(number, i % 9 == 0 ? null : new ArrayList<>(Arrays.asList(line, i))));
      objects.add(i % 5 == 0 ? Optional.of(i) : new Point(i, 1));
    }
    SerializerInstance listed =
        instance(
            REQUIRED,
            "true",
            "spark.serow.classes",
            Order.class.getName() + "," + Point.class.getName(),
            REGISTERED,
            "java.util.ArrayList,java.util.Optional");
    for (SerializerInstance serow : List.of(instance(), listed)) {
      assertEquals(objects, Streams.read(serow, write(serow, objects.toArray())));
      Order large = new Order(1, new ArrayList<>(objects));
      assertEquals(large, serow.deserialize(serow.serialize(large, ANY), ANY));
      List<Object> pairs = new ArrayList<>();
      var bytes = new java.io.ByteArrayOutputStream();
      var out = serow.serializeStream(bytes);
      for (int i = 0; i < objects.size(); i += 2) {
        out.writeKey(objects.get(i), ANY).writeValue(objects.get(i + 1), ANY);
      }
      out.close();
      pairs.addAll(Streams.read(serow, bytes.toByteArray()));
      assertEquals(objects, pairs);
    }
  }

  /** Keeps transient fields. */
  public static final class WithTransient implements KryoRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
      kryo.getFieldSerializerConfig().setSerializeTransient(true);
    }
  }

  /** Writes texts in lists and fields in a way of its own. */
  public static final class Own implements KryoRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
      CollectionSerializer lists = new CollectionSerializer();
      lists.setElementClass(Integer.class, new Doubled());
      kryo.register(LinkedList.class, lists);
      FieldSerializer<Plain> fields = new FieldSerializer<>(kryo, Plain.class);
      fields.getField("text").setClass(String.class, new DefaultSerializers.StringSerializer());
      kryo.register(Plain.class, fields);
    }
  }

  @Test
  void serializersThatSomebodyHasSetUpAreTaken() {
    assertKryo(instance(REGISTRATOR, WithTransient.class.getName()), new Plain());
    SerializerInstance own = instance(REGISTRATOR, Own.class.getName());
    assertKryo(own, new Plain());
    assertKryo(own, new LinkedList<>(List.of(1)));
    assertRow(instance(), new LinkedList<>(List.of(1)));
  }

  /** Rows that fit into a block but exceed the limits of a frame. */
  @Test
  void manyEmptyPlacesAreWritten() {
    SerializerInstance serow = instance();
    Object[] objects = new Object[300];
    Arrays.setAll(objects, i -> new ArrayList<>(Arrays.asList("text", new Object[40_000])));
    List<Object> back = Streams.read(serow, write(serow, objects));
    assertEquals(300, back.size());
    assertEquals(40_000, ((Object[]) ((List<?>) back.get(299)).get(1)).length);
  }

  @Test
  void largeArraysOfNumbersGoToKryo() {
    assertKryo(instance(), new long[1024]);
    assertRow(instance(), new long[1000]);
    assertRow(instance(), new Tuple2<>("a", new long[10_000]));
    assertKryo(instance(), new Tuple2<>("a", new long[3 << 20]));
  }

  /** After objects that are no rows, rows come again, and all come back in their order. */
  @Test
  void misfitsGoToKryoWithTheNextFew() {
    SerializerInstance serow = instance();
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      boolean isMisfit = i % 3_000 == 100 || i > 9_000 && i < 9_100;
      objects.add(isMisfit ? new ForKryo(i) : (Object) i);
    }
    byte[] bytes = write(serow, objects.toArray());
    assertEquals(objects, Streams.read(serow, bytes));
    byte[] rows = write(instance(), objects.stream().filter(Integer.class::isInstance).toArray());
    int misfits = 20_000 - (int) objects.stream().filter(Integer.class::isInstance).count();
    assertTrue(bytes.length < 3 * rows.length + 200 * misfits, bytes.length + " bytes");
  }

  @Test
  void theReasonsAreCounted() {
    Object[] objects = new Object[5_000];
    Arrays.fill(objects, Currency.getInstance("EUR"));
    write(instance(), objects);
    String lines = SerowSerializer.explain();
    assertTrue(
        lines.contains("5,000 objects: a row has an object of class java.util.Currency"), lines);
  }

  /** Nobody forbids these classes: they are left to Kryo, and the reason is said. */
  @Test
  void theReasonsSayWhyAClassIsLeftToKryo() {
    write(instance(), (java.util.function.Function<Object, Object> & Serializable) each -> each);
    write(instance(), (scala.Function0<Object> & Serializable) () -> 1);
    write(instance(REGISTRATOR, Tagged.class.getName()), new Plain());
    write(instance(REGISTRATOR, WithoutText.class.getName()), new Plain());
    write(instance(REGISTRATOR, Own.class.getName()), new LinkedList<>(List.of(1)));
    write(instance(), new TreeMap<>());
    assertThrows(Exception.class, () -> write(instance(REQUIRED, "true"), new Point(1, 2)));
    assertThrows(Exception.class, () -> write(instance(REQUIRED, "true"), new Bound()));
    String lines = SerowSerializer.explain();
    assertTrue(!lines.contains("permitted"), lines);
    for (String line :
        List.of(
            "Plain, which is left to Kryo: its serializer there is "
                + TaggedFieldSerializer.class.getName(),
            "Plain, which is left to Kryo: its fields are set up in another way there",
            "LinkedList, which is left to Kryo: its serializer there, "
                + CollectionSerializer.class.getName()
                + ", is not Spark's usual one, or is set up in another way",
            "Point, which is left to Kryo: spark.kryo.registrationRequired is set, and"
                + " spark.serow.classes lacks this record",
            "Bound, which is left to Kryo: spark.kryo.registrationRequired is set, and the class is"
                + " not registered")) {
      assertTrue(lines.contains(line), line + " is not in\n" + lines);
    }
  }

  @Test
  void layoutsThatKeepChangingEndWithKryo() {
    SerializerInstance serow = instance();
    List<Object> objects = new ArrayList<>();
    Object nested = 1;
    for (int i = 0; i < 200; i++) {
      objects.add(nested);
      nested = i % 40 == 0 ? i : new ArrayList<>(Arrays.asList(nested, "x"));
    }
    assertEquals(objects, Streams.read(serow, write(serow, objects.toArray())));
    for (Object each : objects) {
      ByteBuffer alone = serow.serialize(each, ANY);
      assertEquals(each, serow.deserialize(alone, ANY));
    }
  }
}
