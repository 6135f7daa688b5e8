package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static io.github.serow.StructsTest.map;
import static io.github.serow.StructsTest.set;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.StructShapes.Color;
import io.github.serow.StructShapes.Point;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BadInputTest {
  private static final List<Object> ROWS =
      list(
          tuple(1L, "almond", 2.5, list(1L, 2L), null, map("a", set(1L), "b", Color.RED)),
          tuple(-7L, "almond", -0.0, list(), true, map("a", set(), "c", map(1L, "one"))),
          tuple("seven", "b\u00fc", 1e300, list(), false, new Point(1, "here")));

  @ParameterizedTest
  @EnumSource(Wire.class)
  void everyTruncationIsADecodeException(Wire wire) {
    byte[] message = Serow.dumps(ROWS, wire);
    for (int length = 0; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThrows(DecodeException.class, () -> Serow.loads(cut), length + " bytes");
      ByteBuffer direct = ByteBuffer.allocateDirect(length).put(cut).flip();
      assertThrows(DecodeException.class, () -> Serow.loads(direct));
    }
    byte[] longer = Arrays.copyOf(message, message.length + 1);
    assertThrows(DecodeException.class, () -> Serow.loads(longer));
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void everyFlippedBitIsADecodeException(Wire wire) {
    byte[] message = Serow.dumps(ROWS, wire);
    for (int bit = 0; bit < 8 * message.length; bit++) {
      byte[] flipped = message.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(DecodeException.class, () -> Serow.loads(flipped), "bit " + bit);
    }
    Same.assertSame(ROWS, Serow.loads(message));
  }

  @Test
  void anotherVersionIsReported() {
    byte[] message = Serow.dumps(ROWS, Wire.FRAME);
    message[4]++;
    DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
    assertTrue(e.getMessage().contains("version"), e.getMessage());
  }

  @Test
  void randomBytesAreDecodeExceptions() {
    Random random = new Random(5);
    byte[] start = Arrays.copyOf(Serow.dumps(ROWS, Wire.FRAME), 32);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      System.arraycopy(start, 0, bytes, 0, Math.min(bytes.length, random.nextInt(33)));
      assertThrows(DecodeException.class, () -> Serow.loads(bytes));
    }
  }

  @Test
  void aFailedCallLeavesTheNextOnesAlone() {
    byte[] message = Serow.dumps(ROWS, Wire.FRAME);
    for (int i = 0; i < 20; i++) {
      assertThrows(DecodeException.class, () -> Serow.loads(new byte[] {1, 2, 3}));
      assertThrows(EncodeException.class, () -> Serow.dumps(list(1L, new Object()), Wire.FRAME));
      Same.assertSame(ROWS, Serow.loads(message));
      Same.assertSame(ROWS, Serow.loads(Serow.dumps(ROWS, Wire.FRAME)));
    }
  }
}
