package io.github.serow.mapping;

import io.github.serow.SchemaException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import java.util.Map;

/** A map with keys of one Java type and values of another. */
public final class MapMapping extends Mapping {
  private final Mapping key;
  private final Mapping value;

  private final Class<?> type;

  /** Makes a map of the class; null if the plain object is an instance of it. */
  private final CollectionMaker maker;

  /** {@code type}: the declared class or interface. */
  MapMapping(Class<?> type, Mapping key, Mapping value, CollectionMaker maker) {
    this.type = type;
    this.key = key;
    this.value = value;
    this.maker = maker;
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

  @Override
  public boolean wraps() {
    return maker != null;
  }

  @Override
  protected Object parse(String text) {
    if (!text.equals("{}")) {
      throw new SchemaException("is no map; only \"{}\" is, which has no entries");
    }
    return Map.of();
  }

  @Override
  public boolean unwraps() {
    return true;
  }

  @Override
  public Object unwrap(Object value) {
    KeptCollections.checkSettings(value, type, maker);
    return value;
  }

  @Override
  public Object wrap(Object plain) {
    return maker == null ? plain : maker.make(plain, this);
  }
}
