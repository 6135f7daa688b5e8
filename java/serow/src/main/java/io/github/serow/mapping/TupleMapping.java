package io.github.serow.mapping;

import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import java.util.List;

/** A tuple of fixed shape. */
public final class TupleMapping extends Mapping {
  private final List<Mapping> fields;

  TupleMapping(List<Mapping> fields) {
    this.fields = fields;
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.TUPLE_BEGIN);
    fields.forEach(field -> field.describe(list));
    list.add(TypeCodes.TUPLE_END);
  }

  @Override
  public void bind(Type type) {
    super.bind(type);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).bind(type.parts.get(i));
    }
  }

  @Override
  public boolean isFixed() {
    return fields.stream().allMatch(Mapping::isFixed);
  }
}
