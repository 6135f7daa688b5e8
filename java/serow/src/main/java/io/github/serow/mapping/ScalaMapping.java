package io.github.serow.mapping;

import io.github.serow.scala.ScalaClass;
import io.github.serow.scala.ScalaLibrary;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.Mapping;
import io.github.serow.wire.TypeMismatch;

/** A class of Scala's library, which maps to the same type as a class of Java. */
public final class ScalaMapping extends WrapperMapping {

  // The JIT compiler treats captured values as constants, but not fields of this class.
  private final Step unwrapping;
  private final Step wrapping;

  /**
   * Creates a mapping.
   *
   * @param type the class of all values, or a superclass
   * @param plain the mapping of the plain value
   * @param reader takes a value apart
   */
  ScalaMapping(Class<?> type, Mapping plain, ScalaClass.Reader reader, ScalaLibrary.Maker maker) {
    super(plain);
    unwrapping = value -> unwrap(type, reader, value);
    wrapping = value -> wrap(maker, value, this);
  }

  @Override
  public Object ofDefault(String text) {
    return wrap(plain.ofDefault(text));
  }

  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    return unwrapping.of(value);
  }

  @Override
  public Object wrap(Object unwrapped) {
    try {
      return wrapping.of(unwrapped);
    } catch (TypeMismatch e) {
      throw new ConstructionException(this, e);
    }
  }

  @Override
  public Step unwrapping() {
    return unwrapping;
  }

  @Override
  public Step wrapping() {
    return wrapping;
  }

  /** Only an option accepts null in place of the object. */
  private static Object unwrap(Class<?> type, ScalaClass.Reader reader, Object value)
      throws TypeMismatch {
    if (value == null) {
      return null;
    }
    if (type.isInstance(value)) {
      Object unwrapped = ScalaClass.read(reader, value);
      if (unwrapped != value) {
        return unwrapped;
      }
    }
    throw TypeMismatch.MISMATCH;
  }

  /** Comparing elements of a set may throw any exception. */
  private static Object wrap(ScalaLibrary.Maker maker, Object unwrapped, Object site) {
    try {
      return maker.make(unwrapped);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(site, e);
    }
  }
}
