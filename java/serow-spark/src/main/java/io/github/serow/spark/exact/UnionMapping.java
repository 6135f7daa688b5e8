package io.github.serow.spark.exact;

import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import java.util.List;

/** A position with objects of several classes: a union of records, which are named after them. */
final class UnionMapping extends Mapping {
  private final List<ExactObject> arms;

  UnionMapping(List<ExactObject> arms) {
    this.arms = arms;
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.UNION_BEGIN);
    arms.forEach(arm -> arm.describe(list));
    list.add(TypeCodes.UNION_END);
  }

  /** The schema has an order of its own. */
  @Override
  public void bind(Type bound) {
    super.bind(bound);
    for (Type part : bound.parts) {
      for (ExactObject arm : arms) {
        if (arm.names().name.equals(part.names.name)) {
          arm.bind(part);
        }
      }
    }
  }
}
