package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import java.util.List;

/**
 * A pair that is a whole row. It is no object itself, so any array of two elements stands for it.
 */
final class PairClass extends ExactClass {
  static final PairClass PAIR = new PairClass();

  private PairClass() {
    super(Object[].class, 2, false);
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    if (!(value instanceof Object[] pair) || pair.length != parts) {
      throw new MisfitException("a row is no pair");
    }
    visitor.part(0, pair[0]);
    visitor.part(1, pair[1]);
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    return StepMapping.tuple(of, StepMapping.Steps.NONE);
  }
}
