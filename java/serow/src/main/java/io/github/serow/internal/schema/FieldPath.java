package io.github.serow.internal.schema;

import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.List;

/** The path from a row to a value, outermost step first: {@code 3.price.value 17}. */
public final class FieldPath {
  /** The kind of a step. */
  private enum Kind {
    ITEM,
    FIELD,
    KEY,
    VALUE
  }

  private final Kind[] kinds = new Kind[Limits.MAX_DEPTH];
  private final int[] places = new int[Limits.MAX_DEPTH];
  private final String[] names = new String[Limits.MAX_DEPTH];
  private int depth;

  public int depth() {
    return depth;
  }

  /** Removes all steps. */
  public void clear() {
    depth = 0;
  }

  /** Enters a container; one of the methods below sets the step. */
  public void enter() {
    depth++;
  }

  /** Whether the last step is to an element, a key or a value of a collection. */
  public boolean isAtElement() {
    return depth > 0 && kinds[depth - 1] != Kind.FIELD;
  }

  public void leave() {
    depth--;
  }

  /** Steps to an element of a list, tuple or set. */
  public void item(int place) {
    kinds[depth - 1] = Kind.ITEM;
    places[depth - 1] = place;
  }

  /** Steps to a field of a record, or to the value of a dict's key. */
  public void field(String name) {
    kinds[depth - 1] = Kind.FIELD;
    names[depth - 1] = name;
  }

  /** Steps to the key of an entry of a map. */
  public void key(int entry) {
    kinds[depth - 1] = Kind.KEY;
    places[depth - 1] = entry;
  }

  /** Steps to the value of an entry of a map. */
  public void value(int entry) {
    kinds[depth - 1] = Kind.VALUE;
    places[depth - 1] = entry;
  }

  /** The type at this path in a row of type {@code root}; null if there is a union on the way. */
  public Type in(Type root) {
    Type type = root;
    for (int i = 0; i < depth && type != null; i++) {
      type = step(type.required(), i);
    }
    return type;
  }

  /** The part of a message after the row; {@code expected} may be null. */
  public String described(Type expected) {
    String place = depth == 0 ? "" : ", field " + this;
    if (expected == null) {
      return place;
    }
    return place + (depth == 0 ? ", (" : " (") + shortened(expected) + ")";
  }

  private static String shortened(Type type) {
    String text = type.toString();
    return text.length() <= 100 ? text : text.substring(0, 97) + "...";
  }

  private Type step(Type type, int i) {
    return switch (type.code()) {
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET ->
          kinds[i] == Kind.ITEM ? type.parts().get(0) : null;
      case TypeCodes.LIST_BEGIN, TypeCodes.TUPLE_BEGIN ->
          kinds[i] == Kind.ITEM ? field(type, places[i]) : null;
      case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN ->
          kinds[i] == Kind.FIELD ? field(type, type.names().indexOf(names[i])) : null;
      case TypeCodes.MAP ->
          kinds[i] == Kind.KEY
              ? type.parts().get(0)
              : kinds[i] == Kind.VALUE ? type.parts().get(1) : null;
      default -> null;
    };
  }

  private static Type field(Type type, int place) {
    return place < 0 || place >= type.parts().size() ? null : type.parts().get(place);
  }

  /** The steps of {@link io.github.serow.RowException#path}. */
  public List<Object> steps() {
    List<Object> steps = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      steps.add(
          switch (kinds[i]) {
            case ITEM -> places[i];
            case FIELD -> names[i];
            case KEY -> "key " + places[i];
            case VALUE -> "value " + places[i];
          });
    }
    return steps;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      text.append(i == 0 ? "" : ".");
      switch (kinds[i]) {
        case ITEM -> text.append(places[i]);
        case FIELD -> text.append(names[i]);
        case KEY -> text.append("key ").append(places[i]);
        default -> text.append("value ").append(places[i]);
      }
    }
    return text.toString();
  }
}
