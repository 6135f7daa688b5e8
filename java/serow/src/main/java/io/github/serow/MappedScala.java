package io.github.serow;

/** A class of Scala's library: what it is in a schema is what a class of Java's is. */
final class MappedScala extends Mapped {
  /** Makes a value of Scala's. */
  interface Maker {
    /** The value of a plain one, in which all values are already those of their types. */
    Object make(Object plain) throws Throwable;
  }

  private final Mapped plain;

  // What these capture is constant for the JIT compiler, where a field of this class is not.
  private final Step unwrapping;
  private final Step wrapping;

  /**
   * A class.
   *
   * @param type the class, of which or of a class below it all values are
   * @param plain what it is in a schema
   * @param reader takes a value apart
   */
  MappedScala(Class<?> type, Mapped plain, ScalaClass.Reader reader, Maker maker) {
    this.plain = plain;
    unwrapping = value -> unwrap(type, reader, value);
    wrapping = value -> wrap(maker, value);
  }

  @Override
  void describe(TypeList list) {
    plain.describe(list);
  }

  /** What is in it is bound by what it stands for. */
  @Override
  void bind(Type bound) {
    plain.bind(bound);
    super.bind(bound);
  }

  @Override
  boolean isFixed() {
    return plain.isFixed();
  }

  @Override
  boolean isOptional() {
    return plain.isOptional();
  }

  @Override
  boolean unwraps() {
    return true;
  }

  @Override
  boolean wraps() {
    return true;
  }

  @Override
  Object unwrap(Object value) throws Misfit {
    return unwrapping.of(value);
  }

  @Override
  Object wrap(Object unwrapped) {
    try {
      return wrapping.of(unwrapped);
    } catch (Misfit e) {
      throw MappedObject.failed(e);
    }
  }

  @Override
  Step unwrapping() {
    return unwrapping;
  }

  @Override
  Step wrapping() {
    return wrapping;
  }

  /** One that is itself null is null, which only an option may be. */
  private static Object unwrap(Class<?> type, ScalaClass.Reader reader, Object value)
      throws Misfit {
    if (value == null) {
      return null;
    }
    if (type.isInstance(value)) {
      Object unwrapped = ScalaClass.read(reader, value);
      if (unwrapped != value) {
        return unwrapped;
      }
    }
    throw Misfit.MISFIT;
  }

  /** An element of a set may throw what it likes when it is compared. */
  private static Object wrap(Maker maker, Object unwrapped) {
    try {
      return maker.make(unwrapped);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw MappedObject.failed(e);
    }
  }
}
