package io.github.serow.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Cache of a value per class. It keeps neither the class's loader reachable nor serow's.
 *
 * <p>A {@link ClassValue} is unloaded with its class, but until then it keeps its value, and so
 * serow's classes, reachable. For a class such as {@code java.lang.String} it would keep serow's
 * class loader forever. Therefore a map is used for classes of the loaders above serow's own, which
 * serow keeps reachable anyway.
 *
 * @param <T> the cached value
 */
public final class ClassCache<T> {
  private static final ClassLoader OWN = ClassCache.class.getClassLoader();

  /** The loaders above serow's. The JDK's own loader is null. */
  private static final ClassLoader[] ABOVE = above();

  private final Function<Class<?>, T> compute;
  private final Map<Class<?>, T> ofClassesAbove = new ConcurrentHashMap<>();
  private final ClassValue<T> ofOthers =
      new ClassValue<>() {
        @Override
        protected T computeValue(Class<?> type) {
          return compute.apply(type);
        }
      };

  public ClassCache(Function<Class<?>, T> compute) {
    this.compute = compute;
  }

  private static ClassLoader[] above() {
    List<ClassLoader> loaders = new ArrayList<>();
    for (ClassLoader at = OWN; at != null; at = at.getParent()) {
      if (at != OWN) {
        loaders.add(at);
      }
    }
    loaders.add(null);
    return loaders.toArray(ClassLoader[]::new);
  }

  private static boolean isAbove(ClassLoader loader) {
    if (loader == OWN) {
      return false;
    }
    for (ClassLoader above : ABOVE) {
      if (loader == above) {
        return true;
      }
    }
    return false;
  }

  /** The cached value of {@code type}, computed if necessary. */
  public T get(Class<?> type) {
    if (!isAbove(type.getClassLoader())) {
      return ofOthers.get(type);
    }
    T known = ofClassesAbove.get(type);
    return known != null ? known : ofClassesAbove.computeIfAbsent(type, compute);
  }
}
