package io.github.serow.internal.value;

import io.github.serow.internal.schema.ValueHash;
import java.util.Arrays;

/** A value as a key that equals the keys of equal values. Its hash can't be chosen. */
final class ValueKey {
  private final Object value;
  private final int hash;

  /** {@code value} is an array of bytes or keys, a set of keys, or compares itself by value. */
  ValueKey(Object value) {
    this.value = value;
    hash = (int) ValueHash.of(value);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ValueKey key) || hash != key.hash) {
      return false;
    }
    if (value instanceof byte[] bytes) {
      return key.value instanceof byte[] others && Arrays.equals(bytes, others);
    }
    if (value instanceof Object[] keys) {
      return key.value instanceof Object[] others && Arrays.equals(keys, others);
    }
    return value.equals(key.value);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
