package io.github.serow.mapping;

import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;

/** A map with keys of one Java type and values of another. */
public final class MapMapping extends Mapping {
  private final Mapping key;
  private final Mapping value;

  MapMapping(Mapping key, Mapping value) {
    this.key = key;
    this.value = value;
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.MAP);
    key.describe(list);
    value.describe(list);
  }

  @Override
  public void bind(Type type) {
    super.bind(type);
    key.bind(type.parts.get(0));
    value.bind(type.parts.get(1));
  }

  @Override
  public boolean isFixed() {
    return false;
  }
}
