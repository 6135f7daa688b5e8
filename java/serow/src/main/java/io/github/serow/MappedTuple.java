package io.github.serow;

import java.util.List;

/** A tuple of fixed shape. */
final class MappedTuple extends Mapped {
  private final List<Mapped> fields;

  MappedTuple(List<Mapped> fields) {
    this.fields = fields;
  }

  @Override
  void describe(TypeList list) {
    list.add(TypeList.TUPLE_BEGIN);
    fields.forEach(field -> field.describe(list));
    list.add(TypeList.TUPLE_END);
  }

  @Override
  void bind(Type type) {
    super.bind(type);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).bind(type.parts.get(i));
    }
  }

  @Override
  boolean isFixed() {
    return fields.stream().allMatch(Mapped::isFixed);
  }
}
