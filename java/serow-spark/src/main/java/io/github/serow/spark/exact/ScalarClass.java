package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.row.WrappedNode.Step;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.StepMapping.Steps;
import java.util.Arrays;
import java.util.List;

/** A class whose objects are values of one scalar type, or of a tuple of such types. */
final class ScalarClass extends ExactClass {
  private final Steps steps;
  private final int[] codes;

  /**
   * Creates a class.
   *
   * @param steps the first one gets only objects of this class; {@link Steps#NONE} for a class that
   *     writers check themselves
   * @param codes the codes of the types in type lists; if there are several, plain values are
   *     arrays
   */
  ScalarClass(Class<?> type, boolean isMutable, Steps steps, int... codes) {
    super(type, 0, isMutable);
    this.steps =
        steps == Steps.NONE
            ? steps
            : new Steps(checked(type, steps.unwrapping()), steps.wrapping());
    this.codes = codes;
  }

  /** Checks the class of a value before a step. */
  static Step checked(Class<?> type, Step then) {
    return value -> {
      if (value == null || value.getClass() != type) {
        throw new TypeMismatch(value);
      }
      return then.of(value);
    };
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    if (steps != Steps.NONE && !type.isArray()) {
      steps.plain(value);
    }
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    return codes.length == 1
        ? StepMapping.scalar(codes[0], steps)
        : StepMapping.tuple(Arrays.stream(codes).mapToObj(StepMapping::scalar).toList(), steps);
  }
}
