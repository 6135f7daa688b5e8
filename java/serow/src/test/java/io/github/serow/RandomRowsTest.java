package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.encode.WriteErrors;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RowReadException;
import io.github.serow.internal.row.RowReader;
import io.github.serow.internal.row.RowWindows;
import io.github.serow.internal.row.RowWriter;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.TypeForms;
import io.github.serow.internal.wire.Block;
import io.github.serow.internal.wire.Columns;
import io.github.serow.internal.wire.FlatRows;
import io.github.serow.internal.wire.RecentDates;
import io.github.serow.internal.wire.TypeMismatch;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

class RandomRowsTest {
  /** A schema's text, and rows of it. */
  record Sample(String schema, List<Object> rows) {}

  @Provide
  Arbitrary<Sample> samples() {
    return Shape.any(3)
        .flatMap(
            shape -> shape.values().list().ofMaxSize(30).map(r -> new Sample(shape.text(), r)));
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return Shape.mixed().list().ofMaxSize(20);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfASchemaComeBackEqual(@ForAll("samples") Sample sample) {
    Schema schema = Schema.parse(sample.schema());
    assertEquals(schema, Schema.parse(schema.toString()));
    for (Wire wire : Wire.values()) {
      Codec<Object> codec = Codec.ofAny(schema).withWire(wire);
      Same.assertSame(sample.rows(), codec.decodeAll(codec.encodeAll(sample.rows())));
    }
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfAllKindsComeBackEqual(@ForAll("mixedRows") List<Object> rows) {
    for (Wire wire : Wire.values()) {
      Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
    }
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void allRowsFitTheirInferredSchema(@ForAll("mixedRows") List<Object> rows) {
    Codec<Object> codec = Codec.ofAny(Schema.infer(rows));
    Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void generatedCodeEqualsTheInterpreter(@ForAll("samples") Sample sample) {
    Node type = node(Schema.parse(sample.schema()));
    Written walked = write(RowWriter.interpreted(type), sample.rows());
    Written generated = write(RowWriter.generated(type), sample.rows());
    assertEquals(walked.slots, generated.slots);
    assertArrayEquals(walked.text.toByteArray(), generated.text.toByteArray());
    assertArrayEquals(walked.bytes.toByteArray(), generated.bytes.toByteArray());
    Codec<Object> codec = Codec.ofAny(Schema.parse(sample.schema()));
    byte[] message = codec.encodeAll(sample.rows());
    Same.assertSame(sample.rows(), read(RowReader.interpreted(type), message));
    Same.assertSame(sample.rows(), read(RowReader.generated(type), message));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void generatedCodeFindsTheSameMisfitsAsTheInterpreter(
      @ForAll("samples") Sample sample, @ForAll("mixedRows") List<Object> others) {
    Node type = node(Schema.parse(sample.schema()));
    RowWriter generated = RowWriter.generated(type);
    for (Object other : others) {
      boolean fits = fits(RowWriter.interpreted(type), other);
      assertEquals(fits, fits(generated, other));
      if (!fits) {
        String message = error(type, other).getMessage();
        assertEquals(0, message.indexOf("row 17"), message);
      }
    }
  }

  private static boolean fits(RowWriter writer, Object row) {
    try {
      write(writer, Arrays.asList(row, row));
      return true;
    } catch (RuntimeException e) {
      assertInstanceOf(TypeMismatch.class, PlacedException.cause(e));
      return false;
    }
  }

  private static RuntimeException error(Node node, Object row) {
    RuntimeException failure =
        assertThrows(
            RuntimeException.class, () -> write(RowWriter.generated(node), Arrays.asList(row)));
    return WriteErrors.of(node.type, false, 17, failure);
  }

  /** The node of plain rows. */
  static Node node(Schema schema) {
    return Nodes.of(SharedSecrets.type(schema), Times.EXACT).root();
  }

  /** What a writer has written, whatever part of the rows fits into one {@link FlatRows}. */
  private record Written(
      List<Long> slots, ByteArrayOutputStream text, ByteArrayOutputStream bytes) {}

  private static Written write(RowWriter writer, List<Object> rows) {
    Written written =
        new Written(new ArrayList<>(), new ByteArrayOutputStream(), new ByteArrayOutputStream());
    FlatRows flat = new FlatRows();
    for (int from = 0; from < rows.size(); ) {
      int to = writer.write(rows.toArray(), from, rows.size(), flat);
      // Without progress the flat rows have grown.
      if (to > from) {
        Arrays.stream(flat.slots, 0, flat.slotCount).forEach(written.slots::add);
        written.text.write(flat.text, 0, flat.textLength);
        written.bytes.write(flat.bytes, 0, flat.bytesLength);
        flat.clear();
      }
      from = to;
    }
    return written;
  }

  /** The rows of a message of one frame. */
  static List<Object> read(RowReader reader, byte[] message) {
    ArrayList<Object> rows = new ArrayList<>();
    NativeLibrary.require("this test");
    long decoder = Native.decoderOpen();
    try {
      Native.decoderBegin(decoder, 0, -1, message, null, 0, message.length);
      long[] frame = new long[8];
      assertTrue(Native.decoderNext(decoder, message, null, 0, frame));
      Columns columns =
          new Columns(
              Nodes.of(TypeForms.tree(Native.decoderSchema(decoder)), Times.EXACT).columns(),
              new RecentDates());
      columns.load(new Block(Native.decoderBlock(decoder)), true);
      RowWindows windows = new RowWindows(reader, columns, (int) frame[0]);
      for (Object[] some; (some = windows.next()) != null; ) {
        rows.addAll(Arrays.asList(some));
      }
    } catch (RowReadException e) {
      throw new AssertionError(e.getCause());
    } finally {
      Native.close(decoder);
    }
    return rows;
  }
}
