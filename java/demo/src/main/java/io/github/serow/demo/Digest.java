package io.github.serow.demo;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * SHA-256 of the content of values. {@code benches/demo/digest.py} defines the stream of bytes;
 * this class implements the definition independently.
 */
public final class Digest {
  private static final int BUFFER = 1 << 16;

  private final MessageDigest sha;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

  private Digest() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The 32 bytes of the digest of a list of rows. */
  public static byte[] of(List<?> rows) {
    Digest digest = new Digest();
    digest.put(rows);
    digest.flush();
    return digest.sha.digest();
  }

  private void put(Object value) {
    if (value instanceof String text) {
      putString(text);
    } else if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      putTagged('i', ((Number) value).longValue());
    } else if (value instanceof Double number) {
      putTagged('f', Double.doubleToRawLongBits(number));
    } else if (value instanceof Object[] tuple) {
      putTagged('t', tuple.length);
      for (Object element : tuple) {
        put(element);
      }
    } else if (value instanceof List<?> list) {
      putTagged('l', list.size());
      for (Object element : list) {
        put(element);
      }
    } else if (value == null) {
      putByte('n');
    } else if (value instanceof Boolean flag) {
      putByte('b');
      putByte(flag ? 1 : 0);
    } else if (value instanceof Map<?, ?> map) {
      putMap(map);
    } else if (value instanceof LocalDate date) {
      putTagged('d', date.toEpochDay());
    } else if (value instanceof BigDecimal decimal) {
      putTagged('e', -(long) decimal.scale());
      putString(decimal.unscaledValue().toString());
    } else {
      throw new IllegalArgumentException("no digest for a value of " + value.getClass());
    }
  }

  /** Hashes the entries in the natural order of the keys, by UTF-16. */
  private void putMap(Map<?, ?> map) {
    Map<String, Object> sorted = new TreeMap<>();
    map.forEach(
        (key, element) -> {
          if (!(key instanceof String name)) {
            throw new IllegalArgumentException("no digest for a map with the key " + key);
          }
          sorted.put(name, element);
        });
    putTagged('k', sorted.size());
    sorted.forEach(
        (key, element) -> {
          putString(key);
          put(element);
        });
  }

  /**
   * Hashes a string as UTF-8 with three bytes for a lone surrogate, which the JDK does not support.
   */
  private void putString(String text) {
    putTagged('s', utf8Length(text));
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit < 0x80) {
        putByte(unit);
      } else if (unit < 0x800) {
        putByte(0xC0 | unit >> 6);
        putByte(0x80 | unit & 0x3F);
      } else if (isPair(text, i)) {
        int point = Character.toCodePoint(unit, text.charAt(++i));
        putByte(0xF0 | point >> 18);
        putByte(0x80 | point >> 12 & 0x3F);
        putByte(0x80 | point >> 6 & 0x3F);
        putByte(0x80 | point & 0x3F);
      } else {
        putByte(0xE0 | unit >> 12);
        putByte(0x80 | unit >> 6 & 0x3F);
        putByte(0x80 | unit & 0x3F);
      }
    }
  }

  private static long utf8Length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (isPair(text, i)) {
        length += 4;
        i++;
      } else {
        length += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
      }
    }
    return length;
  }

  private static boolean isPair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }

  private void putTagged(char tag, long value) {
    if (buffer.remaining() < 9) {
      flush();
    }
    buffer.put((byte) tag).putLong(value);
  }

  private void putByte(int value) {
    if (!buffer.hasRemaining()) {
      flush();
    }
    buffer.put((byte) value);
  }

  private void flush() {
    sha.update(buffer.flip());
    buffer.clear();
  }
}
