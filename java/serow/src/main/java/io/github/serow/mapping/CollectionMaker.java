package io.github.serow.mapping;

import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.Mapping;
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

  /** What its collections have besides their elements. */
  private final KeptCollections.Settings settings;

  /** {@code name}: the name of the class, for errors. */
  CollectionMaker(String name, Empty empty) {
    this.name = name;
    this.empty = empty;
    settings = settings(empty);
  }

  private static KeptCollections.Settings settings(Empty empty) {
    try {
      return KeptCollections.Settings.of(empty.make());
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      // Decoding will say why none can be made.
      return KeptCollections.Settings.NONE;
    }
  }

  KeptCollections.Settings settings() {
    return settings;
  }

  /**
   * Makes the collection or map with the elements or entries of {@code plain}.
   *
   * @param mapping its site is the place of an error
   */
  Object make(Object plain, Mapping mapping) {
    try {
      Object made = empty.make();
      if (plain instanceof Map<?, ?> entries) {
        fill((Map<?, ?>) made, entries);
      } else {
        fill((Collection<?>) made, (Collection<?>) plain);
      }
      return made;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(mapping.site(), e);
    }
  }

  @SuppressWarnings("unchecked") // The collection is new, and its class takes any element.
  private void fill(Collection<?> made, Collection<?> elements) {
    ((Collection<Object>) made).addAll(elements);
    check(elements.size(), made.size(), "elements");
  }

  @SuppressWarnings("unchecked") // The map is new, and its class takes any key and value.
  private void fill(Map<?, ?> made, Map<?, ?> entries) {
    ((Map<Object, Object>) made).putAll(entries);
    check(entries.size(), made.size(), "keys");
  }

  /** Throws if the collection has not kept all: its order may find different elements equal. */
  private void check(int given, int kept, String what) {
    if (kept != given) {
      throw new IllegalArgumentException(
          "of " + given + " different " + what + ", " + name + " keeps only " + kept);
    }
  }
}
