package io.github.serow;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/**
 * An immutable set: Python's {@code frozenset}. Other {@link Set}s are encoded as {@code set}, so
 * wrap a set in this class to encode a frozenset. It preserves the order of its elements.
 *
 * @param <E> the class of the elements
 */
@NullMarked
public final class FrozenSet<E> extends AbstractSet<E> {
  private final Set<E> elements;

  /** Wraps {@code elements} without a copy; they must not change afterwards. */
  FrozenSet(LinkedHashSet<E> elements) {
    this.elements = Collections.unmodifiableSet(elements);
  }

  /**
   * Creates a set of elements.
   *
   * @param <E> the class of the elements
   * @param elements the elements; duplicates are dropped
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
