package io.github.serow.mapping;

import io.github.serow.schema.ClassCache;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Marks;
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

/**
 * What a collection or map has besides its elements or entries: fields that a class of the caller's
 * adds to one of Java's, and settings. A message has neither. So a value is refused if it has such
 * fields, or other settings than the object has that decoding makes.
 *
 * <p>The facts about a class are cached. Encoding asks for each collection, so the most common
 * answers come first: a class of Java's has no fields of the caller's, and most classes no
 * settings.
 */
public final class KeptCollections {
  /**
   * The settings of a collection or map.
   *
   * @param comparator sorts it; null if nothing or the natural order does
   * @param isByPriority whether it hands out its elements in another order than a list
   * @param capacity the number of elements that it takes
   * @param isByAccess whether reading an entry changes the order of a map
   * @param eldest the class that removes the eldest entries of a map; null if none does
   * @param isByIdentity whether a map compares the identities of its keys
   */
  record Settings(
      Comparator<?> comparator,
      boolean isByPriority,
      long capacity,
      boolean isByAccess,
      Class<?> eldest,
      boolean isByIdentity) {
    static final Settings NONE = new Settings(null, false, Integer.MAX_VALUE, false, null, false);

    /** The settings of a collection or map that has no elements. */
    static Settings of(Object empty) {
      return of(empty, FACTS.get(empty.getClass()));
    }

    private static Settings of(Object value, Facts facts) {
      Comparator<?> comparator = facts.isSorted ? comparatorOf(value) : null;
      return new Settings(
          Comparator.naturalOrder().equals(comparator) ? null : comparator,
          facts.isByPriority,
          value instanceof BlockingQueue<?> queue ? capacity(queue) : Integer.MAX_VALUE,
          value instanceof LinkedHashMap<?, ?> map && isOrderedByAccess(map),
          facts.eldest,
          value instanceof IdentityHashMap);
    }

    private static long capacity(BlockingQueue<?> queue) {
      return Math.min((long) queue.remainingCapacity() + queue.size(), Integer.MAX_VALUE);
    }

    /** What {@code given} has and these settings have not; null if there is nothing. */
    private String lost(Settings given, Object value, Class<?> declared) {
      if (!Objects.equals(given.comparator, comparator)) {
        return "it is sorted by a comparator, which is not encoded; use the natural order, List or"
            + " Map";
      }
      if (given.isByPriority && !isByPriority) {
        return "it is a "
            + value.getClass().getTypeName()
            + ", but a decoded "
            + declared.getSimpleName()
            + " does not hand out its elements in their natural order; declare it as "
            + value.getClass().getSimpleName();
      }
      if (given.capacity != capacity) {
        return "it has a capacity of "
            + given.capacity
            + " elements, which is not encoded; use a queue without a limit, or List";
      }
      if (given.isByAccess && !isByAccess) {
        return "it is ordered by access, which is not encoded; use a LinkedHashMap that is ordered"
            + " by insertion";
      }
      if (given.eldest != eldest) {
        return "its class "
            + value.getClass().getTypeName()
            + " removes the eldest entries, and a decoded "
            + declared.getSimpleName()
            + " would not; declare it as this class";
      }
      return given.isByIdentity
          ? "it compares its keys by identity, and decoded keys are other objects; use HashMap"
          : null;
    }
  }

  /**
   * The facts about a class.
   *
   * @param ownField the name of a field that it adds to a class of Java's; null if there is none
   * @param isSorted whether a comparator may sort it
   * @param isByPriority as {@link Settings#isByPriority}
   * @param eldest as {@link Settings#eldest}
   * @param hasSettings whether its objects may have settings
   */
  private record Facts(
      String ownField,
      boolean isSorted,
      boolean isByPriority,
      Class<?> eldest,
      boolean hasSettings) {
    static Facts of(Class<?> type) {
      boolean isByPriority = isQueueOfPriority(type);
      boolean isSorted =
          isByPriority
              || SortedSet.class.isAssignableFrom(type)
              || SortedMap.class.isAssignableFrom(type);
      boolean extendsComplete = !Modifier.isAbstract(aboveCaller(type).getModifiers());
      boolean hasSettings =
          isSorted
              || BlockingQueue.class.isAssignableFrom(type)
              || LinkedHashMap.class.isAssignableFrom(type)
              || IdentityHashMap.class.isAssignableFrom(type);
      return new Facts(
          extendsComplete ? addedField(type) : null,
          isSorted,
          isByPriority,
          removesEldest(type),
          hasSettings);
    }
  }

  private static final ClassCache<Facts> FACTS = new ClassCache<>(Facts::of);

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
   * Refuses a collection or map with settings that the decoded one does not get.
   *
   * @param declared the type of the property or element
   * @param maker makes the decoded one; null if that has no settings
   */
  static void checkSettings(Object value, Class<?> declared, CollectionMaker maker) {
    Class<?> type = value == null ? HashMap.class : value.getClass();
    boolean hasNone =
        type == HashMap.class
            || type == MAP_OF
            || type == MAP_OF_ONE
            || type == ArrayList.class
            || type == HashSet.class
            || type == LinkedHashSet.class
            || type == SET_OF
            || type == SET_OF_ONE;
    if (hasNone || type == LinkedHashMap.class && !isOrderedByAccess((LinkedHashMap<?, ?>) value)) {
      return;
    }
    Facts facts = FACTS.get(type);
    checkFields(type, facts);
    if (!facts.hasSettings) {
      return;
    }
    Settings made = maker == null ? Settings.NONE : maker.settings();
    String lost = made.lost(Settings.of(value, facts), value, declared);
    if (lost != null) {
      throw FieldReadException.refused(lost + ", or register a converter");
    }
  }

  private static Comparator<?> comparatorOf(Object value) {
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

  /** The class of the caller's that overrides the method of a map; null if there is none. */
  private static Class<?> removesEldest(Class<?> type) {
    for (Class<?> at = type;
        LinkedHashMap.class.isAssignableFrom(at) && at != LinkedHashMap.class;
        at = at.getSuperclass()) {
      try {
        at.getDeclaredMethod("removeEldestEntry", Map.Entry.class);
        return at;
      } catch (NoSuchMethodException e) {
        // A superclass may have it.
      }
    }
    return null;
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
    return isCollection(above) ? above : Collection.class;
  }

  private static boolean isCollection(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  /** The name of the first field that a class of the caller's declares; null if there is none. */
  static String addedField(Class<?> type) {
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
