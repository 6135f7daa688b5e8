package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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

  @ParameterizedTest
  @ValueSource(ints = {31, 32, 33, 64, 65, 2000})
  void wideTuplesAndListsComeBackEqual(int fields) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      rows.add(i % 2 == 0 ? row(fields, i) : list(row(fields, i)));
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows)));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Layout.ROW)));
  }

  @Test
  void aMisfitInAWideRowIsNamed() {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      rows.add(row(2000, i));
    }
    try (Codec<Object[]> codec = Codec.of(Schema.infer(rows))) {
      rows.get(2500)[1890] = "x";
      EncodeException e = assertThrows(EncodeException.class, () -> codec.encode(rows));
      org.junit.jupiter.api.Assertions.assertEquals(
          "row 2500, field 1890 (i64): cannot encode java.lang.String", e.getMessage());
    }
  }

  @Test
  void moreThanAClassCanHoldIsWalked() {
    // 16,000 tuples of one field each: as many methods, with their names, in one class.
    StringBuilder text = new StringBuilder("(");
    Object[] row = new Object[16_000];
    for (int i = 0; i < row.length; i++) {
      text.append("(i64?,), ");
      row[i] = tuple(i % 2 == 0 ? null : (Object) (long) i);
    }
    try (Codec<Object[]> codec = Codec.of(Schema.parse(text.append("str)").toString()))) {
      Object[] whole = Arrays.copyOf(row, row.length + 1);
      whole[row.length] = "end";
      List<Object[]> rows = Collections.nCopies(2100, whole);
      List<Object[]> back = codec.decode(codec.encode(rows));
      Same.assertSame(rows.subList(0, 3), new ArrayList<>(back.subList(2097, 2100)));
    }
  }
}
