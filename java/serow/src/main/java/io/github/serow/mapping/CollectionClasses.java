package io.github.serow.mapping;

import io.github.serow.FrozenSet;
import io.github.serow.SchemaException;
import io.github.serow.types.TypeCodes;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Supplier;

/**
 * The collections and maps of Java and of the caller. A decoded list is an {@link ArrayList}, a set
 * a {@link LinkedHashSet} and a map a {@link LinkedHashMap}; for other classes a {@link
 * CollectionMaker} copies them.
 */
final class CollectionClasses {
  /** The types that decoded lists, sets and maps are instances of. */
  private static final Set<Class<?>> PLAIN =
      Set.of(
          List.class,
          Collection.class,
          ArrayList.class,
          Set.class,
          HashSet.class,
          LinkedHashSet.class,
          FrozenSet.class,
          Map.class,
          HashMap.class,
          LinkedHashMap.class);

  /** Interfaces of Java 21, which are above the classes of plain objects. */
  private static final Set<String> PLAIN_SINCE_21 =
      Set.of("java.util.SequencedCollection", "java.util.SequencedSet", "java.util.SequencedMap");

  /** Classes whose objects can't come back, and why. */
  private static final Map<Class<?>, String> LOSING =
      Map.of(
          IdentityHashMap.class,
          "which compares its keys by identity, and decoded keys are other objects; use HashMap",
          WeakHashMap.class,
          "which would lose decoded entries, because nothing else refers to their keys; use"
              + " HashMap",
          SynchronousQueue.class,
          "which holds no elements; use ArrayDeque");

  /** The class for the values of other interfaces. */
  private static final Map<Class<?>, CollectionMaker.Empty> OF_INTERFACES =
      Map.ofEntries(
          Map.entry(Queue.class, LinkedList::new),
          Map.entry(Deque.class, LinkedList::new),
          Map.entry(BlockingQueue.class, LinkedBlockingDeque::new),
          Map.entry(BlockingDeque.class, LinkedBlockingDeque::new),
          Map.entry(SortedSet.class, TreeSet::new),
          Map.entry(NavigableSet.class, TreeSet::new),
          Map.entry(SortedMap.class, TreeMap::new),
          Map.entry(NavigableMap.class, TreeMap::new),
          Map.entry(ConcurrentMap.class, ConcurrentHashMap::new),
          Map.entry(ConcurrentNavigableMap.class, ConcurrentSkipListMap::new));

  private CollectionClasses() {}

  static boolean isOne(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  /** The code in a type list. */
  static int code(Class<?> type) {
    if (Map.class.isAssignableFrom(type)) {
      return TypeCodes.MAP;
    }
    if (type == FrozenSet.class) {
      return TypeCodes.FROZENSET;
    }
    return Set.class.isAssignableFrom(type) ? TypeCodes.SET : TypeCodes.LIST;
  }

  /**
   * What makes objects of {@code type}; null if decoded lists, sets and maps are instances of it.
   *
   * @param place where it is, for errors
   * @param first gives the class of its elements or keys; only called for those of enums
   * @throws SchemaException if there is no way to make one
   */
  static CollectionMaker maker(
      Class<?> type, String place, MemberHandles handles, Supplier<Class<?>> first) {
    if (PLAIN.contains(type) || PLAIN_SINCE_21.contains(type.getName())) {
      return null;
    }
    if (LOSING.containsKey(type)) {
      throw refused(type, place, LOSING.get(type));
    }
    String name = type.getSimpleName();
    if (type == EnumSet.class) {
      Class<?> element = first.get();
      return new CollectionMaker(name, () -> noneOf(element));
    }
    if (type == EnumMap.class) {
      Class<?> key = first.get();
      return new CollectionMaker(name, () -> mapOf(key));
    }
    CollectionMaker.Empty ofInterface = OF_INTERFACES.get(type);
    if (ofInterface != null) {
      return new CollectionMaker(name, ofInterface);
    }
    checkFields(type, place);
    if (Modifier.isAbstract(type.getModifiers())) {
      throw refused(type, place, "which is abstract; use List, Set, Map or another class");
    }
    try {
      MethodHandle constructor = handles.of(type.getDeclaredConstructor());
      return new CollectionMaker(name, constructor::invoke);
    } catch (NoSuchMethodException e) {
      throw refused(
          type, place, "which has no constructor without arguments; use List, Set or Map");
    } catch (IllegalAccessException | RuntimeException e) {
      throw refused(type, place, "whose constructor can't be used (" + e + ")");
    }
  }

  /** Refuses a class of the caller's with fields of its own, whose values would be lost. */
  private static void checkFields(Class<?> type, String place) {
    String field = KeptCollections.addedField(type);
    if (field != null) {
      throw refused(
          type,
          place,
          "a collection whose field "
              + field
              + " would be lost; register a converter with Mappings.standard().withConverter, or"
              + " mark the field transient or with @Ignore");
    }
  }

  private static SchemaException refused(Class<?> type, String place, String why) {
    return Mapper.refused(place, "is of class " + type.getName() + ", " + why);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The mapper has checked that it is an enum.
  private static Object noneOf(Class<?> type) {
    return EnumSet.noneOf((Class) type);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The mapper has checked that it is an enum.
  private static Object mapOf(Class<?> type) {
    return new EnumMap((Class) type);
  }
}
