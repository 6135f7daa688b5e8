package io.github.serow.wire;

import java.util.Arrays;

/**
 * A set of objects, each of which is equal only to itself. It is for few objects and is cleared
 * often.
 */
final class ObjectSet {
  private static final int FIRST = 16;

  /** Maximum number of places to keep. */
  private static final int KEPT = 1 << 10;

  /** A power of two; at least half of the places are null. */
  private Object[] places = new Object[FIRST];

  private int size;

  /** Returns false if the set has the object already. */
  boolean add(Object value) {
    int mask = places.length - 1;
    int at = System.identityHashCode(value) & mask;
    for (Object there; (there = places[at]) != null; at = at + 1 & mask) {
      if (there == value) {
        return false;
      }
    }
    places[at] = value;
    size++;
    if (size > places.length / 2) {
      grow();
    }
    return true;
  }

  private void grow() {
    Object[] old = places;
    places = new Object[2 * old.length];
    size = 0;
    for (Object value : old) {
      if (value != null) {
        add(value);
      }
    }
  }

  void clear() {
    if (size == 0) {
      return;
    }
    size = 0;
    if (places.length > KEPT) {
      places = new Object[FIRST];
    } else {
      Arrays.fill(places, null);
    }
  }
}
