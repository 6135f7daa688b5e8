package io.github.serow.spark.exact;

import io.github.serow.mapping.KeptCollections;
import io.github.serow.wire.TypeMismatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The JDK's collections that are no more than their elements in their order of iteration. */
final class JavaCollections {
  private static final Map<Class<?>, Supplier<Object>> MAKERS =
      Map.of(
          ArrayList.class, ArrayList::new,
          LinkedList.class, LinkedList::new,
          ArrayDeque.class, ArrayDeque::new,
          HashSet.class, HashSet::new,
          LinkedHashSet.class, LinkedHashSet::new,
          HashMap.class, HashMap::new,
          LinkedHashMap.class, LinkedHashMap::new);

  /** In the order in which shapes name them. */
  static final Class<?>[] CLASSES = {
    ArrayList.class,
    HashMap.class,
    HashSet.class,
    LinkedHashMap.class,
    LinkedHashSet.class,
    LinkedList.class,
    ArrayDeque.class
  };

  private JavaCollections() {}

  static ExactClass of(Class<?> type) {
    Supplier<Object> maker = MAKERS.get(type);
    if (Map.class.isAssignableFrom(type)) {
      Form.Steps steps =
          new Form.Steps(
              Scalars.of(type, value -> entries((Map<?, ?>) value)),
              plain -> map(maker.get(), (Object[]) plain));
      return new Entries(type, Set.of(type), true, steps);
    }
    Form.Steps steps =
        new Form.Steps(
            Scalars.of(type, value -> ((Collection<?>) value).toArray()),
            plain -> collection(maker.get(), (Object[]) plain));
    return new Elements(type, Set.of(type), true, steps);
  }

  /**
   * The keys and the values. A map that changes meanwhile has no shape, nor has one whose order the
   * new one would not keep.
   */
  private static Object entries(Map<?, ?> map) throws TypeMismatch {
    if (map instanceof LinkedHashMap<?, ?> linked && KeptCollections.isOrderedByAccess(linked)) {
      throw TypeMismatch.MISMATCH;
    }
    Object[] keys = map.keySet().toArray();
    Object[] values = map.values().toArray();
    if (keys.length != values.length) {
      throw TypeMismatch.MISMATCH;
    }
    return new Object[] {keys, values};
  }

  @SuppressWarnings("unchecked") // The collection is new, and its class takes any element.
  private static Object collection(Object made, Object[] elements) {
    ((Collection<Object>) made).addAll(Arrays.asList(elements));
    return made;
  }

  @SuppressWarnings("unchecked") // The map is new, and its class takes any key and value.
  private static Object map(Object made, Object[] entries) {
    Object[] keys = (Object[]) entries[0];
    Object[] values = (Object[]) entries[1];
    for (int i = 0; i < keys.length; i++) {
      ((Map<Object, Object>) made).put(keys[i], values[i]);
    }
    return made;
  }
}
