package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.codec.Binding;
import io.github.serow.codec.MessageRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Rows that are made when they are asked for are those that a codec reads at once. */
class MessageRowsTest {
  /** Rows with one text for each, and their schema. */
  private static final Schema NUMBERED = Schema.parse("(i64, str)");

  private static List<Object> numbered(int from, int to) {
    List<Object> rows = new ArrayList<>();
    for (long i = from; i < to; i++) {
      rows.add(new Object[] {i, "text " + i});
    }
    return rows;
  }

  private static byte[] encode(Schema schema, List<?> rows) {
    try (Codec<Object> codec = Codec.ofAny(schema, Wire.FRAME)) {
      return codec.encode(rows);
    }
  }

  private static void begin(MessageRows reader, byte[] message, int rows) {
    // The bytes are not at the begin of the array, and are overwritten afterwards.
    byte[] shifted = new byte[message.length + 2];
    System.arraycopy(message, 0, shifted, 1, message.length);
    reader.begin(shifted, 1, message.length + 1, rows);
    Arrays.fill(shifted, (byte) -1);
  }

  private static List<Object> next(MessageRows reader, int count) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(reader.next());
    }
    return rows;
  }

  @Provide
  Arbitrary<RandomRowsTest.Sample> samples() {
    return new RandomRowsTest().samples();
  }

  /** Rows of all types, so that the block ends with a column of each kind. */
  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfASchemaComeBack(@ForAll("samples") RandomRowsTest.Sample sample) {
    Schema schema = Schema.parse(sample.schema());
    List<Object> few = sample.rows();
    List<Object> many = new ArrayList<>(few);
    Collections.nCopies(300, few).forEach(many::addAll);
    MessageRows reader = new MessageRows(Binding.of(schema));
    for (List<Object> rows : List.of(few, many, few)) {
      begin(reader, encode(schema, rows), rows.size());
      Same.assertSame(rows, next(reader, rows.size()));
      assertThrows(NoSuchElementException.class, reader::next);
    }
  }

  @Test
  void aMessageMayHaveManyFrames() {
    List<Object> rows = numbered(0, 200_000);
    MessageRows reader = new MessageRows(Binding.of(NUMBERED));
    begin(reader, encode(NUMBERED, rows), rows.size());
    Same.assertSame(rows, next(reader, rows.size()));
  }

  @Test
  void whatIsLeftOfAMessageIsDropped() {
    MessageRows reader = new MessageRows(Binding.of(NUMBERED));
    begin(reader, encode(NUMBERED, numbered(0, 150_000)), 150_000);
    Same.assertSame(numbered(0, 700), next(reader, 700));
    begin(reader, encode(NUMBERED, numbered(700, 1_500)), 800);
    Same.assertSame(numbered(700, 1_500), next(reader, 800));
    assertThrows(NoSuchElementException.class, reader::next);
  }

  @Test
  void readersAreReadInTurns() {
    MessageRows[] readers = new MessageRows[100];
    Arrays.setAll(readers, i -> new MessageRows(Binding.of(NUMBERED)));
    for (int i = 0; i < readers.length; i++) {
      begin(readers[i], encode(NUMBERED, numbered(i, i + 1_000)), 1_000);
    }
    for (int row = 0; row < 1_000; row++) {
      for (int i = 0; i < readers.length; i++) {
        Object[] values = (Object[]) readers[i].next();
        assertEquals((long) i + row, values[0]);
        assertEquals("text " + (i + row), values[1]);
      }
    }
  }

  @Test
  void aWrongNumberOfRowsIsAnError() {
    byte[] message = encode(NUMBERED, numbered(0, 1_000));
    for (int rows : new int[] {0, 999, 1_001}) {
      MessageRows reader = new MessageRows(Binding.of(NUMBERED));
      DecodeException error =
          assertThrows(DecodeException.class, () -> begin(reader, message, rows));
      assertTrue(error.getMessage().contains("rows"), error.getMessage());
      begin(reader, message, 1_000);
      Same.assertSame(numbered(0, 1_000), next(reader, 1_000));
    }
  }
}
