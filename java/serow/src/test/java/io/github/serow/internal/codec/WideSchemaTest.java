package io.github.serow.internal.codec;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Codec;
import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.Same;
import io.github.serow.Schema;
import io.github.serow.Serow;
import io.github.serow.Times;
import io.github.serow.Wire;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.row.RowReader;
import io.github.serow.internal.row.TieredCode;
import io.github.serow.internal.schema.SharedSecrets;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WideSchemaTest {
  private static Object value(int field, int row) {
    return switch (field % 7) {
      case 0 -> (long) row * field;
      case 1 -> row / 4.0;
      case 2 -> "s" + (row + field) % 10;
      case 3 -> row % 2 == 0;
      case 4 -> row % 3 == 0 ? null : (Object) (long) row;
      case 5 -> tuple((long) field, "x");
      default -> list(Collections.nCopies(row % 3, 1.0).toArray());
    };
  }

  private static Object[] row(int fields, int row) {
    Object[] values = new Object[fields];
    Arrays.setAll(values, field -> value(field, row));
    return values;
  }

  /** A binding that has generated its classes, as after many rows. */
  private static Binding generated(List<?> rows) {
    Binding binding = Binding.of(Schema.infer(rows));
    assertTrue(binding.recordWriter(TieredCode.WORTH_IT).getClass().isHidden());
    assertTrue(binding.reader(TieredCode.WORTH_IT).getClass().isHidden());
    return binding;
  }

  @ParameterizedTest
  @ValueSource(ints = {31, 32, 33, 64, 65, 2000})
  void wideTuplesAndListsComeBackEqual(int fields) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(i % 2 == 0 ? row(fields, i) : list(row(fields, i)));
    }
    Binding binding = generated(rows);
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows)));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.ROW)));
    Reference.reachabilityFence(binding);
  }

  @Test
  void aMisfitInAWideRowIsNamed() {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(row(2000, i));
    }
    generated(rows);
    Codec<Object[]> codec = Codec.of(Schema.infer(rows));
    rows.get(150)[1890] = "x";
    EncodeException e = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
    assertEquals("row 150, field 1890 (i64): cannot encode java.lang.String", e.getMessage());
  }

  @Test
  @Tag("heavy")
  void schemasTooLargeForAClassAreInterpreted() {
    // One method for each tuple: more names than a class can have.
    Object[] row = new Object[25_000];
    Arrays.setAll(row, i -> tuple());
    Schema schema = Schema.parse("(" + "(), ".repeat(row.length - 1) + "())");
    Node type = Nodes.of(SharedSecrets.type(schema), Times.EXACT).root();
    assertThrows(LimitException.class, () -> RecordWriter.generated(type));
    assertThrows(LimitException.class, () -> RowReader.generated(type));
    Binding binding = Binding.of(schema);
    assertFalse(binding.recordWriter(TieredCode.WORTH_IT).getClass().isHidden());
    assertFalse(binding.reader(TieredCode.WORTH_IT).getClass().isHidden());
    Codec<Object[]> codec = Codec.of(schema);
    List<Object[]> rows = Collections.nCopies(3, row);
    Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
  }
}
