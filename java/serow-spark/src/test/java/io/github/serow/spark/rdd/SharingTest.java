package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.read;
import static io.github.serow.spark.rdd.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Objects that occur twice: which come back as one, and what that costs. */
class SharingTest {
  private final SerializerInstance serow = instance();
  private final SerializerInstance kryo = new KryoSerializer(Streams.conf()).newInstance();

  /** Immutable, but nothing equals it but itself. */
  static final class Token {
    final int id;

    Token(int id) {
      this.id = id;
    }
  }

  private static List<Object> listOf(Object... values) {
    return Arrays.asList(values);
  }

  private List<?> back(Object... values) {
    return (List<?>) read(serow, write(serow, new java.util.ArrayList<>(listOf(values)))).get(0);
  }

  @Test
  void objectsWithoutEqualityStayOne() {
    Token token = new Token(1);
    Map<Object, String> map = new HashMap<>(Map.of(token, "found"));
    List<?> back = back(token, token, map);
    assertSame(back.get(0), back.get(1));
    assertEquals("found", ((Map<?, ?>) back.get(2)).get(back.get(0)));
    List<?> different = back(new Token(1), new Token(1));
    assertNotSame(different.get(0), different.get(1));
  }

  @Test
  void buffersShareTheirArray() {
    byte[] bytes = {1, 2, 3};
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<?> both = back(buffer, bytes);
    assertSame(((ByteBuffer) both.get(0)).array(), both.get(1));
    List<?> buffers = back(buffer, buffer.duplicate());
    assertSame(((ByteBuffer) buffers.get(0)).array(), ((ByteBuffer) buffers.get(1)).array());
    assertEquals(buffer, back(buffer, 1).get(0));
  }

  @Test
  void anArrayMayContainItself() {
    Object[] array = new Object[300];
    Arrays.setAll(array, i -> i);
    array[299] = array;
    Object[] back = (Object[]) read(serow, write(serow, (Object) array)).get(0);
    assertSame(back, back[299]);
    assertEquals(298, back[298]);
  }

  /** Each element would contain the whole list again. */
  @Test
  void aLongArrayMayShareOneLargeObject() {
    String[] texts = new String[1000];
    Arrays.setAll(texts, i -> "text " + i);
    Object shared = scala.jdk.javaapi.CollectionConverters.asScala(List.of(texts)).toVector();
    for (int alone : new int[] {0, 100, 700}) {
      Object[] array = new Object[3_000];
      Arrays.setAll(array, i -> new Tuple2<>(i, i < alone ? "x" : shared));
      byte[] bytes = write(serow, (Object) array);
      int expected = write(kryo, (Object) array).length;
      assertTrue(bytes.length < 20 * expected, bytes.length + " bytes, Kryo " + expected);
      Object[] back = (Object[]) read(serow, bytes).get(0);
      assertEquals(Arrays.asList(array), Arrays.asList(back));
      assertEquals(
          array.length, ((Object[]) serow.deserialize(serow.serialize(array, ANY), ANY)).length);
    }
  }
}
