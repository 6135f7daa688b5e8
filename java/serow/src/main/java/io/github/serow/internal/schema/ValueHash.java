package io.github.serow.internal.schema;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Hashes values with a number that is random in every process, so that nobody who chooses the bytes
 * of a message can make its values collide. Java's own hash codes are simple sums, and a hash table
 * of colliding keys takes time that grows with the square of their number, unless Java can order
 * the keys.
 *
 * <p>Equal values have equal hashes; arrays are compared by their elements.
 */
public final class ValueHash {
  private static final long SEED;
  private static final long FACTOR;

  static {
    SecureRandom random = new SecureRandom();
    SEED = random.nextLong();
    FACTOR = random.nextLong() | 1;
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ValueHash() {}

  /** The hash of a value, which may be null. */
  public static long of(Object value) {
    if (value instanceof Object[] fields) {
      long hash = mix(SEED, fields.length);
      for (Object field : fields) {
        hash = mix(hash, of(field));
      }
      return hash;
    }
    if (value instanceof byte[] bytes) {
      return ofBytes(bytes);
    }
    if (value instanceof String text) {
      return ofText(text);
    }
    if (value instanceof Set<?> elements) {
      long sum = mix(SEED, elements.size());
      for (Object element : elements) {
        sum += of(element);
      }
      return sum;
    }
    if (value instanceof List<?> elements) {
      return of(elements.toArray());
    }
    if (value instanceof Map<?, ?> map) {
      long sum = mix(SEED, map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        sum += mix(of(entry.getKey()), of(entry.getValue()));
      }
      return sum;
    }
    return ofScalar(value);
  }

  private static long ofScalar(Object value) {
    if (value instanceof Long number) {
      return mix(SEED, number);
    }
    if (value instanceof Double number) {
      return mix(SEED, Double.doubleToLongBits(number));
    }
    if (value instanceof BigInteger number) {
      return ofBytes(number.toByteArray());
    }
    if (value instanceof BigDecimal number) {
      return mix(ofBytes(number.unscaledValue().toByteArray()), number.scale());
    }
    if (value instanceof Temporal || value instanceof UUID) {
      // Equal ones have equal texts.
      return ofText(value.toString());
    }
    return mix(SEED, value == null ? 0 : value.hashCode());
  }

  private static long ofBytes(byte[] bytes) {
    long hash = mix(SEED, bytes.length);
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      hash = mix(hash, (long) LONGS.get(bytes, at));
    }
    for (; at < bytes.length; at++) {
      hash = mix(hash, bytes[at]);
    }
    return hash;
  }

  private static long ofText(String text) {
    long hash = mix(SEED, text.length());
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash, text.charAt(i));
    }
    return hash;
  }

  /** The hash of what {@code hash} is the hash of, and {@code more}. */
  public static long mix(long hash, long more) {
    long word = hash ^ more;
    return (word * FACTOR ^ Math.multiplyHigh(word, FACTOR)) + SEED;
  }
}
