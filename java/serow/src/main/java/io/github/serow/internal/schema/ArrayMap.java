package io.github.serow.internal.schema;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/** A map that may have equal keys; see {@link ArraySet}. */
public final class ArrayMap extends AbstractMap<Object, Object> {
  private final Object[] pairs;

  /** {@code entries}: each key precedes its value. */
  public ArrayMap(Object[] entries) {
    pairs = new Object[entries.length / 2];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = new SimpleImmutableEntry<>(entries[2 * i], entries[2 * i + 1]);
    }
  }

  /** Sound: an {@link ArraySet} is never written to, and contains only entries here. */
  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public Set<Map.Entry<Object, Object>> entrySet() {
    return (Set) new ArraySet(pairs);
  }
}
