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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A list or a set: one of Java's collections, or an array. */
public final class ElementsMapping extends Mapping {
  private final int code;
  private final Class<?> type;
  private final Mapping element;

  /** Makes the collection; null if it is the one that is read. */
  private final CollectionMaker maker;

  ElementsMapping(int code, Class<?> type, Mapping element) {
    this(code, type, element, null);
  }

  ElementsMapping(int code, Class<?> type, Mapping element, CollectionMaker maker) {
    this.code = code;
    this.type = type;
    this.element = element;
    this.maker = maker;
  }

  @Override
  public Type type() {
    return Type.of(code, List.of(element.type()));
  }

  @Override
  public Node node(Place place) {
    if (type.isArray() && type.getComponentType().isPrimitive()) {
      return new ArrayNode(place, type.getComponentType());
    }
    Node plain = new SequenceNode(place, (part, i) -> element.node(part));
    if (type.isArray()) {
      return new WrappedNode(place, plain, type::isInstance, this::ofArray, this::array);
    }
    return new WrappedNode(
        place,
        plain,
        type::isInstance,
        this::elements,
        maker == null ? null : elements -> maker.make(elements));
  }

  private Object ofArray(Object value) {
    if (!type.isInstance(value)) {
      throw new TypeMismatch(value);
    }
    return Arrays.asList((Object[]) value);
  }

  private Object array(Object elements) {
    Object[] array = (Object[]) java.lang.reflect.Array.newInstance(type.getComponentType(), 0);
    return ((List<?>) elements).toArray(array);
  }

  /** The value, as a list if it is another collection that is one in the schema. */
  private Object elements(Object value) {
    if (value instanceof ArrayList && type == List.class) {
      return value;
    }
    KeptCollections.checkSettings(value, type, maker == null ? null : maker::sample);
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
    if (!text.equals("[]")) {
      throw new SchemaException("is no collection; only \"[]\" is, which has no elements");
    }
    Collection<?> none = code == TypeCodes.LIST ? List.of() : Set.of();
    return type.isArray() ? array(none) : maker == null ? none : maker.make(none);
  }
}
