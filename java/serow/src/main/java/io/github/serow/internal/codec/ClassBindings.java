package io.github.serow.internal.codec;

import io.github.serow.internal.mapping.Mapper;
import io.github.serow.internal.mapping.MapperOptions;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.schema.ClassCache;
import java.lang.ref.SoftReference;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bindings of the caller's classes, with the converters of one {@link
 * io.github.serow.Mappings}. All codecs of a type share its binding.
 */
public final class ClassBindings {
  private final MapperOptions options;
  private final ClassCache<OfType> byClass = new ClassCache<>(type -> new OfType());

  /** Begins without bindings. */
  public ClassBindings(MapperOptions options) {
    this.options = options;
  }

  /** The binding of objects of a type. */
  public Binding of(Type type) {
    OfType ofOwner = byClass.get(owner(type));
    return (type instanceof Class<?> ? ofOwner : ofOwner.generic(type)).get(type, options);
  }

  /**
   * The class that refers to the binding of a type, so that both can be unloaded together: a class
   * of the caller's inside the type, if it has one.
   */
  private static Class<?> owner(Type type) {
    if (type instanceof ParameterizedType generic) {
      for (Type argument : generic.getActualTypeArguments()) {
        Class<?> owner = owner(argument);
        if (owner.getClassLoader() != null) {
          return owner;
        }
      }
      return owner(generic.getRawType());
    }
    if (type instanceof GenericArrayType array) {
      return owner(array.getGenericComponentType());
    }
    if (type instanceof WildcardType wildcard) {
      return owner(wildcard.getUpperBounds()[0]);
    }
    return type instanceof Class<?> plain ? plain : Object.class;
  }

  /**
   * The binding of a type of the caller's. The class refers to it softly, so it is freed if memory
   * is short and no codec has it, and class and binding can be unloaded together.
   */
  private static final class OfType {
    /** Maximum number of generic types of a class. A type may equal no other, not even itself. */
    private static final int MOST = 256;

    private volatile SoftReference<Binding> binding = new SoftReference<>(null);

    /**
     * The generic types with this class. They are a reference of their own, because a type may have
     * classes of several loaders.
     */
    private volatile SoftReference<Map<Type, OfType>> generic = new SoftReference<>(null);

    OfType generic(Type type) {
      Map<Type, OfType> all = generic.get();
      OfType known = all == null ? null : all.get(type);
      if (known != null) {
        return known;
      }
      if (all == null || all.size() >= MOST) {
        all = new ConcurrentHashMap<>();
        generic = new SoftReference<>(all);
      }
      return all.computeIfAbsent(type, ignored -> new OfType());
    }

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
