package io.github.serow.internal.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.serow.Codec;
import io.github.serow.Compression;
import io.github.serow.Schema;
import io.github.serow.SerowException;
import io.github.serow.Wire;
import io.github.serow.internal.wire.Format;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records become frames without objects in between. */
class RecordsToFramesTest {
  private static final Schema SCHEMA = Schema.parse("(i64, str?, [f64], decimal)");
  private static final Format FRAME =
      new Format(Wire.FRAME, Compression.none(), Wire.FRAME.ordinal());
  private static final int CHECKSUM = 8;

  private static List<Object[]> rows(int count) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String text = i % 5 == 0 ? null : "é " + i % 50;
      rows.add(new Object[] {(long) i, text, List.of(i * 0.5), new java.math.BigDecimal(i)});
    }
    return rows;
  }

  /** Where the records of a message of one frame of the row wire begin. */
  private static int begin(byte[] message) {
    return 32 + ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(16);
  }

  @Test
  void theMessageIsThatOfTheRows() {
    Binding binding = Binding.of(SCHEMA);
    Codec<Object[]> records = Codec.of(SCHEMA).withWire(Wire.ROW);
    Codec<Object[]> frames = Codec.of(SCHEMA).withWire(Wire.FRAME);
    for (int count : new int[] {1, 200, 5_000, 1}) {
      byte[] message = records.encodeAll(rows(count));
      int from = begin(message);
      int to = message.length - CHECKSUM;
      byte[] made = EncodeContext.ofRecords(binding, FRAME, message, from, to, count);
      assertArrayEquals(frames.encodeAll(rows(count)), made);
    }
  }

  @Test
  void recordsThatAreCutOrTooManyAreErrors() {
    Binding binding = Binding.of(SCHEMA);
    Codec<Object[]> records = Codec.of(SCHEMA).withWire(Wire.ROW);
    byte[] message = records.encodeAll(rows(10));
    int from = begin(message);
    int to = message.length - CHECKSUM;
    for (int[] wrong : new int[][] {{to - 1, 10}, {to, 11}, {to, 9}}) {
      assertThrows(
          SerowException.class,
          () -> EncodeContext.ofRecords(binding, FRAME, message, from, wrong[0], wrong[1]));
    }
    byte[] made = EncodeContext.ofRecords(binding, FRAME, message, from, to, 10);
    assertEquals(10, records.decodeAll(made).size());
  }
}
