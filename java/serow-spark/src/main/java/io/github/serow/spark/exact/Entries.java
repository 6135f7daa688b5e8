package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.schema.Mapping;
import java.util.List;
import java.util.Set;

/**
 * A class of maps. Its plain values are arrays of two arrays of the same length: the keys and the
 * values, in order of iteration.
 */
final class Entries extends CollectionClass {
  Entries(Class<?> type, Set<Class<?>> classes, boolean isMutable, Form.Steps steps) {
    super(type, classes, 2, isMutable, checked(steps));
  }

  private static Form.Steps checked(Form.Steps steps) {
    return new Form.Steps(
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
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    List<Mapping> sequences =
        of.stream().map(it -> (Mapping) Form.sequence(it, Form.Steps.NONE, false)).toList();
    return Form.tuple(sequences, steps, isTracked);
  }
}
