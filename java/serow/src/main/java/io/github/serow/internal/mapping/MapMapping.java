package io.github.serow.internal.mapping;

import io.github.serow.SchemaException;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.SequenceNode;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.KeptCollections;
import java.util.List;
import java.util.Map;

/** A map of one of Java's classes. */
public final class MapMapping extends Mapping {
  private final Class<?> type;
  private final Mapping key;
  private final Mapping value;

  /** Makes the map; null if it is the one that is read. */
  private final CollectionMaker maker;

  MapMapping(Class<?> type, Mapping key, Mapping value, CollectionMaker maker) {
    this.type = type;
    this.key = key;
    this.value = value;
    this.maker = maker;
  }

  @Override
  public Type type() {
    return Type.of(TypeCodes.MAP, List.of(key.type(), value.type()));
  }

  @Override
  public Node node(Place place) {
    return new WrappedNode(
        place,
        new SequenceNode(place, (part, i) -> (i == 0 ? key : value).node(part)),
        type::isInstance,
        this::checked,
        maker == null ? null : maker::make);
  }

  private Object checked(Object map) {
    KeptCollections.checkSettings(map, type, maker == null ? null : maker::sample);
    return map;
  }

  @Override
  public boolean isFixed() {
    return false;
  }

  @Override
  Object ofDefault(String text) {
    if (!text.equals("{}")) {
      throw new SchemaException("is no map; only \"{}\" is, which has no entries");
    }
    return maker == null ? Map.of() : maker.make(Map.of());
  }
}
