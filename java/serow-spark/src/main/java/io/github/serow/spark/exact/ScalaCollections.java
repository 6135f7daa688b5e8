package io.github.serow.spark.exact;

import io.github.serow.internal.row.WrappedNode.Step;
import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.scala.ScalaLibrary;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.StepMapping.Steps;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collections of Scala's library that their companion objects make again of their elements. For
 * immutable ones the class depends on the number of elements; one that has another class, because
 * it has lost elements, has no layout.
 */
final class ScalaCollections {
  static final List<String> MUTABLE_SEQUENCES =
      List.of(
          "scala.collection.mutable.ArrayBuffer",
          "scala.collection.mutable.ListBuffer",
          "scala.collection.mutable.HashSet");

  private static final String IMMUTABLE = "scala.collection.immutable.";

  /** Each level of a vector has two to the power of this elements of the level below it. */
  private static final int LEVEL_BITS = 5;

  /**
   * The class of a collection with a number of elements.
   *
   * @param classes the classes for 0, 1, 2 and so on; the last one also for more
   * @param isVector whether they are for the levels that a vector of this size has
   */
  private record BySize(Class<?>[] classes, boolean isVector) {
    Class<?> of(int size) {
      return classes[Math.min(isVector ? level(size) : size, classes.length - 1)];
    }

    private static int level(int size) {
      int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, size - 1));
      return size == 0 ? 0 : Math.max(1, (bits + LEVEL_BITS - 1) / LEVEL_BITS);
    }

    Set<Class<?>> all() {
      return new HashSet<>(Arrays.asList(classes));
    }
  }

  private ScalaCollections() {}

  private static BySize bySize(Class<?> type, boolean isVector, String... names)
      throws ReflectiveOperationException {
    Class<?>[] classes = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      classes[i] = KnownClasses.find(type, IMMUTABLE + names[i]);
    }
    return new BySize(classes, isVector);
  }

  /** The name of the class of large sets or maps, which Scala 2.13 has changed. */
  private static String hashed(Class<?> type, String name, String before) {
    try {
      KnownClasses.find(type, IMMUTABLE + before);
      return before;
    } catch (ClassNotFoundException e) {
      return name;
    }
  }

  static ExactClass list(Class<?> type) throws ReflectiveOperationException {
    return elements(type, bySize(type, false, "Nil$", "$colon$colon"), false);
  }

  static ExactClass vector(Class<?> type) throws ReflectiveOperationException {
    try {
      KnownClasses.find(type, IMMUTABLE + "Vector0$");
    } catch (ClassNotFoundException e) {
      // Scala 2.12 has one class for all.
      return elements(type, bySize(type, false, "Vector"), false);
    }
    String[] names = {"Vector0$", "Vector1", "Vector2", "Vector3", "Vector4", "Vector5", "Vector6"};
    return elements(type, bySize(type, true, names), false);
  }

  static ExactClass set(Class<?> type) throws ReflectiveOperationException {
    String large = hashed(type, "HashSet", "HashSet$HashTrieSet");
    String[] names = {"Set$EmptySet$", "Set$Set1", "Set$Set2", "Set$Set3", "Set$Set4", large};
    return elements(type, bySize(type, false, names), false);
  }

  static ExactClass map(Class<?> type) throws ReflectiveOperationException {
    String large = hashed(type, "HashMap", "HashMap$HashTrieMap");
    String[] names = {"Map$EmptyMap$", "Map$Map1", "Map$Map2", "Map$Map3", "Map$Map4", large};
    return entries(type, bySize(type, false, names), false);
  }

  static ExactClass mutableSequence(Class<?> type) throws ReflectiveOperationException {
    return elements(type, new BySize(new Class<?>[] {type}, false), true);
  }

  static ExactClass mutableMap(Class<?> type) throws ReflectiveOperationException {
    return entries(type, new BySize(new Class<?>[] {type}, false), true);
  }

  private static Elements elements(Class<?> type, BySize classes, boolean isMutable)
      throws ReflectiveOperationException {
    Step made = ScalaSteps.making(new ScalaLibrary(type).collections(type.getName() + "$"));
    Steps steps = new Steps(all(type, classes), plain -> made.of(Arrays.asList((Object[]) plain)));
    return new Elements(type, classes.all(), isMutable, steps);
  }

  private static Entries entries(Class<?> type, BySize classes, boolean isMutable)
      throws ReflectiveOperationException {
    Step all = all(type, classes);
    Class<?> pair = KnownClasses.find(type, "scala.Tuple2");
    MethodHandle key = ScalaSteps.getter(pair, "_1");
    MethodHandle value = ScalaSteps.getter(pair, "_2");
    Step entries =
        ScalaSteps.reading(
            map -> {
              Object[] pairs = (Object[]) all.of(map);
              Object[] keys = new Object[pairs.length];
              Object[] values = new Object[pairs.length];
              for (int i = 0; i < pairs.length; i++) {
                keys[i] = (Object) key.invokeExact(pairs[i]);
                values[i] = (Object) value.invokeExact(pairs[i]);
              }
              return new Object[] {keys, values};
            });
    Step made = ScalaSteps.making(new ScalaLibrary(type).maps(type.getName() + "$"));
    return new Entries(type, classes.all(), isMutable, new Steps(entries, made));
  }

  /** The elements of a collection, or the pairs of a map. */
  private static Step all(Class<?> type, BySize classes) {
    MethodHandle size =
        ScalaClass.handle(type, "size").asType(MethodType.methodType(int.class, Object.class));
    MethodHandle copy =
        ScalaClass.handle(type, "copyToArray", Object.class, int.class, int.class)
            .asType(
                MethodType.methodType(
                    void.class, Object.class, Object.class, int.class, int.class));
    return ScalaSteps.reading(
        value -> {
          if (!type.isInstance(value)) {
            throw new TypeMismatch(value);
          }
          // Before it is copied, because it may be a large collection of another class.
          int count = (int) size.invokeExact(value);
          if (classes.of(count) != value.getClass()) {
            throw new TypeMismatch(value);
          }
          Object[] elements = new Object[count];
          copy.invokeExact(value, (Object) elements, 0, count);
          return elements;
        });
  }
}
