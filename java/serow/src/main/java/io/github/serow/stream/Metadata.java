package io.github.serow.stream;

import io.github.serow.wire.Varint;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The metadata of a stream, as {@code docs/wire-format.md} describes it. */
final class Metadata {
  private Metadata() {}

  /**
   * The bytes of metadata.
   *
   * @throws IllegalArgumentException if a text has a lone surrogate
   */
  static byte[] encoded(Map<String, String> metadata) {
    TreeMap<byte[], byte[]> ordered = new TreeMap<>(Arrays::compareUnsigned);
    metadata.forEach((key, value) -> ordered.put(utf8(key), utf8(value)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ordered.forEach(
        (key, value) -> {
          put(bytes, key);
          put(bytes, value);
        });
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOf(bytes.array(), bytes.limit());
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("metadata with a lone surrogate: " + text, e);
    }
  }

  private static void put(ByteArrayOutputStream to, byte[] text) {
    byte[] length = new byte[Varint.MOST];
    to.write(length, 0, Varint.put(length, 0, text.length));
    to.write(text, 0, text.length);
  }

  /** The metadata of bytes that native code has checked. */
  static Map<String, String> of(byte[] bytes) {
    ByteBuffer left = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Map<String, String> metadata = new LinkedHashMap<>();
    while (left.hasRemaining()) {
      String key = text(left);
      metadata.put(key, text(left));
    }
    return Collections.unmodifiableMap(metadata);
  }

  private static String text(ByteBuffer from) {
    int more = Integer.numberOfTrailingZeros(from.get(from.position()));
    int length = 0;
    for (int i = 0; i <= more; i++) {
      length |= (from.get() & 0xff) << 8 * i;
    }
    byte[] text = new byte[length >>> more + 1];
    from.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
