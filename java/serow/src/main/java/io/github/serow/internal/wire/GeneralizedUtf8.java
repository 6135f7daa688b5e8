package io.github.serow.internal.wire;

import io.github.serow.DecodeException;
import java.nio.charset.StandardCharsets;

/** Generalised UTF-8: UTF-8 that may hold lone surrogates, in three bytes each. */
public final class GeneralizedUtf8 {
  static final String PAIR =
      "a string contains a high and a low surrogate as two characters; Java would join them";

  private GeneralizedUtf8() {}

  /**
   * Decodes {@code length} bytes from {@code offset} on.
   *
   * @throws DecodeException if they are not generalised UTF-8, or Java can't hold the string
   */
  static String decode(byte[] text, int offset, int length) {
    String ascii = Ascii.string(text, offset, length);
    if (ascii != null) {
      return ascii;
    }
    String string = new String(text, offset, length, StandardCharsets.UTF_8);
    // The decoder replaces lone surrogates, and bytes that are not UTF-8, by this character.
    return string.indexOf('\uFFFD') < 0 ? string : decodeSurrogates(text, offset, length);
  }

  /** The number of bytes of a string. */
  static long length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        length++;
      } else if (c < 0x800) {
        length += 2;
      } else if (isPair(text, i)) {
        length += 4;
        i++;
      } else {
        length += 3;
      }
    }
    return length;
  }

  /** Encodes a string of {@code size} bytes at {@code begin}. Returns their end. */
  @SuppressWarnings("deprecation") // getBytes drops the high bytes, which ASCII lacks.
  static int encode(String text, long size, byte[] to, int begin) {
    if (size == text.length()) {
      text.getBytes(0, text.length(), to, begin);
      return begin + text.length();
    }
    int at = begin;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        to[at++] = (byte) c;
      } else if (c < 0x800) {
        to[at++] = (byte) (0xc0 | c >> 6);
        to[at++] = last(c);
      } else if (isPair(text, i)) {
        int point = text.codePointAt(i++);
        to[at++] = (byte) (0xf0 | point >> 18);
        to[at++] = last(point >> 12);
        to[at++] = last(point >> 6);
        to[at++] = last(point);
      } else {
        to[at++] = (byte) (0xe0 | c >> 12);
        to[at++] = last(c >> 6);
        to[at++] = last(c);
      }
    }
    return at;
  }

  /** The byte of a character's last six bits. */
  private static byte last(int bits) {
    return (byte) (0x80 | bits & 0x3f);
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  /** Whether {@code text} is generalised UTF-8, even if Java can't hold it as a string. */
  public static boolean isValid(byte[] text) {
    for (int at = 0; at < text.length; ) {
      int size = size(text, at, text.length);
      if (size == 0) {
        return false;
      }
      at += size;
    }
    return true;
  }

  private static String decodeSurrogates(byte[] text, int offset, int length) {
    StringBuilder string = new StringBuilder(length);
    boolean afterHigh = false;
    for (int at = offset, end = offset + length; at < end; ) {
      int size = size(text, at, end);
      if (size == 0) {
        throw new DamagedRecordException("a string holds bytes that are not UTF-8");
      }
      int lead = text[at];
      int c =
          switch (size) {
            case 1 -> lead;
            case 2 -> (lead & 0x1f) << 6 | tail(text, at + 1);
            case 3 -> (lead & 0xf) << 12 | tail(text, at + 1) << 6 | tail(text, at + 2);
            default ->
                (lead & 7) << 18
                    | tail(text, at + 1) << 12
                    | tail(text, at + 2) << 6
                    | tail(text, at + 3);
          };
      at += size;
      if (afterHigh && size == 3 && Character.isLowSurrogate((char) c)) {
        throw new DecodeException(PAIR);
      }
      afterHigh = size == 3 && Character.isHighSurrogate((char) c);
      string.appendCodePoint(c);
    }
    return string.toString();
  }

  /** The number of bytes of the character at {@code at}; 0 if there is none. */
  private static int size(byte[] text, int at, int end) {
    int lead = text[at];
    if (lead >= 0) {
      return 1;
    }
    int size = lead >= (byte) 0xf0 ? 4 : lead >= (byte) 0xe0 ? 3 : 2;
    if (lead < (byte) 0xc2 || lead > (byte) 0xf4 || end - at < size) {
      return 0;
    }
    int second = text[at + 1] & 0xff;
    // The ranges without longer forms of smaller numbers, and without numbers above 0x10FFFF.
    int least = lead == (byte) 0xe0 ? 0xa0 : lead == (byte) 0xf0 ? 0x90 : 0x80;
    int most = lead == (byte) 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) {
      return 0;
    }
    for (int i = 2; i < size; i++) {
      if ((text[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return size;
  }

  private static int tail(byte[] text, int at) {
    return text[at] & 0x3f;
  }
}
