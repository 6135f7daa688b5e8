package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Java computes checksums and fingerprints with another library than native code. */
class ChecksumTest {
  private static final int HEADER = 8;
  private static final int CHECKSUM = 8;
  private static final int MOST = 2000;

  private static byte[] bytes() {
    byte[] bytes = new byte[MOST];
    long state = 1;
    for (int i = 0; i < bytes.length; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      bytes[i] = (byte) (state >>> 56);
    }
    return bytes;
  }

  /** {@code crates/core/tests/checksums.rs} has the same bytes and the same number. */
  @Test
  void checksumsOfEveryLengthAreThoseOfRust() {
    byte[] bytes = bytes();
    long all = 0;
    for (int length = 0; length <= bytes.length; length++) {
      all = Long.rotateLeft(all, 5) ^ Hashing.xxh3_64().hashBytesToLong(bytes, 0, length);
    }
    assertEquals(0x04d7c5d58cb8ec63L, all);
  }

  @Test
  void checksumsOfFramesAreThoseOfNativeCode() {
    byte[] bytes = bytes();
    BitSet lengths = new BitSet();
    Codec<Object> codec = Codec.ofAny(Schema.parse("bytes")).withWire(Wire.FRAME);
    for (int size = 0; size < MOST; size++) {
      byte[] row = Arrays.copyOf(bytes, size);
      byte[] message = codec.encodeAll(List.of(row));
      int end = message.length - CHECKSUM;
      long checksum = Hashing.xxh3_64().hashBytesToLong(message, HEADER, end - HEADER);
      assertEquals(ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getLong(end), checksum);
      lengths.set(end - HEADER);
    }

    assertTrue(lengths.cardinality() > MOST - 10, lengths.toString());
  }
}
