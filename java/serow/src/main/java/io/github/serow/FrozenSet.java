package io.github.serow;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A set that can't be changed: Python's {@code frozenset}. Any other {@link Set} is encoded as a
 * {@code set}, so one that is to arrive as a frozenset is wrapped in this class. It keeps the order
 * of its elements.
 *
 * @param <E> the class of its elements
 */
public final class FrozenSet<E> extends AbstractSet<E> {
  private final Set<E> elements;

  /** A set that has these elements itself, which must not change. */
  FrozenSet(LinkedHashSet<E> elements) {
    this.elements = Collections.unmodifiableSet(elements);
  }

  /**
   * The set of some elements.
   *
   * @param <E> the class of the elements
   * @param elements the elements; one that comes twice is in it once
   * @return the set
   */
  public static <E> FrozenSet<E> copyOf(Collection<? extends E> elements) {
    return new FrozenSet<>(new LinkedHashSet<>(elements));
  }

  @Override
  public Iterator<E> iterator() {
    return elements.iterator();
  }

  @Override
  public int size() {
    return elements.size();
  }

  @Override
  public boolean contains(Object element) {
    return elements.contains(element);
  }
}
