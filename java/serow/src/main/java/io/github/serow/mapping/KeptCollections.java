package io.github.serow.mapping;

import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Marks;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.PriorityBlockingQueue;

/**
 * What a collection or map has besides its elements or entries: fields that a class of the caller's
 * adds to one of Java's, and an order. A message has neither, so a value with them is refused.
 *
 * <p>The facts about a class are cached. Encoding asks for each collection, so the most common
 * answers come first: a class of Java's has no fields of the caller's, and most classes no order.
 */
public final class KeptCollections {
  /**
   * The facts about a class.
   *
   * @param ownField the name of a field that it adds to a class of Java's; null if there is none
   * @param isSorted whether a comparator may sort it
   * @param isQueueOfPriority whether it hands out its elements in another order than a list
   */
  private record Facts(String ownField, boolean isSorted, boolean isQueueOfPriority) {}

  private static final ClassValue<Facts> FACTS =
      new ClassValue<>() {
        @Override
        protected Facts computeValue(Class<?> type) {
          boolean isQueueOfPriority = isQueueOfPriority(type);
          boolean isSorted =
              isQueueOfPriority
                  || SortedSet.class.isAssignableFrom(type)
                  || SortedMap.class.isAssignableFrom(type);
          boolean extendsComplete = !Modifier.isAbstract(aboveCaller(type).getModifiers());
          return new Facts(extendsComplete ? ownField(type) : null, isSorted, isQueueOfPriority);
        }
      };

  private static final Class<?> MAP_OF = Map.of().getClass();
  private static final Class<?> MAP_OF_ONE = Map.of(0, 0).getClass();
  private static final Class<?> SET_OF = Set.of().getClass();
  private static final Class<?> SET_OF_ONE = Set.of(0).getClass();

  private KeptCollections() {}

  /** Whether a class of the caller's adds fields to those of a collection or map of Java's. */
  public static boolean addsFields(Object collection) {
    Class<?> type = collection.getClass();
    return type.getClassLoader() != null && FACTS.get(type).ownField != null;
  }

  /**
   * Refuses a collection or map whose class has fields besides those of the class of Java's that it
   * extends. A class that extends none of them, or an abstract one, keeps its elements in its
   * fields.
   */
  public static void checkFields(Object collection) {
    Class<?> type = collection.getClass();
    if (type.getClassLoader() != null) {
      checkFields(type, FACTS.get(type));
    }
  }

  private static void checkFields(Class<?> type, Facts facts) {
    if (facts.ownField != null) {
      throw FieldReadException.refused(
          "its class "
              + type.getTypeName()
              + " has the field "
              + facts.ownField
              + ", which would be lost; declare it as "
              + type.getSimpleName()
              + " and register a converter for this class with"
              + " Mappings.standard().withConverter, or encode a copy of one of Java's classes, or"
              + " mark the field transient or with @Ignore");
    }
  }

  /**
   * Refuses a map that a comparator sorts, because the new one does not get it.
   *
   * @param declared the type of the property or element
   */
  static void checkOrderOfMap(Object map, Class<?> declared) {
    Class<?> type = map == null ? HashMap.class : map.getClass();
    boolean isUnsorted =
        type == HashMap.class
            || type == LinkedHashMap.class
            || type == MAP_OF
            || type == MAP_OF_ONE;
    if (!isUnsorted) {
      checkOrder(map, FACTS.get(type), declared);
    }
  }

  /**
   * As {@link #checkOrderOfMap}, for a collection. Also refuses a queue with priorities for a type
   * whose decoded objects have none.
   */
  static void checkOrder(Object collection, Class<?> declared) {
    Class<?> type = collection == null ? HashSet.class : collection.getClass();
    boolean isUnsorted =
        type == HashSet.class
            || type == LinkedHashSet.class
            || type == SET_OF
            || type == SET_OF_ONE
            || type == ArrayList.class;
    if (!isUnsorted) {
      checkOrder(collection, FACTS.get(type), declared);
    }
  }

  private static void checkOrder(Object value, Facts facts, Class<?> declared) {
    if (!facts.isSorted) {
      return;
    }
    Comparator<?> comparator = comparator(value);
    if (comparator != null && !comparator.equals(Comparator.naturalOrder())) {
      throw FieldReadException.refused(
          "it is sorted by a comparator, which is not encoded; use the natural order, List or Map,"
              + " or register a converter");
    }
    if (facts.isQueueOfPriority && !isQueueOfPriority(declared)) {
      Class<?> type = value.getClass();
      throw FieldReadException.refused(
          "it is a "
              + type.getTypeName()
              + ", but a decoded "
              + declared.getSimpleName()
              + " does not hand out its elements in their natural order; declare it as "
              + type.getSimpleName()
              + ", or use another class");
    }
  }

  private static Comparator<?> comparator(Object value) {
    if (value instanceof SortedSet<?> set) {
      return set.comparator();
    }
    if (value instanceof SortedMap<?, ?> map) {
      return map.comparator();
    }
    return value instanceof PriorityQueue<?> queue
        ? queue.comparator()
        : ((PriorityBlockingQueue<?>) value).comparator();
  }

  private static boolean isQueueOfPriority(Class<?> type) {
    return PriorityQueue.class.isAssignableFrom(type)
        || PriorityBlockingQueue.class.isAssignableFrom(type);
  }

  /** The nearest class of Java's: the class itself, or one that it extends. */
  private static Class<?> aboveCaller(Class<?> type) {
    Class<?> above = type;
    while (above.getClassLoader() != null) {
      above = above.getSuperclass() == null ? Object.class : above.getSuperclass();
    }
    return isCollection(above) ? above : Collection.class;
  }

  private static boolean isCollection(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  /** The name of the first field that a class of the caller's declares; null if there is none. */
  static String ownField(Class<?> type) {
    for (Class<?> at = type; at != null && at.getClassLoader() != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        boolean isKept =
            Modifier.isStatic(modifiers)
                || Modifier.isTransient(modifiers)
                || field.isSynthetic()
                || Marks.of(field).isIgnored();
        if (!isKept) {
          return field.getName();
        }
      }
    }
    return null;
  }
}
