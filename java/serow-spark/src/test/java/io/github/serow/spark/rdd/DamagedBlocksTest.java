package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.read;
import static io.github.serow.spark.rdd.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.spark.rdd.Streams.ForKryo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import scala.runtime.BoxedUnit;

/**
 * Bytes and streams that fail. Damage of a header, or an end inside a block, is an {@link
 * IOException}. A damaged body is Kryo's to read, and raises Kryo's errors.
 */
class DamagedBlocksTest {
  private final SerializerInstance serow = instance();

  /** Reads until the end and returns the objects, or throws. */
  private List<Object> objects(byte[] bytes) {
    List<Object> all = new ArrayList<>();
    DeserializationStream in = serow.deserializeStream(new ByteArrayInputStream(bytes));
    try {
      while (true) {
        all.add(Streams.readObject(in));
      }
    } catch (Throwable error) {
      if (error instanceof EOFException) {
        return all;
      }
      throw error;
    } finally {
      in.close();
    }
  }

  /** Each has one block, or a large object that goes on in further ones. */
  private static final List<Supplier<Object[]>> SAMPLES =
      List.of(
          () -> new Object[] {"one"},
          () -> new Object[] {"one", "two"},
          () -> new Object[] {"large ".repeat(KryoBlock.LIMIT / 2)},
          () -> new Object[] {forKryo("one")},
          () -> new Object[] {forKryo(1), forKryo("two"), forKryo(null)},
          () -> new Object[] {forKryo("large ".repeat(KryoBlock.LIMIT / 2)), forKryo(7)});

  private static Object forKryo(Object value) {
    return new ForKryo(value);
  }

  /** A stream that is cut between blocks is shorter; Spark knows its length. */
  @Test
  void anEndInsideABlockIsAnError() {
    for (Supplier<Object[]> sample : SAMPLES) {
      byte[] bytes = write(serow, sample.get());
      int step = Math.max(1, bytes.length / 500);
      for (int length = 1; length < bytes.length; length += step) {
        byte[] cut = Arrays.copyOf(bytes, length);
        Exception error = assertThrows(IOException.class, () -> objects(cut), "at " + length);
        assertTrue(!(error instanceof EOFException), "at " + length);
        assertThrows(IOException.class, () -> serow.deserialize(ByteBuffer.wrap(cut), ANY));
      }
    }
    assertThrows(IOException.class, () -> serow.deserialize(ByteBuffer.allocate(0), ANY));
  }

  /** An element that can't be written. */
  @Test
  void aLongArrayThatFailsEndsTheStream() {
    Object[] array = new Object[300];
    Arrays.setAll(array, i -> "text " + i);
    array[299] = forKryo(new Thread());
    var bytes = new ByteArrayOutputStream();
    SerializerInstance strict = instance("spark.kryo.registrationRequired", "true");
    SerializationStream out = strict.serializeStream(bytes);
    assertThrows(IllegalArgumentException.class, () -> out.writeObject(array, ANY));
    assertThrows(IOException.class, () -> out.writeObject("after", ANY));
    assertThrows(IOException.class, out::flush);
    out.close();
    assertThrows(IOException.class, () -> read(strict, bytes.toByteArray()));
    assertThrows(IllegalArgumentException.class, () -> strict.serialize(array, ANY));
  }

  @Test
  void aBlockHasNoMoreRowsThanAWriterMakes() {
    byte[] bytes = write(serow, BoxedUnit.UNIT, BoxedUnit.UNIT);
    // The number of rows: two.
    byte[] number = {(byte) 0xF0, -1, -1, -1, 0x0F};
    byte[] many =
        Streams.join(
            List.of(Arrays.copyOf(bytes, 2), number, Arrays.copyOfRange(bytes, 3, bytes.length)));
    assertThrows(IOException.class, () -> objects(many));
  }

  @Test
  void anArrayWithoutItsLastElementsIsAnError() {
    byte[] bytes = write(serow, (Object) new Object[300]);
    for (int length = 1; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      Exception error = assertThrows(IOException.class, () -> objects(cut), "at " + length);
      assertTrue(!(error instanceof EOFException), "at " + length);
    }
  }

