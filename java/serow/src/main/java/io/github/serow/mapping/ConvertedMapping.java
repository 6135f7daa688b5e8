package io.github.serow.mapping;

import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Mapping;
import io.github.serow.wire.TypeMismatch;

/** A class that is written as another one; see {@link Converter}. */
public final class ConvertedMapping extends WrapperMapping {
  private final Converter converter;

  /** {@code plain}: the mapping of the type that is written. */
  ConvertedMapping(Converter converter, Mapping plain) {
    super(plain);
    this.converter = converter;
  }

  @Override
  public boolean takes(Object value) {
    return converter.type().isInstance(value);
  }

  @Override
  public Object ofDefault(String text) {
    return made(plain.ofDefault(text));
  }

  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    if (value == null && isOptional()) {
      return null;
    }
    if (!converter.type().isInstance(value)) {
      throw TypeMismatch.MISMATCH;
    }
    Object converted;
    try {
      converted = converter.to().apply(value);
    } catch (RuntimeException e) {
      throw FieldReadException.ofConverter(converter.type(), e);
    }
    return plain.unwrap(converted);
  }

  @Override
  public Object wrap(Object value) {
    try {
      return made(plain.wrap(value));
    } catch (ConstructionException e) {
      throw new ConstructionException(this, e.getCause());
    }
  }

  private Object made(Object value) {
    Object made;
    try {
      made = converter.from().apply(value);
    } catch (RuntimeException e) {
      throw new ConstructionException(this, e);
    }
    if (made == null) {
      String name = converter.type().getName();
      throw new ConstructionException(
          this, new NullPointerException("the converter for " + name + " returned null"));
    }
    return made;
  }
}
