package io.github.serow.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Encodes strings as generalised UTF-8 into an array.
 *
 * <p>{@code getChars} copies a string's chars, and the JDK's encoder converts them with vector
 * instructions. Together they take less time than any loop over the string, and as much as {@code
 * getBytes}, which allocates an array.
 */
final class TextEncoder {
  private static final int CHARS = 1 << 12;

  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
  private final char[] chars = new char[CHARS];
  private final CharBuffer from = CharBuffer.wrap(chars);

  /** Wraps {@link #bytes}. */
  private ByteBuffer to;

  private byte[] bytes;

  /**
   * Encodes {@code text} at {@code at}, where the capacity suffices. Returns the position after it.
   */
  int encode(String text, byte[] into, int at) {
    if (into != bytes) {
      bytes = into;
      to = ByteBuffer.wrap(into);
    }
    int length = text.length();
    if (length <= CHARS) {
      text.getChars(0, length, chars, 0);
      encoder.reset();
      encoder.encode(from.limit(length).position(0), to.position(at), true);
      if (!from.hasRemaining()) {
        return to.position();
      }
    }
    return encodeInParts(text, at);
  }

  /** Encodes long text, or text with lone surrogates. */
  private int encodeInParts(String text, int at) {
    to.position(at);
    for (int next = 0; next < text.length(); ) {
      int end = Math.min(text.length(), next + CHARS);
      text.getChars(next, end, chars, 0);
      from.limit(end - next).position(0);
      encoder.reset();
      while (encoder.encode(from, to, end == text.length()).isMalformed()) {
        putSurrogate(from.get());
        encoder.reset();
      }
      // A high surrogate at the end of a part waits for the next part.
      next = end - from.remaining();
    }
    return to.position();
  }

  private void putSurrogate(char c) {
    to.put((byte) (0xe0 | c >> 12));
    to.put((byte) (0x80 | c >> 6 & 0x3f));
    to.put((byte) (0x80 | c & 0x3f));
  }

  /** The number of bytes of {@code text}. */
  static long length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isPair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      length += c < 0x80 ? 1 : c < 0x800 ? 2 : isPair ? 4 : 3;
      i += isPair ? 1 : 0;
    }
    return length;
  }
}
