package io.github.serow.internal.scala;

import java.util.HashMap;
import java.util.Map;

/** The classes of Scala's library that a class is or extends, by name. */
public final class ScalaSupertypes {
  private final Map<String, Class<?>> classes = new HashMap<>();

  private ScalaSupertypes() {}

  static ScalaSupertypes of(Class<?> type) {
    ScalaSupertypes all = new ScalaSupertypes();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      all.add(at);
    }
    return all;
  }

  private void add(Class<?> type) {
    if (type.getName().startsWith("scala.") && classes.putIfAbsent(type.getName(), type) != null) {
      return;
    }
    for (Class<?> above : type.getInterfaces()) {
      add(above);
    }
  }

  boolean has(String name) {
    return classes.containsKey(name);
  }

  Class<?> get(String name) {
    return classes.get(name);
  }

  boolean isCollection() {
    return has("scala.collection.Iterable");
  }

  /** Whether it is a tuple of any length. Tuples of numbers are subclasses. */
  boolean isTuple() {
    return classes.keySet().stream().anyMatch(ScalaSupertypes::isTuple);
  }

  public static boolean isTuple(String name) {
    return name.matches("scala\\.Tuple[0-9]+|scala\\.runtime\\.TupleXXL");
  }
}
