package io.github.serow.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.DecodeException;
import io.github.serow.Same;
import io.github.serow.Serow;
import io.github.serow.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StringsTest {
  @ParameterizedTest
  @EnumSource(Wire.class)
  void everyCharComesBack(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int c = 0; c <= 0xffff; c++) {
      rows.add(String.valueOf((char) c));
      rows.add("x" + (char) c + "y");
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void loneSurrogatesComeBackAndPairsAreCharacters(Wire wire) {
    List<Object> rows =
        List.of(
            "\ud800",
            "\udc00",
            "\udc00\ud800",
            "\ud800\ud800",
            "a\ud83d",
            "\ude00b",
            "\ud83d\ude00",
            "\ud83d\ud83d\ude00\ude00",
            "\ufffd",
            "\ufffd\ud800",
            "\u00e9\ud800\u20ac\ud83d\ude00");
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
  }

  @Test
  void randomTextOfEveryKindComesBack() {
    Random random = new Random(7);
    int[] bounds = {0x80, 0x100, 0x800, 0x10000};
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int bound = bounds[random.nextInt(bounds.length)];
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(80); length > 0; length--) {
        text.append((char) random.nextInt(bound));
      }
      rows.add(new Object[] {text.toString(), text.length() > 40 ? null : text + "?"});
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows)));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.ROW)));
  }

  @Test
  void longStringsComeBack() {
    List<Object> rows = List.of("a".repeat(5_000_000), "\u20ac".repeat(3_000_000), "");
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows)));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.ROW)));
  }

  @Test
  void textIsUtf8InTheMessage() {
    byte[] message = Serow.dumps(List.of("\u00e9\u20ac\ud83d\ude00\ud800"));
    String hex = java.util.HexFormat.of().formatHex(message);
    assertTrue(hex.contains("c3a9" + "e282ac" + "f09f9880" + "eda080"), hex);
  }

  @Test
  void aPairOfSurrogatesThatAreTwoCharactersIsAnError() {
    // Other languages allow such strings. This one is assembled from bytes.
    byte[] message = Serow.dumps(List.of("\ud83d", "\ude00"), Wire.FRAME);
    StringColumn column = new StringColumn();
    java.nio.ByteBuffer block =
        java.nio.ByteBuffer.allocateDirect(64).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    block.putInt(0, 0).putInt(4, 6);
    block.put(
        8,
        new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0xbd, (byte) 0xed, (byte) 0xb8, (byte) 0x80});
    column.load(new Block(block), 1, 0, 1, false, false);
    assertThrows(DecodeException.class, () -> column.get(0));
    assertEquals(List.of("\ud83d", "\ude00"), Serow.loads(message));
  }

  /** Messages from Python, with the rows {@code ("a", 1)}, once or often, and {@code (pair, 2)}. */
  @ParameterizedTest
  @CsvSource({
    "1, 53524f5701000000010300000200000004000000000000001f000000000000000b07030f0509010503280f61eda0"
        + "bdedb8800101010205010201052501050706000000afb00485f9c20ffe",
    "1, 53524f57010000000003000002000000040000000000000013000000000000000b07030f030000000361050800000"
        + "00deda0bdedb880091cd2fa6270855e69",
    "6, 53524f5701000000010300000800000004000000000000001f000000000000000b07030f0509010503280f61eda0"
        + "bdedb880010101c00501c0011125011107060000005105bc8a07b5d816"
  })
  void theRowOfAPairThatIsTwoCharactersIsNamed(int row, String hex) {
    byte[] message = java.util.HexFormat.of().parseHex(hex);
    DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
    assertEquals(
        "frame 0, row "
            + row
            + ", field 0 (str): a string contains a high and a low surrogate as two characters; Java"
            + " would join them",
        e.getMessage());
  }
}
