package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.row.FieldsNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.SequenceNode;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.row.WrappedNode.Step;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.List;

/**
 * The mapping of a class to a scalar type, a sequence or a tuple, whose plain values a pair of
 * steps converts. The steps check exact classes.
 */
final class StepMapping extends Mapping {
  /**
   * How the objects of a class become plain values, and plain values objects. A step is null if
   * they are the same.
   */
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

  private final Type type;
  private final List<? extends Mapping> parts;
  private final Steps steps;

  private StepMapping(Type type, List<? extends Mapping> parts, Steps steps) {
    this.type = type;
    this.parts = parts;
    this.steps = steps;
  }

  /** {@code code}: the code of the scalar type in type lists. */
  static StepMapping scalar(int code, Steps steps) {
    return new StepMapping(Type.plain(code), List.of(), steps);
  }

  /** A scalar type whose plain values are the objects. */
  static StepMapping scalar(int code) {
    return scalar(code, Steps.NONE);
  }

  /** A sequence; its plain values are arrays of elements. */
  static StepMapping sequence(Mapping element, Steps steps) {
    return of(TypeCodes.TUPLE, List.of(element), steps);
  }

  /** A tuple of fixed shape; its plain values are arrays of fields. */
  static StepMapping tuple(List<? extends Mapping> fields, Steps steps) {
    return of(TypeCodes.TUPLE_BEGIN, fields, steps);
  }

  private static StepMapping of(int code, List<? extends Mapping> parts, Steps steps) {
    Type type = Type.of(code, parts.stream().<Type>map(Mapping::type).toList());
    return new StepMapping(type, parts, steps);
  }

  @Override
  public Type type() {
    return type;
  }

  @Override
  public Node node(Place place) {
    Node plain = plain(place);
    return steps == Steps.NONE
        ? plain
        : new WrappedNode(
            place,
            plain,
            plain::takes,
            steps.unwrapping,
            steps.wrapping == null ? null : this::object);
  }

  private Node plain(Place place) {
    return switch (type.code()) {
      case TypeCodes.TUPLE -> new SequenceNode(place, (part, i) -> parts.get(i).node(part));
      case TypeCodes.TUPLE_BEGIN -> new FieldsNode(place, (part, i) -> parts.get(i).node(part));
      default -> Nodes.plain(place);
    };
  }

  private Object object(Object plain) {
    try {
      return steps.wrapping.of(plain);
    } catch (TypeMismatch e) {
      throw new DecodeException("a value of a row is of no class that its layout names");
    }
  }
}
