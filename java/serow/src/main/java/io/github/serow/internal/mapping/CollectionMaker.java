package io.github.serow.internal.mapping;

import io.github.serow.FrozenSet;
import io.github.serow.SchemaException;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.KeptCollections;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Supplier;

/**
 * Makes collections or maps of one class from those that serow decodes: an {@link ArrayList}, a
 * {@link LinkedHashSet} or a {@link LinkedHashMap}.
 */
final class CollectionMaker {
  /** Makes an empty collection or map. */
  private interface Empty {
    Object make() throws Throwable;
  }

  /** The classes for the values of interfaces; the first that has the interface. */
  private static final List<Class<?>> OF_INTERFACES =
      List.of(
          LinkedList.class,
          LinkedBlockingDeque.class,
          TreeSet.class,
          TreeMap.class,
          ConcurrentHashMap.class,
          ConcurrentSkipListMap.class);

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

  private final String name;
  private final Empty empty;

  /** Shows what the class does besides holding elements. Nothing changes it. */
  private volatile Object sample;

  /** {@code name}: the name of the class, for errors. */
  private CollectionMaker(String name, Empty empty) {
    this.name = name;
    this.empty = empty;
  }

  static boolean isCollection(Class<?> type) {
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

  /** Whether decoded lists, sets and maps are instances of a class. */
  private static boolean isDecoded(Class<?> type) {
    return switch (code(type)) {
      case TypeCodes.MAP -> type.isAssignableFrom(LinkedHashMap.class);
      case TypeCodes.SET -> type.isAssignableFrom(LinkedHashSet.class);
      case TypeCodes.LIST -> type.isAssignableFrom(ArrayList.class);
      default -> true;
    };
  }

  /**
   * What makes objects of {@code type}; null if decoded lists, sets and maps are instances of it.
   *
   * @param place where it is, for errors
   * @param first gives the class of its elements or keys; only called for those of enums
   * @throws SchemaException if there is no way to make one
   */
  static CollectionMaker of(
      Class<?> type, String place, MemberHandles handles, Supplier<Class<?>> first) {
    if (isDecoded(type)) {
      return null;
    }
    if (LOSING.containsKey(type)) {
      throw refused(type, place, LOSING.get(type));
    }
    if (type == EnumSet.class || type == EnumMap.class) {
      Class<?> constants = first.get();
      return new CollectionMaker(
          type.getSimpleName(), () -> ofEnum(type == EnumSet.class, constants));
    }
    checkFields(type, place);
    Class<?> made = type;
    if (Modifier.isAbstract(type.getModifiers())) {
      made = OF_INTERFACES.stream().filter(type::isAssignableFrom).findFirst().orElse(null);
      if (made == null) {
        throw refused(type, place, "which is abstract; use List, Set, Map or another class");
      }
    }
    try {
      MethodHandle constructor = handles.of(made.getDeclaredConstructor());
      return new CollectionMaker(type.getSimpleName(), constructor::invoke);
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
          ("a collection whose field %s would be lost; register a converter with"
                  + " Mappings.standard().withConverter, or mark the field transient or with @Ignore")
              .formatted(field));
    }
  }

  private static SchemaException refused(Class<?> type, String place, String why) {
    return Mapper.refused(place, "is of class " + type.getName() + ", " + why);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The mapper checks that it is an enum.
  private static Object ofEnum(boolean isSet, Class<?> constants) {
    return isSet ? EnumSet.noneOf((Class) constants) : new EnumMap((Class) constants);
  }

  /** An empty collection or map; null if its constructor fails, as decoding will say. */
  Object sample() {
    if (sample == null) {
      try {
        sample = empty.make();
      } catch (Error e) {
        throw e;
      } catch (Throwable e) {
        return null;
      }
    }
    return sample;
  }

  /** Makes the collection or map with the elements or entries of {@code plain}. */
  @SuppressWarnings("unchecked") // The object is new, and its class takes any elements or entries.
  Object make(Object plain) {
    try {
      Object made = empty.make();
      if (plain instanceof Map<?, ?> entries) {
        Map<Object, Object> map = (Map<Object, Object>) made;
        map.putAll(entries);
        check(entries.size(), map.size(), "keys");
      } else {
        Collection<?> elements = (Collection<?>) plain;
        Collection<Object> collection = (Collection<Object>) made;
        collection.addAll(elements);
        check(elements.size(), collection.size(), "elements");
      }
      return made;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(e);
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
