package io.github.serow.internal.mapping;

import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.wire.TypeMismatch;
import java.lang.reflect.Type;
import java.util.function.Function;

/**
 * A class that is written as another, by functions of the caller's.
 *
 * @param type the class
 * @param plain the type that is written
 * @param to converts for writing
 * @param from converts what was read
 */
public record Converter(
    Class<?> type, Type plain, Function<Object, Object> to, Function<Object, Object> from) {

  /** A converter; the functions' types are those of the classes. */
  public static <T, P> Converter of(
      Class<T> type,
      Type plain,
      Function<? super T, ? extends P> to,
      Function<? super P, ? extends T> from) {
    // Sound: only values of the class are given to `to`, and only values of `plain` to `from`.
    @SuppressWarnings("unchecked")
    Function<Object, Object> forward = (Function<Object, Object>) (Function<?, ?>) to;
    @SuppressWarnings("unchecked")
    Function<Object, Object> backward = (Function<Object, Object>) (Function<?, ?>) from;
    return new Converter(type, plain, forward, backward);
  }

  /** The plain value of an object. */
  Object plain(Object value) {
    if (!type.isInstance(value)) {
      throw new TypeMismatch(value);
    }
    try {
      return to.apply(value);
    } catch (RuntimeException e) {
      throw FieldReadException.ofConverter(type, e);
    }
  }

  /** The object of a plain value. */
  Object object(Object value) {
    Object made;
    try {
      made = from.apply(value);
    } catch (RuntimeException e) {
      throw new ConstructionException(e);
    }
    if (made == null) {
      throw new ConstructionException(
          new NullPointerException("the converter for " + type.getName() + " returned null"));
    }
    return made;
  }
}
