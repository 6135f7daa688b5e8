package io.github.serow.spark.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Codec;
import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.Wire;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Damaged layouts and rows give values or errors of serow's, and reach no other classes. */
class ExactDamageTest {
  private static final int DAMAGED = 60;

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] damaged = bytes.clone();
    if (random.nextInt(4) == 0) {
      return Arrays.copyOf(damaged, random.nextInt(bytes.length + 1));
    }
    for (int i = random.nextInt(3); i >= 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    return damaged;
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void damagedBytesAreErrorsOrValues(@ForAll long seed, @ForAll ScalaVersion version)
      throws Exception {
    Random random = new Random(seed);
    ExactRows rows = new ExactRows(new AllClasses(new BothLoaders(version)));
    Object row = new RandomObjects(seed, version).row(3);
    ExactLayout layout = rows.layoutOf(row);
    RecordOut out = new RecordOut();
    byte[] bytes = out.copy(layout.write(row, out, 0));
    RecordReader generated = RecordReader.generated(layout.binding().root());
    for (int i = 0; i < DAMAGED; i++) {
      byte[] of = damaged(bytes, random);
      read(() -> layout.read(new RecordIn(of, 0, of.length)));
      read(() -> ExactLayout.read(generated, new RecordIn(of, 0, of.length)));
      byte[] layoutBytes = damaged(layout.bytes(), random);
      read(
          () -> {
            ExactLayout other = rows.parse(layoutBytes, 0, layoutBytes.length);
            return other.read(new RecordIn(bytes, 0, bytes.length));
          });
    }
  }

  /** Something that reads bytes. */
  private interface Reading {
    Object read();
  }

  private static void read(Reading reading) {
    try {
      reading.read();
    } catch (DecodeException | LimitException e) {
      assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
    }
  }

  @Test
  void framesHaveTheRowsThatTheirBlockNames() throws Exception {
    ExactRows rows = new ExactRows(new AllClasses(ExactDamageTest.class.getClassLoader()));
    ExactLayout layout = rows.layoutOf(1L);
    byte[] one = frames(layout, 1_000);
    byte[] several = frames(layout, 70_000);
    assertEquals(1_000, layout.readFrames(one, 0, one.length, 1_000).size());
    assertEquals(70_000, layout.readFrames(several, 0, several.length, 70_000).size());
    for (int wrong : new int[] {0, 999, 1_001}) {
      assertThrows(DecodeException.class, () -> layout.readFrames(one, 0, one.length, wrong));
    }
    // Rows of few bytes that would take too much memory.
    byte[] many = frames(layout, 6_000_000);
    assertTrue(many.length < 10_000, many.length + " bytes");
    assertThrows(LimitException.class, () -> layout.readFrames(many, 0, many.length, 1_000));
  }

  private static byte[] frames(ExactLayout layout, int rows) {
    return Codec.ofAny(layout.schema())
        .withWire(Wire.FRAME)
        .encodeAll(Collections.nCopies(rows, 7L));
  }

  record Box(Object value) {}

  record Text(String value) {}

  /** A class that must not be touched. */
  static final class Untouched {
    static {
      TOUCHED.add("Untouched");
    }

    Untouched() {
      TOUCHED.add("made");
    }
  }

  private static final Set<String> TOUCHED = new java.util.HashSet<>();

  @Test
  void bytesReachOnlyPermittedClasses() throws Exception {
    ClassLoader loader = ExactDamageTest.class.getClassLoader();
    ExactRows writers = new ExactRows(new AllClasses(loader));
    byte[] bytes = writers.layoutOf(new Box(new Object[] {new Box(1)})).bytes();
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    byte[] other = text.replace("Test$Box", "Test$Bix").getBytes("ISO-8859-1");
    DecodeException missing =
        assertThrows(DecodeException.class, () -> writers.parse(other, 0, other.length));
    assertTrue(missing.getMessage().contains("missing here"), missing.getMessage());
    AllClasses some = new AllClasses(loader).without(Box.class.getName());
    DecodeException refused =
        assertThrows(
            DecodeException.class, () -> new ExactRows(some).parse(bytes, 0, bytes.length));
    assertTrue(refused.getMessage().contains("not permitted"), refused.getMessage());
    assertEquals(Set.of(Box.class.getName()), some.asked);
    assertEquals(Set.of(), TOUCHED);
  }

  @Test
  void aLayoutHasOnlyClassesThatFieldsCanHold() throws Exception {
    ExactRows rows = new ExactRows(new AllClasses(ExactDamageTest.class.getClassLoader()));
    byte[] bytes = rows.layoutOf(new Text("a")).bytes();
    byte[] number = rows.layoutOf(1).bytes();
    bytes[bytes.length - 1] = number[0];
    DecodeException refused =
        assertThrows(DecodeException.class, () -> rows.parse(bytes, 0, bytes.length));
    assertEquals(
        "the layout of a row is damaged: no object of class java.lang.Integer is a java.lang.String,"
            + " or a class has other fields here: "
            + Text.class.getName(),
        refused.getMessage());
    for (byte[] wrong : List.of(new byte[0], new byte[] {5, 3}, new byte[] {1, 1})) {
      assertThrows(DecodeException.class, () -> rows.parse(wrong, 0, wrong.length));
    }
  }
}
