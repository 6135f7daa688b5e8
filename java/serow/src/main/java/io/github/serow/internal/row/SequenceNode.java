package io.github.serow.internal.row;

import io.github.serow.FrozenSet;
import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.ValueKind;
import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A list, tuple or set of any number of elements, or a map: a sequence of keys and values. */
public final class SequenceNode extends Node {
  /** The elements that a list gets memory for before they are read. */
  private static final int FIRST_ELEMENTS = 1024;

  private final int column;

  /** The element; or the key and the value. */
  private final List<Node> parts = new ArrayList<>();

  /** The fewest bytes of an element, or of an entry, on the row wire. */
  private final int least;

  /** Whether elements that must differ may be arrays, which Java compares by identity. */
  private final boolean hasArrays;

  /** With the parts that {@code part} makes for a place and its index. */
  public SequenceNode(Place place, BiFunction<Place, Integer, Node> part) {
    super(place);
    column = place.columns().add(ColumnLayout.Kind.INTS, isRowAligned);
    for (int i = 0; i < type.parts().size(); i++) {
      parts.add(part.apply(place.part(i), i));
    }
    least = parts.stream().mapToInt(Node::leastBytes).sum();
    hasArrays = type.parts().get(0).hasArrays();
  }

  private boolean isMap() {
    return type.code() == TypeCodes.MAP;
  }

  /** The elements; of a map each key and its value. */
  private Object[] elements(Object value) {
    return switch (type.code()) {
      case TypeCodes.LIST -> Values.list(value);
      case TypeCodes.TUPLE -> Values.tuple(value);
      case TypeCodes.SET -> Values.set(value);
      case TypeCodes.FROZENSET -> Values.frozenSet(value);
      default -> Values.map(value);
    };
  }

  @Override
  public int write(Object value, RecordOut out, int begin) {
    Object[] elements = elements(value);
    int at = out.count(elements.length / parts.size(), begin);
    int i = 0;
    try {
      for (; i < elements.length; i++) {
        out.reserve(at);
        at = parts.get(i % parts.size()).write(elements[i], out, at);
      }
    } catch (RuntimeException e) {
      throw PlacedException.inWrite(e, this, i);
    }
    return at;
  }

  @Override
  public Object read(ValueSource in, int row) {
    int count =
        switch (type.code()) {
          case TypeCodes.MAP -> Math.multiplyExact(2, in.entries(column, at(row), least));
          case TypeCodes.SET, TypeCodes.FROZENSET -> in.distinct(column, at(row), least);
          default -> in.count(column, at(row), least);
        };
    in.take(
        switch (type.code()) {
          case TypeCodes.SET, TypeCodes.FROZENSET -> ObjectSizes.set(count);
          case TypeCodes.MAP -> ObjectSizes.map(count / 2);
          default -> ObjectSizes.list(count);
        });
    // The bytes of elements may be missing, or none.
    Object[] elements = new Object[Math.min(count, FIRST_ELEMENTS)];
    int i = 0;
    try {
      for (; i < count; i++) {
        if (i == elements.length) {
          elements = Arrays.copyOf(elements, (int) Math.min(2L * i, count));
        }
        elements[i] = parts.get(i % parts.size()).read(in, ValueSource.NEXT);
      }
    } catch (RuntimeException e) {
      throw PlacedException.inRead(e, this, i);
    }
    return switch (type.code()) {
      case TypeCodes.LIST -> Values.newList(elements);
      case TypeCodes.TUPLE -> elements;
      case TypeCodes.SET -> Values.newSet(elements, hasArrays);
      case TypeCodes.FROZENSET -> Values.newFrozenSet(elements, hasArrays);
      default -> Values.newMap(elements, hasArrays);
    };
  }

  @Override
  public List<Node> parts() {
    return parts;
  }

  @Override
  public boolean takes(Object value) {
    return switch (type.code()) {
      case TypeCodes.LIST -> ValueKind.isList(value);
      case TypeCodes.TUPLE -> value instanceof Object[];
      case TypeCodes.SET -> ValueKind.isSet(value);
      case TypeCodes.FROZENSET -> value instanceof FrozenSet;
      default -> value instanceof Map;
    };
  }

  @Override
  public boolean isVariable() {
    return true;
  }

  @Override
  public void step(FieldPath path, int place) {
    if (!isMap()) {
      path.item(place);
    } else if (place % 2 == 0) {
      path.key(place / 2);
    } else {
      path.value(place / 2);
    }
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.callMethod(this, value, rest);
  }

  @Override
  public void emitWriteBody(WriterEmitter to, int rest) {
    String elements =
        switch (type.code()) {
          case TypeCodes.LIST -> "list";
          case TypeCodes.TUPLE -> "tuple";
          case TypeCodes.SET -> "set";
          case TypeCodes.FROZENSET -> "frozenSet";
          default -> "map";
        };
    to.elements(this, elements, parts, rest);
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    from.callMethod(this);
  }

  @Override
  public void emitReadBody(ReaderEmitter from) {
    String count =
        switch (type.code()) {
          case TypeCodes.MAP -> "entries";
          case TypeCodes.SET, TypeCodes.FROZENSET -> "distinct";
          default -> "count";
        };
    boolean isList = type.code() == TypeCodes.LIST;
    from.elements(this, () -> from.count(count, column, isRowAligned, least), parts, isList);
    String made =
        switch (type.code()) {
          case TypeCodes.SET -> "newSet";
          case TypeCodes.FROZENSET -> "newFrozenSet";
          case TypeCodes.MAP -> "newMap";
          default -> null;
        };
    if (made != null) {
      from.push(hasArrays ? 1 : 0);
      from.callStatic(Values.class, made, "([Ljava/lang/Object;Z)Ljava/lang/Object;");
    }
  }
}
