package io.github.serow.internal.schema;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;

/**
 * A set that may contain equal values, so that writers can refuse it. A hash table would silently
 * drop an element.
 */
public final class ArraySet extends AbstractSet<Object> {
  private final Object[] elements;

  public ArraySet(Object[] elements) {
    this.elements = elements;
  }

  @Override
  public Iterator<Object> iterator() {
    return Arrays.asList(elements).iterator();
  }

  @Override
  public int size() {
    return elements.length;
  }
}
