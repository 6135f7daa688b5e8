package io.github.serow.mapping;

import io.github.serow.SchemaException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A list, a set or an array, with elements of one Java type. */
public final class ElementsMapping extends Mapping {
  private final int code;
  public final Class<?> type;
  private final Mapping element;

  /** Makes a collection of the class; null if the plain object is an instance of it. */
  private final CollectionMaker maker;

  /**
   * Creates a mapping.
   *
   * @param code the code of the container in a type list
   * @param type the class of an array, or a class that the plain object is an instance of too
   */
  ElementsMapping(int code, Class<?> type, Mapping element) {
    this(code, type, element, null);
  }

  /** Creates a mapping of collections that {@code maker} makes. */
  ElementsMapping(int code, Class<?> type, Mapping element, CollectionMaker maker) {
    this.code = code;
    this.type = type;
    this.element = element;
    this.maker = maker;
  }

  @Override
  public void describe(TypeList list) {
    list.add(code);
    element.describe(list);
  }

  @Override
  public void bind(Type bound) {
    super.bind(bound);
    if (!isPrimitiveArray()) {
      element.bind(bound.part());
    }
  }

  /** Whether the elements are primitive, so that they are no objects. */
  public boolean isPrimitiveArray() {
    return type.isArray() && type.getComponentType().isPrimitive();
  }

  @Override
  public boolean isFixed() {
    return code == TypeCodes.FROZENSET;
  }

  @Override
  public boolean unwraps() {
    return type.isArray()
        || maker != null
        || type.isInterface() && type != List.class
        || !List.class.isAssignableFrom(type) && code == TypeCodes.LIST;
  }

  @Override
  public boolean wraps() {
    return type.isArray() || maker != null;
  }

  @Override
  protected Object parse(String text) {
    if (!text.equals("[]")) {
      throw new SchemaException("is no collection; only \"[]\" is, which has no elements");
    }
    return code == TypeCodes.LIST ? List.of() : Set.of();
  }

  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    if (value instanceof Object[] elements && type.isArray()) {
      return Arrays.asList(elements);
    }
    if (value instanceof float[] numbers) {
      Double[] wide = new Double[numbers.length];
      Arrays.setAll(wide, i -> (double) numbers[i]);
      return Arrays.asList(wide);
    }
    KeptCollections.checkSettings(value, type, maker);
    if (code != TypeCodes.LIST || !(value instanceof Collection<?> elements)) {
      return value;
    }
    // The value may be any collection; its elements are encoded in the order of iteration.
    KeptCollections.checkFields(elements);
    return Arrays.asList(elements.toArray());
  }

  @Override
  public Step unwrapping() {
    if (type.isArray() || code == TypeCodes.LIST) {
      return this::unwrap;
    }
    return value -> {
      KeptCollections.checkSettings(value, type, maker);
      return value;
    };
  }

  @Override
  public Object wrap(Object plain) {
    if (maker != null) {
      return maker.make(plain, this);
    }
    if (!type.isArray()) {
      return plain;
    }
    List<?> elements = (List<?>) plain;
    Object array = Array.newInstance(type.getComponentType(), elements.size());
    if (array instanceof Object[] objects) {
      return elements.toArray(objects);
    }
    for (int i = 0; i < elements.size(); i++) {
      Array.set(array, i, element.wrap(elements.get(i)));
    }
    return array;
  }
}
