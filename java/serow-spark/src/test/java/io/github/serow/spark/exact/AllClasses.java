package io.github.serow.spark.exact;

import java.lang.reflect.Constructor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Permits all classes that a loader finds, except some, and others of Scala's library than serow
 * knows. Classes in a list have numbers.
 */
final class AllClasses implements RowClasses {
  private final ClassLoader loader;
  private final List<Class<?>> numbered;
  private final Set<String> refused = new HashSet<>();

  /** The classes that were asked for by name, and those that were permitted. */
  final Set<String> asked = ConcurrentHashMap.newKeySet();

  boolean keepsSharing = true;

  AllClasses(ClassLoader loader, Class<?>... numbered) {
    this.loader = loader;
    this.numbered = List.of(numbered);
  }

  AllClasses without(String name) {
    refused.add(name);
    return this;
  }

  @Override
  public String refusal(Class<?> type, Way way) {
    asked.add(type.getName());
    boolean isLibrary = type.getName().startsWith("scala.");
    boolean isRefused = refused.contains(type.getName()) || way == Way.FIELDS && isLibrary;
    return isRefused ? "which is not permitted" : null;
  }

  /** Makes objects as deserialization does: without a constructor of their class. */
  @Override
  public Supplier<?> maker(Class<?> type) {
    try {
      Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
      Constructor<?> made =
          (Constructor<?>)
              factory
                  .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                  .invoke(
                      factory.getMethod("getReflectionFactory").invoke(null),
                      type,
                      Object.class.getDeclaredConstructor());
      return () -> {
        try {
          return made.newInstance();
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(e);
        }
      };
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int idOf(Class<?> type) {
    return numbered.indexOf(type);
  }

  @Override
  public Class<?> ofId(int id) {
    return id < numbered.size() ? numbered.get(id) : null;
  }

  @Override
  public Class<?> ofName(String name) throws ClassNotFoundException {
    return Class.forName(name, false, loader);
  }

  @Override
  public boolean keepsSharing() {
    return keepsSharing;
  }
}
