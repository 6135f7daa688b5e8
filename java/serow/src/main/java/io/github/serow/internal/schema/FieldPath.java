package io.github.serow.internal.schema;

import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The path from a row to a value, outermost step first: {@code 3.price.value 17}. */
public final class FieldPath {
  /** A step to an entry of a map: to its key, part 0, or to its value. */
  private record Entry(int part, int place) {
    @Override
    public String toString() {
      return (part == 0 ? "key " : "value ") + place;
    }
  }

  /** The index of an element, the name of a field, or an {@link Entry}. */
  private final List<Object> steps = new ArrayList<>();

  public int depth() {
    return steps.size();
  }

  /** Removes all steps. */
  public void clear() {
    steps.clear();
  }

  /** Enters a container; one of the methods below sets the step. */
  public void enter() {
    steps.add(null);
  }

  public void leave() {
    steps.remove(depth() - 1);
  }

  private void set(Object step) {
    steps.set(depth() - 1, step);
  }

  /** Whether the last step is to an element, a key or a value of a collection. */
  public boolean isAtElement() {
    return depth() > 0 && !(steps.get(depth() - 1) instanceof String);
  }

  /** Steps to an element of a list, tuple or set. */
  public void item(int place) {
    set(place);
  }

  /** Steps to a field of a record, or to the value of a dict's key. */
  public void field(String name) {
    set(name);
  }

  /** Steps to the key of an entry of a map. */
  public void key(int entry) {
    set(new Entry(0, entry));
  }

  /** Steps to the value of an entry of a map. */
  public void value(int entry) {
    set(new Entry(1, entry));
  }

  /** The type at this path in a row of type {@code root}; null if there is a union on the way. */
  public Type in(Type root) {
    Type type = root;
    for (Object step : steps) {
      List<Type> parts = type.required().parts();
      int part = part(type.required(), step);
      if (part < 0 || part >= parts.size()) {
        return null;
      }
      type = parts.get(part);
    }
    return type;
  }

  /** The index of the part of a type that a step leads to; -1 if it leads to none. */
  private static int part(Type type, Object step) {
    return switch (type.code()) {
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET ->
          step instanceof Integer ? 0 : -1;
      case TypeCodes.LIST_BEGIN, TypeCodes.TUPLE_BEGIN -> step instanceof Integer item ? item : -1;
      case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN ->
          step instanceof String name ? type.names().indexOf(name) : -1;
      case TypeCodes.MAP -> step instanceof Entry entry ? entry.part : -1;
      default -> -1;
    };
  }

  /** The part of a message after the row; {@code expected} may be null. */
  public String described(Type expected) {
    String place = depth() == 0 ? "" : ", field " + this;
    if (expected == null) {
      return place;
    }
    return place + (depth() == 0 ? ", (" : " (") + shortened(expected) + ")";
  }

  private static String shortened(Type type) {
    String text = type.toString();
    return text.length() <= 100 ? text : text.substring(0, 97) + "...";
  }

  /** The steps of {@link io.github.serow.RowException#path}. */
  public List<Object> steps() {
    return steps.stream().map(it -> it instanceof Entry ? it.toString() : it).toList();
  }

  @Override
  public String toString() {
    return steps.stream().map(Object::toString).collect(Collectors.joining("."));
  }
}
