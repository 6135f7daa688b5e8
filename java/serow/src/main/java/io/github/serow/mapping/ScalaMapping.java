package io.github.serow.mapping;

import io.github.serow.scala.ScalaClass;
import io.github.serow.scala.ScalaLibrary;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.wire.TypeMismatch;

/** A class of Scala's library: what it is in a schema is what a class of Java's is. */
public final class ScalaMapping extends Mapping {
  private final Mapping plain;

  // What these capture is constant for the JIT compiler, where a field of this class is not.
  private final Step unwrapping;
  private final Step wrapping;

  /**
   * A class.
   *
   * @param type the class of all values, or a class above theirs
   * @param plain what it is in a schema
   * @param reader takes a value apart
   */
  ScalaMapping(Class<?> type, Mapping plain, ScalaClass.Reader reader, ScalaLibrary.Maker maker) {
    this.plain = plain;
    unwrapping = value -> unwrap(type, reader, value);
    wrapping = value -> wrap(maker, value, this);
  }

  @Override
  public void describe(TypeList list) {
    plain.describe(list);
  }

  /** What is in it is bound by what it stands for. */
  @Override
  public void bind(Type bound) {
    plain.bind(bound);
    super.bind(bound);
  }

  @Override
  public boolean isFixed() {
    return plain.isFixed();
  }

  @Override
  public boolean isOptional() {
    return plain.isOptional();
  }

  @Override
  public boolean unwraps() {
    return true;
  }

  @Override
  public boolean wraps() {
    return true;
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

  /** One that is itself null is null, which only an option may be. */
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

  /** An element of a set may throw what it likes when it is compared. */
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
