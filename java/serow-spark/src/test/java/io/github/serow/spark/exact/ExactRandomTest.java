package io.github.serow.spark.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Random rows come back equal and of the same classes at all places. */
class ExactRandomTest {
  private static final int BEFORE = 5;

  @Property(tries = 120, shrinking = ShrinkingMode.OFF)
  void rowsComeBackAsTheyWere(@ForAll long seed, @ForAll ScalaVersion version) throws Exception {
    ClassLoader both = new BothLoaders(version);
    ExactRows writers = new ExactRows(new AllClasses(both));
    ExactRows readers = new ExactRows(new AllClasses(both));
    RandomObjects objects = new RandomObjects(seed, version);
    RecordOut out = new RecordOut();
    ExactLayout layout = null;
    for (int i = 0; i < 4; i++) {
      Object row = objects.row((int) (seed & 3) + 1);
      int at = out.bytes.length > BEFORE ? BEFORE : 0;
      layout = layout == null ? writers.layoutOf(row) : joined(writers, layout, row, out, at);
      int end = layout.write(row, out, at);
      ExactLayout parsed = readers.parse(layout.bytes(), 0, layout.bytes().length);
      assertEquals(layout.schema(), parsed.schema());
      assertArrayEquals(layout.bytes(), parsed.bytes());
      byte[] bytes = Arrays.copyOfRange(out.bytes, at, end);
      RecordIn in = new RecordIn(bytes, 0, bytes.length);
      ExactSame.assertExact(row, parsed.read(in));
      in.end();
      assertGeneratedIsSame(parsed, row, bytes);
    }
  }

  /** A row of another layout is refused, or comes back as it was, in generated code too. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void rowsOfOtherLayoutsAreRefusedOrKept(@ForAll long seed, @ForAll ScalaVersion version)
      throws Exception {
    ExactRows rows = new ExactRows(new AllClasses(new BothLoaders(version)));
    RandomObjects objects = new RandomObjects(seed, version);
    int most = (int) (seed & 1) + 1;
    ExactLayout layout = rows.layoutOf(objects.row(most));
    for (int i = 0; i < 3; i++) {
      layout = rows.join(layout, objects.row(most));
    }
    Node root = layout.binding().root();
    RecordWriter interpreted = RecordWriter.interpreted(root);
    RecordWriter generated = RecordWriter.generated(root);
    for (int i = 0; i < 40; i++) {
      Object row = objects.row(most);
      byte[] bytes = written(interpreted, row);
      assertArrayEquals(bytes, written(generated, row));
      assertArrayEquals(bytes, written(layout, row));
      boolean isOfLayout = rows.join(layout, row) == layout;
      assertEquals(isOfLayout, bytes != null, () -> "" + row);
      if (isOfLayout) {
        ExactSame.assertExact(row, layout.read(new RecordIn(bytes, 0, bytes.length)));
      }
    }
  }

  /** The bytes of a row; null if it does not fit. */
  private static byte[] written(RecordWriter writer, Object row) {
    RecordOut out = new RecordOut();
    try {
      return out.copy(out.end(0, writer.write(row, out, 0)));
    } catch (PlacedException e) {
      assertInstanceOf(TypeMismatch.class, PlacedException.cause(e));
      return null;
    } catch (TypeMismatch e) {
      return null;
    }
  }

  private static byte[] written(ExactLayout layout, Object row) {
    RecordOut out = new RecordOut();
    try {
      return out.copy(layout.write(row, out, 0));
    } catch (TypeMismatch e) {
      return null;
    }
  }

  /** The wider layout, after a failed attempt to write the row. */
  private static ExactLayout joined(
      ExactRows rows, ExactLayout layout, Object row, RecordOut out, int at) throws Exception {
    try {
      layout.write(row, out, at);
      assertEquals(layout, rows.join(layout, row));
      return layout;
    } catch (TypeMismatch e) {
      return rows.join(layout, row);
    }
  }

  private static void assertGeneratedIsSame(ExactLayout layout, Object row, byte[] bytes) {
    Node root = layout.binding().root();
    RecordOut out = new RecordOut();
    for (RecordWriter writer :
        new RecordWriter[] {RecordWriter.generated(root), RecordWriter.interpreted(root)}) {
      int end = out.end(0, writer.write(row, out, 0));
      assertArrayEquals(bytes, Arrays.copyOf(out.bytes, end));
    }
    RecordIn in = new RecordIn(bytes, 0, bytes.length);
    ExactSame.assertExact(row, RecordReader.generated(root).read(in));
    in.end();
  }
}
