package io.github.serow.codec;

import io.github.serow.TypeReference;
import io.github.serow.mapping.Mapper;
import io.github.serow.mapping.MapperOptions;
import io.github.serow.mapping.Mapping;
import io.github.serow.schema.ClassCache;
import java.lang.ref.SoftReference;
import java.lang.reflect.Type;

/**
 * The bindings of the caller's classes, with the converters of one {@link
 * io.github.serow.Mappings}. All codecs of a class share its binding.
 */
public final class ClassBindings {
  private final MapperOptions options;
  private final ClassCache<OfClass> byClass = new ClassCache<>(type -> new OfClass());

  /** Begins without bindings. */
  public ClassBindings(MapperOptions options) {
    this.options = options;
  }

  /** The binding of objects of a class. */
  public Binding of(Class<?> type) {
    return byClass.get(type).get(type, options);
  }

  /**
   * The binding of objects of a generic type. It belongs to the class of the reference, which has
   * the type arguments. A reference that was made at run time has no class of its own, so nothing
   * keeps the binding of its type.
   */
  public Binding of(TypeReference<?> type) {
    if (type.type() instanceof Class<?> simple) {
      return of(simple);
    }
    if (type.getClass().getEnclosingClass() == TypeReference.class) {
      return new OfClass().get(type.type(), options);
    }
    return byClass.get(type.getClass()).get(type.type(), options);
  }

  /**
   * The binding of a class of the caller's. The class refers to it softly, so it is freed if memory
   * is short and no codec has it, and class and binding can be unloaded together.
   */
  private static final class OfClass {
    private volatile SoftReference<Binding> binding = new SoftReference<>(null);

    Binding get(Type type, MapperOptions options) {
      Binding known = binding.get();
      if (known != null) {
        return known;
      }
      // Without a lock, because it initializes classes of the caller's, which may wait for a thread
      // that needs the binding.
      Mapping mapping = Mapper.of(type, options);
      return settle(new Binding(mapping.schema(), mapping));
    }

    /** The binding of the thread that was first. */
    private synchronized Binding settle(Binding made) {
      Binding known = binding.get();
      if (known == null) {
        binding = new SoftReference<>(made);
        known = made;
      }
      return known;
    }
  }
}
