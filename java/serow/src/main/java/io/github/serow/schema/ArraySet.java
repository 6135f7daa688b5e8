package io.github.serow.schema;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The elements of a set, of which nobody has seen yet that they differ as values. Writers see to
 * that; a hash table would drop one that comes twice, and nobody would know.
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
