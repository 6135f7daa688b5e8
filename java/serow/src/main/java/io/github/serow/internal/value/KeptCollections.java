package io.github.serow.internal.value;

import io.github.serow.internal.schema.ClassCache;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.schema.PropertyAnnotations;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Supplier;

/**
 * What a collection or map has besides its elements or entries: fields that a class of the caller's
 * adds to one of Java's, and settings, such as a comparator. A message has neither. So a value is
 * refused if it has such fields, or other settings than the object has that decoding makes.
 */
public final class KeptCollections {
  /** The first field that a class adds to a complete class of Java's; empty if there is none. */
  private static final ClassCache<String> OWN_FIELDS =
      new ClassCache<>(
          type -> {
            boolean isComplete = !Modifier.isAbstract(aboveCaller(type).getModifiers());
            String field = isComplete ? addedField(type) : null;
            return field == null ? "" : field;
          });

  /** The most common classes. They have no settings. */
  private static final Set<Class<?>> PLAIN =
      Set.copyOf(
          List.of(
              ArrayList.class,
              HashMap.class,
              HashSet.class,
              LinkedHashSet.class,
              List.of().getClass(),
              List.of(0).getClass(),
              Map.of().getClass(),
              Map.of(0, 0).getClass(),
              Set.of(0).getClass(),
              Set.of(0, 1, 2).getClass()));

  private KeptCollections() {}

  /** Whether a class of the caller's adds fields to those of a collection or map of Java's. */
  public static boolean addsFields(Object collection) {
    Class<?> type = collection.getClass();
    return type.getClassLoader() != null && !OWN_FIELDS.get(type).isEmpty();
  }

  /**
   * Refuses a collection or map whose class has fields besides those of the class of Java's that it
   * extends. A class that extends none of them, or an abstract one, keeps its elements in its
   * fields.
   */
  public static void checkFields(Object collection) {
    Class<?> type = collection.getClass();
    if (addsFields(collection)) {
      throw FieldReadException.refused(
          ("its class %s has the field %s, which would be lost; declare it as %s and"
                  + " register a converter for this class with Mappings.standard().withConverter,"
                  + " or encode a copy of one of Java's classes, or mark the field transient or"
                  + " with @Ignore")
              .formatted(type.getTypeName(), OWN_FIELDS.get(type), type.getSimpleName()));
    }
  }

  /**
   * Refuses a collection or map with settings that the decoded one does not get.
   *
   * @param declared the type of the property or element
   * @param empty makes an empty one as decoding does; null if that has no settings
   */
  public static void checkSettings(Object value, Class<?> declared, Supplier<Object> empty) {
    // Encoding asks for each collection, so the most common classes come first.
    Class<?> type = value == null ? HashMap.class : value.getClass();
    if (PLAIN.contains(type) || type == LinkedHashMap.class && !isByAccess(value)) {
      return;
    }
    checkFields(value);
    String lost = lost(value, empty == null ? null : empty.get(), declared);
    if (lost != null) {
      throw FieldReadException.refused(lost + ", or register a converter");
    }
  }

  /**
   * What a value has and a decoded object has not; null if there is nothing.
   *
   * @param made an empty object as decoding makes it; null if that has no settings
   */
  private static String lost(Object value, Object made, Class<?> declared) {
    Class<?> type = value.getClass();
    if (!Objects.equals(comparator(value), comparator(made))) {
      return "it is sorted by a comparator, which is not encoded; use the natural order, List or"
          + " Map";
    }
    if (isQueueOfPriority(type) && (made == null || !isQueueOfPriority(made.getClass()))) {
      return ("it is a %s, but a decoded %s does not hand out its elements in their natural"
              + " order; declare it as %s")
          .formatted(type.getTypeName(), declared.getSimpleName(), type.getSimpleName());
    }
    if (capacity(value) != capacity(made)) {
      return "it has a capacity of "
          + capacity(value)
          + " elements, which is not encoded; use a queue without a limit, or List";
    }
    if (isByAccess(value) && !isByAccess(made)) {
      return "it is ordered by access, which is not encoded; use a LinkedHashMap that is ordered"
          + " by insertion";
    }
    // It may, for example, remove the eldest entries.
    if (value instanceof LinkedHashMap && type != LinkedHashMap.class && type != declared) {
      return ("its class %s may change what LinkedHashMap does, and a decoded %s would not be of"
              + " this class; declare it as this class, or encode a copy")
          .formatted(type.getTypeName(), declared.getSimpleName());
    }
    return value instanceof IdentityHashMap
        ? "it compares its keys by identity, and decoded keys are other objects; use HashMap"
        : null;
  }

