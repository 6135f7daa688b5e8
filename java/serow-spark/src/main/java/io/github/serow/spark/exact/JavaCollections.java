package io.github.serow.spark.exact;

import io.github.serow.internal.value.KeptCollections;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.StepMapping.Steps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The JDK's collections that are no more than their elements in their order of iteration. */
final class JavaCollections {
  static final List<ExactClass> ALL =
      List.of(
          elements(ArrayList.class, ArrayList::new),
          entries(HashMap.class, HashMap::new),
          elements(HashSet.class, HashSet::new),
          entries(LinkedHashMap.class, LinkedHashMap::new),
          elements(LinkedHashSet.class, LinkedHashSet::new),
          elements(LinkedList.class, LinkedList::new),
          elements(ArrayDeque.class, ArrayDeque::new));

  private JavaCollections() {}

  private static ExactClass elements(Class<?> type, Supplier<Collection<Object>> maker) {
    Steps steps =
        new Steps(
            ScalarClass.checked(type, value -> ((Collection<?>) value).toArray()),
            plain -> {
              Collection<Object> made = maker.get();
              made.addAll(Arrays.asList((Object[]) plain));
              return made;
            });
    return new Elements(type, Set.of(type), true, steps);
  }

  private static ExactClass entries(Class<?> type, Supplier<Map<Object, Object>> maker) {
    Steps steps =
        new Steps(
            ScalarClass.checked(type, value -> entries((Map<?, ?>) value)),
            plain -> {
              Object[] entries = (Object[]) plain;
              Object[] keys = (Object[]) entries[0];
              Object[] values = (Object[]) entries[1];
              Map<Object, Object> made = maker.get();
              for (int i = 0; i < keys.length; i++) {
                made.put(keys[i], values[i]);
              }
              return made;
            });
    return new Entries(type, Set.of(type), true, steps);
  }

  /**
   * The keys and the values. A map that changes meanwhile is refused, and so is one whose order the
   * new one would not keep.
   */
  private static Object entries(Map<?, ?> map) {
    if (map instanceof LinkedHashMap<?, ?> linked && KeptCollections.isOrderedByAccess(linked)) {
      throw new TypeMismatch(map);
    }
    Object[] keys = map.keySet().toArray();
    Object[] values = map.values().toArray();
    if (keys.length != values.length) {
      throw new TypeMismatch(map);
    }
    return new Object[] {keys, values};
  }
}
