package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.scala.ScalaLibrary;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.TypeMismatch;

/** A class of Scala's library, which maps to the same type as a class of Java. */
public final class ScalaMapping extends Mapping {
  private final Class<?> type;
  private final Mapping plain;
  private final ScalaClass.Reader reader;
  private final ScalaLibrary.Maker maker;

  /**
   * Creates a mapping.
   *
   * @param type the class of all values, or a superclass
   * @param plain the mapping of the plain value
   * @param reader takes a value apart
   */
  public ScalaMapping(
      Class<?> type, Mapping plain, ScalaClass.Reader reader, ScalaLibrary.Maker maker) {
    this.type = type;
    this.plain = plain;
    this.reader = reader;
    this.maker = maker;
  }

  @Override
  public Type type() {
    return plain.type();
  }

  @Override
  public Node node(Place place) {
    // The JIT compiler treats captured values as constants, but not fields of this class.
    Class<?> type = this.type;
    ScalaClass.Reader reader = this.reader;
    ScalaLibrary.Maker maker = this.maker;
    return new WrappedNode(
        place,
        plain.node(place),
        type::isInstance,
        value -> plain(type, reader, value),
        value -> made(maker, value));
  }

  @Override
  public boolean isFixed() {
    return plain.isFixed();
  }

  @Override
  Object ofDefault(String text) {
    return made(maker, plain.ofDefault(text));
  }

  private static Object plain(Class<?> type, ScalaClass.Reader reader, Object value) {
    if (value == null) {
      return null;
    }
    if (type.isInstance(value)) {
      Object plain = ScalaClass.read(reader, value);
      if (plain != value) {
        return plain;
      }
    }
    throw new TypeMismatch(value);
  }

  private static Object made(ScalaLibrary.Maker maker, Object plain) {
    try {
      return maker.make(plain);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(e);
    }
  }
}
