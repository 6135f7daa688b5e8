package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.TypeMismatch;

/** A class for which the caller has registered a {@link Converter}. */
public final class ConvertedMapping extends Mapping {
  private final Converter converter;
  private final Mapping plain;

  ConvertedMapping(Converter converter, Mapping plain) {
    this.converter = converter;
    this.plain = plain;
  }

  @Override
  public Type type() {
    return plain.type();
  }

  @Override
  public Node node(Place place) {
    // The JIT compiler treats captured values as constants, but not fields of this class.
    Converter of = converter;
    boolean isOptional = isOptional();
    return new WrappedNode(
        place,
        plain.node(place),
        of.type()::isInstance,
        value -> isOptional && value == null ? null : converted(of, value),
        value -> made(of, value));
  }

  @Override
  public boolean isFixed() {
    return plain.isFixed();
  }

  @Override
  public boolean isRow(Object value) {
    return converter.type().isInstance(value);
  }

  @Override
  Object ofDefault(String text) {
    return made(converter, plain.ofDefault(text));
  }

  private static Object converted(Converter converter, Object value) {
    if (!converter.type().isInstance(value)) {
      throw new TypeMismatch(value);
    }
    try {
      return converter.to().apply(value);
    } catch (RuntimeException e) {
      throw FieldReadException.ofConverter(converter.type(), e);
    }
  }

  private static Object made(Converter converter, Object value) {
    Object made;
    try {
      made = converter.from().apply(value);
    } catch (RuntimeException e) {
      throw new ConstructionException(e);
    }
    if (made == null) {
      String name = converter.type().getName();
      throw new ConstructionException(
          new NullPointerException("the converter for " + name + " returned null"));
    }
    return made;
  }
}
