package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages with right checksums and arbitrary content give rows or one of serow's exceptions, and
 * nothing else.
 */
class LyingContentTest {
  private static final int HEADER = 8;
  private static final int FRAME_HEADER = 24;
  private static final int CHECKSUM = 8;

  /** More rows than the messages have by themselves are not written again. */
  private static final int MANY = 1_000;

  /** Updates the checksums of all frames, as far as their lengths are plausible. */
  static byte[] seal(byte[] message) {
    ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    long at = HEADER;
    while (at + FRAME_HEADER + CHECKSUM <= message.length) {
      int begin = (int) at;
      boolean inBand = (message[begin + 1] & 2) != 0;
      long schema = inBand ? Integer.toUnsignedLong(buffer.getInt(begin + 8)) : 8;
      long body = buffer.getLong(begin + 16);
      long end = begin + FRAME_HEADER + schema + body;
      if (body < 0 || end < 0 || end + CHECKSUM > message.length) {
        break;
      }
      buffer.putLong(
          (int) end, Hashing.xxh3_64().hashBytesToLong(message, begin, (int) end - begin));
      at = end + CHECKSUM;
    }
    return message;
  }

  /** Whether the message is read. Then its rows are such as can be written and read again. */
  private static boolean isRead(byte[] message) {
    List<Object> rows;
    try {
      rows = Serow.loads(message);
    } catch (DecodeException | LimitException e) {
      assertFalse(e.getMessage().isEmpty());
      return false;
    }
    // For one message of four, because it takes time.
    if (rows.size() <= MANY && Arrays.hashCode(message) % 4 == 0) {
      Same.assertSame(rows, Serow.loads(Serow.dumps(rows)));
    }
    return true;
  }

  static Iterable<Path> messages() throws IOException {
    return GoldenTest.messages().stream().filter(file -> file.toFile().length() < 5_000).toList();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void sealingReproducesTheWritersChecksums(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    assertArrayEquals(message, seal(message.clone()));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void everyByteMayBeWrong(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    Random random = new Random(11);
    int refused = 0;
    for (int at = HEADER; at < message.length; at++) {
      for (int flip : new int[] {1, 0x80, 0xff, 1 + random.nextInt(255)}) {
        byte[] lying = message.clone();
        lying[at] ^= (byte) flip;
        refused += isRead(seal(lying)) ? 0 : 1;
      }
    }
    assertTrue(refused > 0);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void manyBytesMayBeWrong(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    Random random = new Random(13);
    for (int round = 0; round < 300; round++) {
      byte[] lying = message.clone();
      for (int count = 1 + random.nextInt(4); count > 0; count--) {
        int at = HEADER + random.nextInt(message.length - HEADER);
        lying[at] = random.nextBoolean() ? (byte) random.nextInt() : lying[random.nextInt(at)];
      }
      isRead(seal(lying));
    }
  }

  @ParameterizedTest
  @MethodSource({"io.github.serow.LogicalTest#rows", "io.github.serow.StructsTest#rows"})
  void componentsMayBeWrong(List<?> rows) {
    Random random = new Random(17);
    for (Wire wire : Wire.values()) {
      byte[] message = Serow.dumps(rows, wire);
      for (int at = HEADER; at < Math.min(message.length, 2_000); at++) {
        for (int round = 0; round < 8; round++) {
          byte[] lying = message.clone();
          lying[at] = (byte) random.nextInt();
          if (round > 3) {
            lying[HEADER + random.nextInt(message.length - HEADER)] = (byte) random.nextInt();
          }
          isRead(seal(lying));
        }
      }
    }
  }

  @Test
  void aFrameMayNotClaimMoreThanItHolds() {
    byte[] message = Serow.dumps(List.of(1L, 2L, 3L), Wire.FRAME);
    ByteBuffer rows = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    for (int claimed : new int[] {0, 2, 4, 65_536, 65_537, Integer.MAX_VALUE, -1}) {
      rows.putInt(HEADER + 4, claimed);
      assertFalse(isRead(seal(message)), claimed + " rows");
    }
  }
}
