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
final class StepMapping extends Mapping {
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
  private final List<? extends Mapping> parts;
  private final Steps steps;

  private StepMapping(int code, List<? extends Mapping> parts, Steps steps) {
    this.code = code;
    this.parts = parts;
    this.steps = steps;
  }

  /** {@code code}: the code of the scalar type in type lists. */
  static StepMapping scalar(int code, Steps steps) {
    return new StepMapping(code, List.of(), steps);
  }

  /** A scalar type whose plain values are the objects. */
  static StepMapping scalar(int code) {
    return scalar(code, Steps.NONE);
  }

  /** A sequence; its plain values are arrays of elements. */
  static StepMapping sequence(Mapping element, Steps steps) {
    return new StepMapping(TypeCodes.TUPLE, List.of(element), steps);
  }

  /** A tuple of fixed shape; its plain values are arrays of fields. */
  static StepMapping tuple(List<? extends Mapping> fields, Steps steps) {
    return new StepMapping(TypeCodes.TUPLE_BEGIN, fields, steps);
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
      throw new DecodeException("a value of a row is of no class that its layout names");
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
