package io.github.serow.spark.exact;

import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;

/**
 * An {@link ExactRows} for each class loader. It refers to them only softly, so a loader can be
 * unloaded when nobody uses its rows any more.
 */
public final class LoaderRows {
  private final Function<ClassLoader, RowClasses> classes;
  private final Map<ClassLoader, SoftReference<ExactRows>> rows = new WeakHashMap<>();

  /**
   * Begins without rows.
   *
   * @param classes the classes that a loader finds. The function must not refer to a loader
   */
  public LoaderRows(Function<ClassLoader, RowClasses> classes) {
    this.classes = classes;
  }

  /** The rows of the classes that {@code loader} finds. */
  public synchronized ExactRows of(ClassLoader loader) {
    SoftReference<ExactRows> reference = rows.get(loader);
    ExactRows known = reference == null ? null : reference.get();
    if (known == null) {
      known = new ExactRows(classes.apply(loader));
      rows.put(loader, new SoftReference<>(known));
    }
    return known;
  }
}
