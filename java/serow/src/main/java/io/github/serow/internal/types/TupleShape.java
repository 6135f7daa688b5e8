package io.github.serow.internal.types;

import io.github.serow.internal.wire.Limits;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tuples at one place. It is immutable.
 *
 * @param byLength the fields of tuples, by length; null if all elements are joined
 * @param elements the joined elements of tuples of any length; otherwise null
 */
record TupleShape(SortedMap<Integer, FieldShapes> byLength, Shape elements) {
  /** Tuples with more different lengths become a sequence. */
  private static final int MAX_LENGTHS = 16;

  static TupleShape of(FieldShapes fields) {
    return fields.length() > Limits.MAX_INFERRED_FIELDS
        ? ofElements(fields.joined())
        : new TupleShape(new TreeMap<>(Map.of(fields.length(), fields)), null);
  }

  static TupleShape ofElements(Shape elements) {
    return new TupleShape(null, elements);
  }

  TupleShape join(TupleShape other) {
    if (byLength == null || other.byLength == null) {
      Shape joined = joined().join(other.joined());
      return joined == elements ? this : ofElements(joined);
    }
    SortedMap<Integer, FieldShapes> all = byLength;
    for (FieldShapes fields : other.byLength.values()) {
      FieldShapes mine = all.get(fields.length());
      FieldShapes joined = mine == null ? fields : mine.join(fields);
      if (joined != mine) {
        all = all == byLength ? new TreeMap<>(all) : all;
        all.put(fields.length(), joined);
      }
    }
    return all == byLength ? this : new TupleShape(all, null);
  }

  TupleShape settle(boolean soon) {
    if (byLength == null) {
      return ofElements(elements.settle(soon));
    }
    SortedMap<Integer, FieldShapes> settled = new TreeMap<>(byLength);
    settled.replaceAll((length, fields) -> fields.settle(soon));
    return new TupleShape(settled, null);
  }

  Shape joined() {
    return byLength == null
        ? elements
        : Shape.joined(byLength.values().stream().map(FieldShapes::joined)::iterator);
  }

  /**
   * Whether the tuples become a sequence: they have several lengths, and their elements have one
   * type or there are too many lengths.
   */
  private boolean isSequence() {
    return byLength == null
        || byLength.size() > 1 && (byLength.size() > MAX_LENGTHS || !joined().isMixed());
  }

  /** The number of types. */
  int count() {
    return isSequence() ? 1 : byLength.size();
  }

  List<Type> types() {
    if (isSequence()) {
      return List.of(Type.of(TypeCodes.TUPLE, List.of(joined().type())));
    }
    return byLength.values().stream()
        .map(fields -> Type.of(TypeCodes.TUPLE_BEGIN, fields.types()))
        .toList();
  }

  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TupleShape it
        && Objects.equals(byLength, it.byLength)
        && Objects.equals(elements, it.elements);
  }

  @Override
  public int hashCode() {
    return Objects.hash(byLength, elements);
  }
}
