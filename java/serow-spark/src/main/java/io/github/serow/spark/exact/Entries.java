package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.internal.mapping.Mapping;
import java.util.List;
import java.util.Set;

/**
 * A class of maps. Its plain values are arrays of two arrays of the same length: the keys and the
 * values, in order of iteration.
 */
final class Entries extends CollectionClass {
  Entries(Class<?> type, Set<Class<?>> classes, boolean isMutable, StepMapping.Steps steps) {
    super(type, classes, 2, isMutable, checked(steps));
  }

  private static StepMapping.Steps checked(StepMapping.Steps steps) {
    return new StepMapping.Steps(
        steps.unwrapping(),
        plain -> {
          Object[] parts = (Object[]) plain;
          if (((Object[]) parts[0]).length != ((Object[]) parts[1]).length) {
            throw new DecodeException("a map has another number of keys than of values");
          }
          return steps.wrapping().of(plain);
        });
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    Object[] plain = (Object[]) steps.plain(value);
    for (int part = 0; part < parts; part++) {
      for (Object inner : (Object[]) plain[part]) {
        visitor.part(part, inner);
      }
    }
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    List<StepMapping> sequences =
        of.stream().map(it -> StepMapping.sequence(it, StepMapping.Steps.NONE)).toList();
    return StepMapping.tuple(sequences, steps);
  }
}
