package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.util.List;

/**
 * The mapping of a class to a scalar type, a sequence or a tuple, whose plain values a pair of
 * steps converts. The steps check exact classes.
 */
final class Form extends Mapping {
  /** How the objects of a class become plain values, and plain values objects. */
  record Steps(Step unwrapping, Step wrapping) {
    /** For objects that are plain values themselves. */
    static final Steps NONE = new Steps(null, null);

    /**
     * The plain value of an object of the right class.
     *
     * @throws MisfitException if it would come back as another object
     */
    Object plain(Object value) throws MisfitException {
      try {
        return unwrapping.of(value);
      } catch (TypeMismatch e) {
        throw new MisfitException(
            "a row has an object of class "
                + value.getClass().getName()
                + " that would come back as another one");
      }
    }
  }

  private final int code;
  private final List<Mapping> parts;
  private final Steps steps;
  private final boolean isTracked;

  private Form(int code, List<Mapping> parts, Steps steps, boolean isTracked) {
    this.code = code;
    this.parts = parts;
    this.steps = steps;
    this.isTracked = isTracked;
  }

  /** {@code code}: the code of the scalar type in type lists. */
  static Form scalar(int code, Steps steps, boolean isTracked) {
    return new Form(code, List.of(), steps, isTracked);
  }

  /** A sequence; its plain values are arrays of elements. */
  static Form sequence(Mapping element, Steps steps, boolean isTracked) {
    return new Form(TypeCodes.TUPLE, List.of(element), steps, isTracked);
  }

  /** A tuple of fixed shape; its plain values are arrays of fields. */
  static Form tuple(List<Mapping> fields, Steps steps, boolean isTracked) {
    return new Form(TypeCodes.TUPLE_BEGIN, fields, steps, isTracked);
  }

  @Override
  public void describe(TypeList list) {
    list.add(code);
    parts.forEach(part -> part.describe(list));
    if (code == TypeCodes.TUPLE_BEGIN) {
      list.add(TypeCodes.TUPLE_END);
    }
  }

  @Override
  public void bind(Type type) {
    super.bind(type);
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).bind(type.parts.get(i));
    }
  }

  @Override
  public boolean isTracked() {
    return isTracked;
  }

  @Override
  public boolean unwraps() {
    return steps.unwrapping != null;
  }

  @Override
  public boolean wraps() {
    return steps.wrapping != null;
  }

  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    return unwraps() ? steps.unwrapping.of(value) : value;
  }

  @Override
  public Object wrap(Object plain) {
    try {
      return wraps() ? steps.wrapping.of(plain) : plain;
    } catch (TypeMismatch e) {
      throw new DecodeException("a value of a row is of no class that its shape names");
    }
  }

  @Override
  public Step unwrapping() {
    return steps.unwrapping;
  }

  @Override
  public Step wrapping() {
    return steps.wrapping;
  }
}
