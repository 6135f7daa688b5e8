package io.github.serow.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What is computed of a class, once for each class. It keeps neither the class's loader reachable
 * nor serow's.
 *
 * <p>A {@link ClassValue} belongs to its class, so it goes with the class, but until then it keeps
 * what was computed, and serow's classes with it. So it would keep the class loader of serow for as
 * long as there is a {@code java.lang.String}. For classes of the loaders above serow's, which
 * serow keeps reachable anyhow, a map does.
 *
 * @param <T> what is computed
 */
public final class ClassCache<T> {
  private static final ClassLoader OWN = ClassCache.class.getClassLoader();

  /** The loaders above serow's. That of the JDK's own classes is null. */
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

  /** What was computed of {@code type}, or is now. */
  public T get(Class<?> type) {
    if (!isAbove(type.getClassLoader())) {
      return ofOthers.get(type);
    }
    T known = ofClassesAbove.get(type);
    return known != null ? known : ofClassesAbove.computeIfAbsent(type, compute);
  }
}
