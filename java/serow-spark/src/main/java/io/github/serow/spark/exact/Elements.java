package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import java.util.List;
import java.util.Set;

/** A class of lists or sets. Its plain values are arrays of the elements, in order of iteration. */
class Elements extends CollectionClass {
  Elements(Class<?> type, Set<Class<?>> classes, boolean isMutable, StepMapping.Steps steps) {
    super(type, classes, 1, isMutable, steps);
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    for (Object element : (Object[]) steps.plain(value)) {
      visitor.part(0, element);
    }
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    return StepMapping.sequence(of.get(0), steps);
  }
}
