package io.github.serow.mapping;

import io.github.serow.schema.ConstructionException;
import java.util.Collection;
import java.util.Map;

/** Makes collections or maps of one class from those that serow decodes. */
final class CollectionMaker {
  /** Makes an empty collection or map. */
  interface Empty {
    Object make() throws Throwable;
  }

  private final String name;
  private final Empty empty;

  /** {@code name}: the name of the class, for errors. */
  CollectionMaker(String name, Empty empty) {
    this.name = name;
    this.empty = empty;
  }

  /** {@code mapping}: its site is the place of an error. */
  Object make(Collection<?> elements, ElementsMapping mapping) {
    try {
      @SuppressWarnings("unchecked") // The collection is new and its class takes any element.
      Collection<Object> made = (Collection<Object>) empty.make();
      made.addAll(elements);
      check(elements.size(), made.size(), "elements");
      return made;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(mapping.site(), e);
    }
  }

  /** {@code mapping}: its site is the place of an error. */
  Object make(Map<?, ?> entries, MapMapping mapping) {
    try {
      @SuppressWarnings("unchecked") // The map is new and its class takes any key and value.
      Map<Object, Object> made = (Map<Object, Object>) empty.make();
      made.putAll(entries);
      check(entries.size(), made.size(), "keys");
      return made;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(mapping.site(), e);
    }
  }

  /** Throws if the collection has not kept all: its order may find different elements equal. */
  private void check(int given, int kept, String what) {
    if (kept != given) {
      throw new IllegalArgumentException(
          "of " + given + " different " + what + ", " + name + " keeps only " + kept);
    }
  }
}
