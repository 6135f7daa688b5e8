package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.RowReadException;
import io.github.serow.internal.row.RowReader;
import io.github.serow.internal.row.RowWindows;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.TypeForms;
import io.github.serow.internal.wire.Block;
import io.github.serow.internal.wire.Columns;
import io.github.serow.internal.wire.RecentDates;
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
    Codec<Object> codec = Codec.ofAny(Schema.parse(sample.schema()));
    byte[] message = codec.encodeAll(sample.rows());
    Same.assertSame(sample.rows(), read(RowReader.interpreted(type), message));
    Same.assertSame(sample.rows(), read(RowReader.generated(type), message));
  }

  /** The node of plain rows. */
  static Node node(Schema schema) {
    return Nodes.of(SharedSecrets.type(schema), Times.EXACT).root();
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