  /** Null if nothing or the natural order sorts the value. */
  private static Comparator<?> comparator(Object value) {
    Comparator<?> comparator = null;
    if (value instanceof SortedSet<?> set) {
      comparator = set.comparator();
    } else if (value instanceof SortedMap<?, ?> map) {
      comparator = map.comparator();
    } else if (value instanceof PriorityQueue<?> queue) {
      comparator = queue.comparator();
    } else if (value instanceof PriorityBlockingQueue<?> queue) {
      comparator = queue.comparator();
    }
    return Comparator.naturalOrder().equals(comparator) ? null : comparator;
  }

  private static long capacity(Object value) {
    return value instanceof BlockingQueue<?> queue
        ? Math.min((long) queue.remainingCapacity() + queue.size(), Integer.MAX_VALUE)
        : Integer.MAX_VALUE;
  }

  private static boolean isByAccess(Object value) {
    return value instanceof LinkedHashMap<?, ?> map && isOrderedByAccess(map);
  }

  /**
   * Whether reading an entry makes it the last one. Java has no method that tells, so this reads
   * the first entry. If the order changes, reading all others in their order restores it.
   */
  public static boolean isOrderedByAccess(LinkedHashMap<?, ?> map) {
    if (map.size() < 2) {
      return isOrderedByAccess(map.clone());
    }
    Iterator<?> keys = map.keySet().iterator();
    Object first = keys.next();
    map.get(first);
    try {
      keys.next();
      return false;
    } catch (ConcurrentModificationException e) {
      List<?> others = new ArrayList<>(map.keySet()).subList(0, map.size() - 1);
      others.forEach(map::get);
      return true;
    }
  }

  /** {@code copy}: a copy of a map that is too small to tell. */
  @SuppressWarnings("unchecked") // The map takes any key, and nobody else has it.
  private static boolean isOrderedByAccess(Object copy) {
    Map<Object, Object> larger = (Map<Object, Object>) copy;
    larger.clear();
    larger.put(0, 0);
    larger.put(1, 1);
    larger.get(0);
    return larger.size() == 2 && larger.keySet().iterator().next().equals(1);
  }

  /** Whether a class hands out its elements in another order than a list. */
  public static boolean isQueueOfPriority(Class<?> type) {
    return PriorityQueue.class.isAssignableFrom(type)
        || PriorityBlockingQueue.class.isAssignableFrom(type);
  }

  /** The nearest class of Java's: the class itself, or one that it extends. */
  private static Class<?> aboveCaller(Class<?> type) {
    Class<?> above = type;
    while (above.getClassLoader() != null) {
      above = above.getSuperclass() == null ? Object.class : above.getSuperclass();
    }
    boolean isCollection =
        Collection.class.isAssignableFrom(above) || Map.class.isAssignableFrom(above);
    return isCollection ? above : Collection.class;
  }

  /** The name of the first field that a class of the caller's declares; null if there is none. */
  public static String addedField(Class<?> type) {
    for (Class<?> at = type; at != null && at.getClassLoader() != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        boolean isKept =
            Modifier.isStatic(modifiers)
                || Modifier.isTransient(modifiers)
                || field.isSynthetic()
                || PropertyAnnotations.of(field).isIgnored();
        if (!isKept) {
          return field.getName();
        }
      }
    }
    return null;
  }
}
