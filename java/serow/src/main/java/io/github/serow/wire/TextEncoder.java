package io.github.serow.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes chars as generalised UTF-8 into an array.
 *
 * <p>The JDK's encoder converts ASCII with vector instructions, and {@code getChars} copies the
 * chars of a string with them. A loop over the string takes several times as long.
 */
final class TextEncoder {
  private static final int MOST_OF_CHAR = 3;

  /** The chars that the JDK's encoder converts at once, at most. */
  private static final int VECTOR = 32;

  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();

  /** The chars to encode. */
  final char[] chars;

  private final CharBuffer from;

  /** Wraps {@link #bytes}. */
  private ByteBuffer to;

  private byte[] bytes;

  /** Creates an encoder of up to {@code size} chars at once, a multiple of {@link #VECTOR}. */
  TextEncoder(int size) {
    chars = new char[size];
    from = CharBuffer.wrap(chars);
  }

  /**
   * Encodes {@code length} of {@link #chars} from {@code begin} on at {@code at}, where the
   * capacity suffices. Returns the position after them.
   */
  int encode(int begin, int length, byte[] into, int at) {
    target(into, at);
    from.limit(begin + length).position(begin);
    encode(true);
    return to.position();
  }

  /** Encodes a string in the same way. It changes {@link #chars}. */
  int encode(String text, byte[] into, int at) {
    target(into, at);
    int length = text.length();
    for (int next = 0; next < length; ) {
      int end = Math.min(length, next + chars.length);
      text.getChars(next, end, chars, 0);
      from.limit(end - next).position(0);
      encode(end == length);
      // A high surrogate at the end of a part waits for the next part.
      next = end - from.remaining();
    }
    int end = to.position();
    // The array may be large, and its owner may replace it.
    bytes = null;
    to = null;
    return end;
  }

  private void target(byte[] into, int at) {
    if (into != bytes) {
      bytes = into;
      to = ByteBuffer.wrap(into);
    }
    to.position(at);
  }

  private void encode(boolean isEnd) {
    encoder.reset();
    while (encoder.encode(from, to, isEnd).isMalformed()) {
      putSurrogate(from.get());
      encoder.reset();
    }
  }

  private void putSurrogate(char c) {
    to.put((byte) (0xe0 | c >> 12));
    to.put((byte) (0x80 | c >> 6 & 0x3f));
    to.put((byte) (0x80 | c & 0x3f));
  }

  /**
   * Whether the first {@code length} of {@link #chars} are all ASCII. It also looks at the chars
   * after them, up to a whole number of vectors, because single chars take as long as vectors. So
   * the result may be false if {@link #forget} was not called for earlier chars.
   */
  boolean isAscii(int length, byte[] scratch) {
    int padded = padded(length);
    return length == 0 || encode(0, padded, scratch, 0) == padded;
  }

  /** Overwrites the first {@code length} of {@link #chars}, which may not be ASCII. */
  void forget(int length) {
    Arrays.fill(chars, 0, padded(length), '\0');
  }

  private static int padded(int length) {
    return length + VECTOR - 1 & -VECTOR;
  }

  /** The most bytes of this number of chars. */
  static long most(int length) {
    return (long) MOST_OF_CHAR * length;
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
