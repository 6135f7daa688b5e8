package io.github.serow;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;

/**
 * A Java type with its type arguments, which a {@link Class} can't express. The braces make a
 * subclass, in which Java keeps the type arguments:
 *
 * <pre>{@code
 * Codec<List<Part>> orders = Codec.of(new TypeReference<List<Part>>() {});
 * Codec<Pair<String, Long>> pairs = Codec.of(new TypeReference<Pair<String, Long>>() {});
 * }</pre>
 *
 * @param <T> the type
 */
@NullMarked
public abstract class TypeReference<T> {
  private final Type type;

  /**
   * Creates a reference to the type argument of the subclass.
   *
   * @throws SchemaException if the subclass has no type argument, or is no direct subclass
   */
  protected TypeReference() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType reference)
        || reference.getRawType() != TypeReference.class) {
      throw new SchemaException(
          getClass().getName()
              + " names no type; write it with its type, for example new"
              + " TypeReference<List<Part>>() {}");
    }
    type = reference.getActualTypeArguments()[0];
  }

  private TypeReference(Type type) {
    this.type = type;
  }

  /** A reference to a type that is known at run time. */
  private static final class AtRunTime extends TypeReference<Object> {
    AtRunTime(Type type) {
      super(type);
    }
  }

  /**
   * Creates a reference to a type that is only known at run time, for example the return type of a
   * method, for methods that take no {@link Type}.
   *
   * <pre>{@code
   * Schema schema = Schema.of(TypeReference.of(method.getGenericReturnType()));
   * }</pre>
   *
   * @param type the type, with all its type arguments
   * @return the reference
   */
  public static TypeReference<Object> of(Type type) {
    Objects.requireNonNull(type, "type");
    return new AtRunTime(type);
  }

  /**
   * The type.
   *
   * @return the type, with its type arguments
   */
  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return "TypeReference<" + type.getTypeName() + ">";
  }
}
