package io.github.serow.spark.exact;

import java.util.Set;

/** A class of collections or maps, or several that differ by the number of their elements. */
abstract class CollectionClass extends ExactClass {
  final StepMapping.Steps steps;
  private final Set<Class<?>> classes;

  /**
   * Creates a class.
   *
   * @param type the class that layouts name
   * @param classes the classes of objects
   * @param steps make a plain value and a collection again; the first one throws for an object that
   *     would come back as one of another class
   */
  CollectionClass(
      Class<?> type, Set<Class<?>> classes, int parts, boolean isMutable, StepMapping.Steps steps) {
    super(type, parts, isMutable);
    this.classes = classes;
    this.steps = steps;
  }

  @Override
  boolean takes(Object value) {
    return value != null && classes.contains(value.getClass());
  }

  @Override
  boolean isAt(Class<?> declared) {
    return classes.stream().anyMatch(declared::isAssignableFrom);
  }

  @Override
  boolean hasSubclasses() {
    return !classes.equals(Set.of(type));
  }

  @Override
  boolean hasManyParts() {
    return true;
  }
}
