package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.ANY;
import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.readObject;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A reader of frames makes the rows of a block at a time. Merges of spills hold many readers open.
 */
class FrameBlocksTest {

  /** Several blocks of rows of {@link Counted}. */
  private static final int ROWS = 50_000;

  private static int made;

  /** The number that has become invalid since it was written. */
  private static int invalid;

  /** Counts the objects that a reader makes: it makes records by their constructor. */
  private record Counted(int number, String text) {
    Counted {
      made++;
      if (number == invalid) {
        throw new IllegalStateException("the number is invalid now");
      }
    }

    static Counted of(int number) {
      return new Counted(number, "text " + number % 100);
    }
  }

  private final SerializerInstance serow = instance();

  @BeforeEach
  void allNumbersAreValid() {
    invalid = -1;
  }

  /** The stream of some rows, which begins with a block of frames. */
  private byte[] frames(int from, int to) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = serow.serializeStream(bytes);
    for (int i = from; i < to; i++) {
      out.writeObject(Counted.of(i), ANY);
    }
    out.close();
    byte[] written = bytes.toByteArray();
    assertEquals(BlockHeader.FRAMES, written[0] & BlockHeader.KIND);
    return written;
  }

  private DeserializationStream open(byte[] bytes) {
    return serow.deserializeStream(new ByteArrayInputStream(bytes));
  }

  @Test
  void onlyTheRowsOfABlockAreMadeBeforeTheyAreAskedFor() {
    DeserializationStream in = open(frames(0, ROWS));
    made = 0;
    int ahead = 0;
    for (int i = 0; i < ROWS; i++) {
      assertEquals(i, ((Counted) readObject(in)).number);
      ahead = Math.max(ahead, made - i);
    }
    assertEquals(ROWS, made);
    assertTrue(ahead > 1 && ahead < ROWS, ahead + " rows at a time");
    assertThrows(EOFException.class, () -> readObject(in));
  }

  @Test
  void rowsThatWereReadAreNotKept() throws InterruptedException {
    DeserializationStream in = open(frames(0, ROWS));
    List<WeakReference<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(new WeakReference<>(readObject(in)));
    }
    for (int tries = 0; tries < 100 && rows.stream().anyMatch(row -> row.get() != null); tries++) {
      System.gc();
      Thread.sleep(10);
    }
    assertTrue(rows.stream().allMatch(row -> row.get() == null));
    Reference.reachabilityFence(in);
  }

  /** Some streams are left without closing them, as Spark does. */
  @Test
  void manyStreamsAreReadInTurns() {
    int streams = 100;
    int each = 1_000;
    List<DeserializationStream> readers = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      readers.add(open(frames(i * each, (i + 1) * each)));
    }
    int[] read = new int[streams];
    Random random = new Random(3);
    for (int turn = 0; turn < streams * each; turn++) {
      int i = random.nextInt(streams);
      if (read[i] < each) {
        assertEquals(i * each + read[i]++, ((Counted) readObject(readers.get(i))).number);
      }
    }
    for (int i = 0; i < streams; i += 2) {
      while (read[i] < each) {
        assertEquals(i * each + read[i]++, ((Counted) readObject(readers.get(i))).number);
      }
      readers.get(i).close();
    }
  }

  @Test
  void pairsAreReadInBlocks() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = serow.serializeStream(bytes);
    for (int i = 0; i < ROWS; i++) {
      out.writeKey(i % 7, ANY);
      out.writeValue(Counted.of(i), ANY);
    }
    out.close();
    assertEquals(BlockHeader.FRAMES, bytes.toByteArray()[0] & BlockHeader.KIND);
    DeserializationStream in = open(bytes.toByteArray());
    for (int i = 0; i < ROWS; i++) {
      assertEquals(i % 7, in.<Object>readKey(ANY));
      assertEquals(Counted.of(i), in.<Object>readValue(ANY));
    }
    assertThrows(EOFException.class, () -> readObject(in));
  }

  /** The rows of the blocks before it are read. */
  @Test
  void aRowThatCannotBeMadeIsAnErrorOfItsBlock() {
    byte[] bytes = frames(0, ROWS);
    invalid = ROWS - 1;
    DeserializationStream in = open(bytes);
    made = 0;
    Exception error =
        assertThrows(
            IOException.class,
            () -> {
              for (int i = 0; ; i++) {
                assertEquals(i, ((Counted) readObject(in)).number);
              }
            });
    assertEquals(ROWS, made);
    assertInstanceOf(IllegalStateException.class, error.getCause().getCause());
    IOException next = assertThrows(IOException.class, () -> readObject(in));
    assertTrue(next.getMessage().contains("can't read on"), next.getMessage());
    assertSame(error.getCause(), next.getCause());
  }
}