  @Test
  void aDamagedHeaderIsAnError() {
    for (Supplier<Object[]> sample : SAMPLES) {
      byte[] bytes = write(serow, sample.get());
      // The kind, the length and perhaps the number of objects.
      int header = (bytes[0] & BlockHeader.ONE) != 0 ? 2 : 3;
      for (int at = 0; at < header; at++) {
        for (int value = 0; value < 256; value++) {
          byte[] damaged = bytes.clone();
          damaged[at] = (byte) value;
          if (damaged[at] != bytes[at]) {
            assertFails(damaged);
          }
        }
      }
    }
  }

  /**
   * Kryo has no checks of its own, so damaged text may be other text. A damaged number of elements
   * would make Kryo ask for any amount of memory, so these bytes have none.
   */
  @Test
  void aDamagedBodyGivesObjectsOrAnException() {
    byte[] bytes = write(serow, forKryo("a text"), forKryo("another"), forKryo(7));
    String content = new String(bytes, StandardCharsets.ISO_8859_1);
    for (String damage : List.of("a tex", "t", "anothe", "r")) {
      int begin = content.indexOf(damage);
      for (int at = begin; at >= 0 && at < begin + damage.length(); at++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] damaged = bytes.clone();
          damaged[at] ^= (byte) (1 << bit);
          try {
            assertEquals(3, objects(damaged).size());
          } catch (Exception error) {
            assertTrue(error instanceof IOException || error instanceof RuntimeException);
          }
        }
      }
    }
  }

  private void assertFails(byte[] damaged) {
    Exception error = assertThrows(Exception.class, () -> objects(damaged));
    boolean byKryo = error instanceof RuntimeException;
    assertTrue(byKryo || error instanceof IOException && !(error instanceof EOFException));
  }

  @Test
  void noMemoryIsAskedForByALengthInAHeader() {
    // A block of 2^31 - 1 bytes and as many objects: five bytes each.
    byte[] number = {(byte) 0xF0, -1, -1, -1, 0x0F};
    byte[] header = new byte[11];
    System.arraycopy(number, 0, header, 1, 5);
    System.arraycopy(number, 0, header, 6, 5);
    for (int kind : new int[] {BlockHeader.ROWS, BlockHeader.KRYO}) {
      header[0] = (byte) kind;
      assertThrows(IOException.class, () -> objects(header));
      byte[] larger = header.clone();
      larger[5] = -1;
      IOException error = assertThrows(IOException.class, () -> objects(larger));
      assertTrue(error.getMessage().contains("31 bits"), error.getMessage());
    }
  }

  @Test
  void blocksThatContinueAnObjectBelongTogether() {
    byte[] large = write(serow, forKryo("large ".repeat(KryoBlock.LIMIT)));
    byte[] small = write(serow, 1);
    int second = large[0] == 0 ? 0 : endOfFirstBlock(large);
    byte[] first = Arrays.copyOf(large, second);
    byte[] rest = Arrays.copyOfRange(large, second, large.length);
    assertThrows(IOException.class, () -> objects(Streams.join(List.of(first, small))));
    IOException error = assertThrows(IOException.class, () -> objects(rest));
    assertTrue(error.getMessage().contains("the object's begin is missing"), error.getMessage());
  }

  /** The first block has the flag "one object", so its length follows the first byte. */
  private static int endOfFirstBlock(byte[] bytes) {
    int more = Integer.numberOfTrailingZeros(bytes[1]);
    int code = 0;
    for (int i = 0; i <= more; i++) {
      code |= (bytes[1 + i] & 0xFF) << 8 * i;
    }
    return 2 + more + (code >> more + 1);
  }

  @Test
  void bytesOfAnotherSerializerAreRefusedWithAnExplanation() {
    byte[] kryo = write(new KryoSerializer(Streams.conf()).newInstance(), "a", 1);
    IOException error = assertThrows(IOException.class, () -> objects(kryo));
    assertTrue(error.getMessage().contains("written by another serializer"), error.getMessage());
  }

  @Test
  void anErrorOfTheSourceIsThrownItself() {
    byte[] bytes = write(serow, forKryo("x".repeat(10_000)));
    for (int good : new int[] {0, 1, 2, 100, 5000}) {
      IOException error = new IOException("lost the connection");
      DeserializationStream in = serow.deserializeStream(failing(bytes, good, error));
      assertSame(error, assertThrows(IOException.class, () -> Streams.readObject(in)));
    }
  }

  /** Decompressors say so when their data is cut. Spark's iterators would end without an error. */
  @Test
  void aSourceThatEndsTooEarlyIsNoProperEnd() {
    byte[] bytes = write(serow, forKryo("x".repeat(10_000)));
    for (int good : new int[] {0, 1, 100, 5000, bytes.length}) {
      InputStream source = failing(bytes, good, new EOFException("cut"));
      Exception error = assertThrows(IOException.class, () -> read(serow, source));
      assertEquals("cut", error.getCause().getMessage());
    }
  }

  private static InputStream failing(byte[] bytes, int good, IOException error) {
    InputStream start = new ByteArrayInputStream(bytes, 0, good);
    return new InputStream() {
      @Override
      public int read(byte[] into, int offset, int most) throws IOException {
        int read = start.read(into, offset, most);
        if (read < 0) {
          throw error;
        }
        return read;
      }

      @Override
      public int read() {
        throw new AssertionError("one byte at a time is slow");
      }
    };
  }

  @Test
  void anErrorOfTheTargetIsThrownItself() {
    IOException error = new IOException("disk full");
    OutputStream target =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw error;
          }
        };
    Object large = forKryo("x".repeat(3 * KryoBlock.LIMIT));
    SerializationStream flushed = serow.serializeStream(target).writeObject(1, ANY);
    assertSame(error, assertThrows(IOException.class, flushed::flush));
    flushed.close();
    SerializationStream closed = serow.serializeStream(target).writeObject(1, ANY);
    assertSame(error, assertThrows(IOException.class, closed::close));
    SerializationStream filled = serow.serializeStream(target);
    assertSame(error, assertThrows(IOException.class, () -> filled.writeObject(large, ANY)));
    assertThrows(IOException.class, () -> filled.writeObject(1, ANY));
    filled.close();
  }

  /** A list whose elements after the first ones can't be written: Kryo has no such class. */
  private static Object unwritable(int good) {
    List<Object> list = new ArrayList<>();
    IntStream.range(0, good).forEach(list::add);
    list.add(new Thread());
    return list;
  }

  @Test
  void anObjectThatFailsLeavesNothingInTheBlock() {
    SerializerInstance strict =
        instance(
            "spark.kryo.registrationRequired",
            "true",
            "spark.kryo.classesToRegister",
            "java.util.ArrayList");
    var bytes = new ByteArrayOutputStream();
    SerializationStream out = strict.serializeStream(bytes);
    for (int good : new int[] {0, 1, 100, 2000}) {
      out.writeObject(good, ANY);
      assertThrows(IllegalArgumentException.class, () -> out.writeObject(unwritable(good), ANY));
    }
    out.writeObject("end", ANY).close();
    assertEquals(List.of(0, 1, 100, 2000, "end"), read(strict, bytes.toByteArray()));
  }

  @Test
  void aLargeObjectThatFailsEndsTheStream() {
    SerializerInstance strict =
        instance(
            "spark.kryo.registrationRequired",
            "true",
            "spark.kryo.classesToRegister",
            "java.util.ArrayList");
    var bytes = new ByteArrayOutputStream();
    SerializationStream out = strict.serializeStream(bytes);
    Object object = unwritable(KryoBlock.LIMIT);
    assertThrows(IllegalArgumentException.class, () -> out.writeObject(object, ANY));
    assertThrows(IOException.class, () -> out.writeObject(1, ANY));
    out.close();
    assertThrows(IOException.class, () -> read(strict, bytes.toByteArray()));
  }

  @Test
  void afterAnObjectThatCannotBeReadTheStreamIsOver() {
    for (Object object : List.of(new Plain(), forKryo(new Plain()))) {
      byte[] bytes = write(serow, object, 2);
      String name = new String(bytes, StandardCharsets.ISO_8859_1);
      bytes[name.indexOf("Plai") + 3] = 'X';
      DeserializationStream in = serow.deserializeStream(new ByteArrayInputStream(bytes));
      Exception error = assertThrows(RuntimeException.class, () -> Streams.readObject(in));
      assertTrue(error.getMessage().contains("DamagedBlocksTest$PlaX"), error.getMessage());
      assertThrows(IOException.class, () -> Streams.readObject(in));
    }
  }

  /** A class whose name is in the bytes. */
  public static final class Plain {}
}
