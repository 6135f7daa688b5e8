package io.github.serow.internal.mapping;

import io.github.serow.SchemaException;
import io.github.serow.internal.row.ArrayNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.SequenceNode;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.KeptCollections;
import io.github.serow.internal.wire.TypeMismatch;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A list, a set or a map: one of Java's collections, or an array. */
final class CollectionMapping extends Mapping {
  private final int code;
  private final Class<?> javaClass;

  /** The element; or the key and the value. */
  private final List<Mapping> parts;

  /** Makes the collection; null if it is the one that is read. */
  private final CollectionMaker maker;

  CollectionMapping(int code, Class<?> javaClass, List<Mapping> parts, CollectionMaker maker) {
    this.code = code;
    this.javaClass = javaClass;
    this.parts = parts;
    this.maker = maker;
  }

  @Override
  public Type type() {
    return Type.of(code, parts.stream().map(Mapping::type).toList());
  }

  @Override
  public Node node(Place place) {
    if (javaClass.isArray() && javaClass.getComponentType().isPrimitive()) {
      return new ArrayNode(place, javaClass.getComponentType());
    }
    Node plain = new SequenceNode(place, (part, i) -> parts.get(i).node(part));
    return javaClass.isArray()
        ? new WrappedNode(place, plain, javaClass::isInstance, this::ofArray, this::array)
        : new WrappedNode(
            place, plain, javaClass::isInstance, this::checked, maker == null ? null : maker::make);
  }

  private Object ofArray(Object value) {
    if (!javaClass.isInstance(value)) {
      throw new TypeMismatch(value);
    }
    return Arrays.asList((Object[]) value);
  }

  private Object array(Object elements) {
    Object[] array = (Object[]) Array.newInstance(javaClass.getComponentType(), 0);
    return ((List<?>) elements).toArray(array);
  }

  /** The value, as a list if it is another collection that is one in the schema. */
  private Object checked(Object value) {
    if (value instanceof ArrayList && javaClass == List.class) {
      return value;
    }
    KeptCollections.checkSettings(value, javaClass, maker == null ? null : maker::sample);
    boolean isOther = code == TypeCodes.LIST && !(value instanceof List);
    return isOther && value instanceof Collection<?> elements
        ? Arrays.asList(elements.toArray())
        : value;
  }

  @Override
  public boolean isFixed() {
    return code == TypeCodes.FROZENSET;
  }

  @Override
  Object ofDefault(String text) {
    boolean isMap = code == TypeCodes.MAP;
    if (isMap && !text.equals("{}")) {
      throw new SchemaException("is no map; only \"{}\" is, which has no entries");
    }
    if (!isMap && !text.equals("[]")) {
      throw new SchemaException("is no collection; only \"[]\" is, which has no elements");
    }
    Object none = isMap ? Map.of() : code == TypeCodes.LIST ? List.of() : Set.of();
    return javaClass.isArray() ? array(none) : maker == null ? none : maker.make(none);
  }
}
