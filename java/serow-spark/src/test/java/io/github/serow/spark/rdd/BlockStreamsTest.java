package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static io.github.serow.spark.rdd.Streams.byteByByte;
import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.join;
import static io.github.serow.spark.rdd.Streams.read;
import static io.github.serow.spark.rdd.Streams.readObject;
import static io.github.serow.spark.rdd.Streams.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.spark.rdd.Streams.ForKryo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Streams as Spark's shuffles, caches, broadcasts and task results use them. */
class BlockStreamsTest {
  private static final int LARGE = 20 * KryoBlock.LIMIT;

  private final SerializerInstance serow = instance();

  /** Counts what a stream does to its target. */
  private static final class Target extends ByteArrayOutputStream {
    int writes;
    int flushes;
    int closes;

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      writes++;
      super.write(bytes, offset, length);
    }

    @Override
    public void flush() {
      flushes++;
    }

    @Override
    public void close() {
      closes++;
    }
  }

  @Test
  void aStreamWithoutObjectsHasNoBytes() {
    Target target = new Target();
    SerializationStream stream = serow.serializeStream(target);
    stream.flush();
    stream.close();
    assertEquals(0, target.writes);
    assertEquals(List.of(), read(serow, new byte[0]));
  }

  /** The shuffle of many partitions: one stream, each record flushed, its bytes moved elsewhere. */
  @Test
  void flushedRecordsCanBeReordered() {
    Target target = new Target();
    SerializationStream stream = serow.serializeStream(target);
    List<Integer> keys = new ArrayList<>(IntStream.range(0, 500).boxed().toList());
    List<byte[]> records = new ArrayList<>();
    for (int key : keys) {
      target.reset();
      stream.writeKey(key, ANY);
      stream.writeValue("value " + key, ANY);
      stream.flush();
      assertTrue(target.size() > 0);
      records.add(target.toByteArray());
    }
    assertEquals(500, target.writes, "a record is one write");
    Collections.shuffle(keys, new Random(7));
    byte[] moved = join(keys.stream().map(records::get).toList());
    List<Object> expected = new ArrayList<>();
    keys.forEach(key -> expected.add(new Tuple2<>(key, "value " + key)));
    List<Object> actual = new ArrayList<>();
    var pairs = serow.deserializeStream(new ByteArrayInputStream(moved)).asKeyValueIterator();
    while (pairs.hasNext()) {
      actual.add(pairs.next());
    }
    assertEquals(expected, actual);
  }

  /** The shuffle of few partitions: a stream each, written in turns, read by count. */
  @Test
  void streamsOfOneInstanceAreWrittenInTurns() {
    int partitions = 200;
    List<Target> targets = IntStream.range(0, partitions).mapToObj(i -> new Target()).toList();
    List<SerializationStream> streams = new ArrayList<>();
    targets.forEach(target -> streams.add(serow.serializeStream(target)));
    for (int i = 0; i < 20 * partitions; i++) {
      SerializationStream stream = streams.get(i % partitions);
      stream.writeKey(i, ANY);
      stream.writeValue(Arrays.asList("a", i), ANY);
    }
    streams.forEach(SerializationStream::close);
    List<DeserializationStream> readers = new ArrayList<>();
    targets.forEach(each -> readers.add(serow.deserializeStream(byteByByte(each.toByteArray()))));
    for (int i = 0; i < 20 * partitions; i++) {
      DeserializationStream reader = readers.get(i % partitions);
      assertEquals(i, reader.<Object>readKey(ANY));
      assertEquals(List.of("a", i), reader.<Object>readValue(ANY));
    }
    assertTrue(targets.stream().allMatch(each -> each.closes == 1));
  }

  @Test
  void readersMayAskForKeysAndValuesOrObjects() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = serow.serializeStream(bytes);
    out.writeObject("a", ANY).writeKey("b", ANY).writeValue("c", ANY).writeObject("d", ANY).close();
    DeserializationStream in =
        serow.deserializeStream(new ByteArrayInputStream(bytes.toByteArray()));
    assertEquals("a", in.<Object>readValue(ANY));
    assertEquals("b", in.<Object>readObject(ANY));
    assertEquals("c", in.<Object>readKey(ANY));
    assertEquals("d", in.<Object>readValue(ANY));
  }

  @Test
  void aFileMayHoldManyStreams() {
    byte[] one = write(serow, 1, "a");
    byte[] other = write(serow, 2L, null);
    assertEquals(
        Arrays.asList(1, "a", 2L, null, 1, "a"), read(serow, join(List.of(one, other, one))));
  }

  @Test
  void nullAndUnitAreObjects() {
    Object[] objects = {null, BoxedUnit.UNIT, null};
    assertEquals(Arrays.asList(objects), read(serow, write(serow, objects)));
  }

  /** Hadoop's record readers give one object again and again. */
  @Test
  void anObjectIsWrittenAsItIsInTheCall() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = serow.serializeStream(bytes);
    int[] reused = {0};
    for (int i = 0; i < 10; i++) {
      reused[0] = i;
      out.writeObject(reused, ANY);
    }
    out.close();
    List<Object> back = read(serow, bytes.toByteArray());
    for (int i = 0; i < 10; i++) {
      assertArrayEquals(new int[] {i}, (int[]) back.get(i));
    }
  }

  @Test
  void referencesHoldWithinOneObjectOnly() {
    int[] shared = {1, 2};
    List<Object> pair = new ArrayList<>(List.of(shared, shared));
    List<Object> cycle = new ArrayList<>();
    cycle.add(cycle);
    List<Object> back = read(serow, write(serow, pair, pair, cycle));
    List<?> first = (List<?>) back.get(0);
    assertSame(first.get(0), first.get(1));
    assertNotSame(first.get(0), ((List<?>) back.get(1)).get(0));
    assertSame(back.get(2), ((List<?>) back.get(2)).get(0));
  }

  @Test
  void blocksEndAtTheLimitWithoutAFlush() {
    int size = 1000;
    String text = "x".repeat(size);
    checkBlocks(text, size, InstanceRows.MOST);
    checkBlocks(new ForKryo(text), size, KryoBlock.LIMIT);
  }

  /** {@code size}: the number of bytes of an object without its class. */
  private void checkBlocks(Object object, int size, int limit) {
    Target target = new Target();
    SerializationStream out = instance("spark.serow.frames", "false").serializeStream(target);
    int count = 2000;
    for (int i = 0; i < count; i++) {
      out.writeObject(object, ANY);
    }
    int most = (size + 100) * count / limit + 1;
    assertTrue(target.writes > most / 2 && target.writes <= most, target.writes + " blocks");
    assertEquals(0, target.flushes, "a flush ends a compressor's block");
    out.flush();
    assertEquals(1, target.flushes);
    assertEquals(Collections.nCopies(count, object), read(serow, target.toByteArray()));
  }

  @Test
  void rowsMayTakeNoBytes() {
    SerializerInstance plain = instance("spark.serow.frames", "false");
    Object[] units = new Object[200_000];
    Arrays.fill(units, BoxedUnit.UNIT);
    byte[] bytes = write(plain, units);
    assertTrue(bytes.length < 100, bytes.length + " bytes");
    assertEquals(Arrays.asList(units), read(plain, bytes));
  }

  /** If memory gets short, Spark caches the rest of a partition elsewhere with the same stream. */
  @Test
  void theTargetMayBeRedirected() {
    Target first = new Target();
    Target second = new Target();
    OutputStream[] current = {first};
    OutputStream target =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            current[0].write(value);
          }
        };
    SerializationStream out = serow.serializeStream(target);
    List<Object> objects = new ArrayList<>();
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      objects.add("object " + i);
      out.writeObject(objects.get(i), ANY);
      if (i == count / 2) {
        current[0] = second;
      }
    }
    out.close();
    assertTrue(first.size() > 0 && second.size() > 0);
    byte[] bytes = join(List.of(first.toByteArray(), second.toByteArray()));
    assertEquals(objects, read(serow, bytes));
  }

  /** A broadcast or a task's result is one object of any size. */
  @Test
  void anObjectMayBeLargerThanABlock() {
    int[] array = new Random(1).ints(LARGE).toArray();
    List<Object> texts = new ArrayList<>();
    IntStream.range(0, LARGE / 8).forEach(i -> texts.add("text " + i));
    for (SerializerInstance each : List.of(serow, instance("spark.kryo.unsafe", "false"))) {
      Target target = new Target();
      SerializationStream out = each.serializeStream(target);
      // A serializer of Scala's collections flushes Kryo's output after each element.
      Object scala = CollectionConverters.asScala(texts).toList();
      out.writeObject("before", ANY).writeObject(new ForKryo(array), ANY);
      out.writeObject(new ForKryo(scala), ANY).writeObject(new ForKryo(texts), ANY);
      out.writeObject("behind", ANY).close();
      assertEquals(0, target.flushes);
      assertTrue(target.size() / target.writes > KryoBlock.LIMIT / 2, target.writes + " blocks");
      byte[] bytes = target.toByteArray();
      for (var source : List.of(new ByteArrayInputStream(bytes), byteByByte(bytes))) {
        List<Object> back = read(each, source);
        assertEquals("before", back.get(0));
        assertEquals(new ForKryo(array), back.get(1));
        assertEquals(new ForKryo(scala), back.get(2));
        assertEquals(new ForKryo(texts), back.get(3));
        assertEquals("behind", back.get(4));
        assertEquals(5, back.size());
      }
    }
  }

  /** Sizes around those of the buffers, where an object ends with its block. */
  @Test
  void objectsMayHaveAnySize() {
    for (int around : new int[] {0, 128, 4096, KryoBlock.LIMIT, 2 * KryoBlock.LIMIT}) {
      for (int size = Math.max(0, around - 40); size < around + 8; size++) {
        byte[] object = new byte[size];
        Arrays.fill(object, (byte) size);
        ForKryo kryo = new ForKryo(object);
        List<Object> back = read(serow, write(serow, object, kryo, kryo, "next", object));
        assertArrayEquals(object, (byte[]) back.get(0));
        assertEquals(List.of(kryo, kryo, "next"), back.subList(1, 4));
        assertArrayEquals(object, (byte[]) back.get(4));
        assertEquals(5, back.size());
      }
    }
  }

  @Test
  void theEndIsAnEofException() {
    DeserializationStream in =
        serow.deserializeStream(new ByteArrayInputStream(write(serow, "only")));
    assertEquals("only", readObject(in));
    assertThrows(EOFException.class, () -> readObject(in));
    assertThrows(EOFException.class, () -> readObject(in));
  }

  @Test
  void closingClosesTheOtherEndOnce() {
    Target target = new Target();
    SerializationStream out = serow.serializeStream(target);
    out.writeObject(1, ANY);
    out.close();
    out.close();
    assertEquals(1, target.closes);
    assertThrows(IOException.class, out::flush);
    assertThrows(IOException.class, () -> out.writeObject(2, ANY));

    int[] closes = {0};
    var source =
        new ByteArrayInputStream(target.toByteArray()) {
          @Override
          public void close() {
            closes[0]++;
          }
        };
    var iterator = serow.deserializeStream(source).asIterator();
    iterator.next();
    assertFalse(iterator.hasNext());
    assertEquals(1, closes[0], "Spark's iterator closes at the end");
    DeserializationStream in = serow.deserializeStream(source);
    in.close();
    in.close();
    assertEquals(2, closes[0]);
    assertThrows(IOException.class, () -> readObject(in));
  }
}
