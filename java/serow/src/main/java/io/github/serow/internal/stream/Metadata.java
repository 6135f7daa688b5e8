package io.github.serow.internal.stream;

import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.nio.ByteBuffer;
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
    RecordOut out = new RecordOut();
    int end = 0;
    for (Map.Entry<byte[], byte[]> text : ordered.entrySet()) {
      end = out.bytes(text.getValue(), out.bytes(text.getKey(), end));
    }
    return out.copy(end);
  }

  private static byte[] utf8(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOf(bytes.array(), bytes.limit());
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("metadata with a lone surrogate: " + text, e);
    }
  }

  /** The metadata of bytes that native code has checked. */
  static Map<String, String> of(byte[] bytes) {
    RecordIn left = new RecordIn(bytes, 0, bytes.length);
    Map<String, String> metadata = new LinkedHashMap<>();
    while (left.position() < bytes.length) {
      String key = left.str();
      metadata.put(key, left.str());
    }
    return Collections.unmodifiableMap(metadata);
  }
}
