package io.github.serow;

/** A class of Scala's library: what it is in a schema is what a class of Java's is. */
final class MappedScala extends Mapped {
  /** Makes a value of Scala's. */
  interface Maker {
    /** The value of a plain one, in which all values are already those of their types. */
    Object make(Object plain) throws Throwable;
  }

  private final Class<?> type;
  private final Mapped plain;
  private final Maker maker;

  /**
   * A class.
   *
   * @param type the class, of which or of a class above it all values are
   * @param plain what it is in a schema
   */
  MappedScala(Class<?> type, Mapped plain, Maker maker) {
    this.type = type;
    this.plain = plain;
    this.maker = maker;
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

  /** One that is itself null is null, which only an option may be. */
  @Override
  Object unwrap(Object value) throws Misfit {
    if (value == null) {
      return null;
    }
    Object unwrapped = type.isInstance(value) ? ScalaClass.plain(value) : value;
    if (unwrapped == value) {
      throw Misfit.MISFIT;
    }
    return unwrapped;
  }

  @Override
  Object wrap(Object unwrapped) {
    try {
      return maker.make(unwrapped);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw MappedObject.failed(e);
    }
  }
}
