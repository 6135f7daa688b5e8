package io.github.serow.internal.types;

import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Lists, tuples, sets, or records or enums of one name. */
final class FieldsArm extends Arm {
  /** Tuples with more different lengths become a sequence. */
  private static final int MAX_LENGTHS = 16;

  /** The type without its parts; for lists and tuples that of a fixed shape. */
  private final Type kind;

  /** The fields by their number; null if all elements are joined. */
  private final SortedMap<Integer, List<Shape>> byLength;

  /** The joined elements of any number of fields; otherwise null. */
  private final Shape elements;

  private FieldsArm(Type kind, SortedMap<Integer, List<Shape>> byLength, Shape elements) {
    this.kind = kind;
    this.byLength = byLength;
    this.elements = elements;
  }

  static FieldsArm of(Type kind, List<Shape> fields) {
    boolean areMany = fields.size() > Limits.MAX_INFERRED_FIELDS && !kind.isRecord();
    return areMany
        ? ofElements(kind, Shape.joined(fields))
        : new FieldsArm(kind, new TreeMap<>(Map.of(fields.size(), fields)), null);
  }

  static FieldsArm ofElements(Type kind, Shape elements) {
    return new FieldsArm(kind, null, elements);
  }

  @Override
  Arm join(Arm of) {
    FieldsArm other = (FieldsArm) of;
    boolean areFixed = byLength != null && other.byLength != null;
    // Only of tuples are there several types, by their lengths.
    boolean haveTypes =
        areFixed
            && (kind.code() != TypeCodes.LIST_BEGIN
                || byLength.keySet().equals(other.byLength.keySet()));
    if (!haveTypes) {
      Shape joined = joined().join(other.joined());
      return joined == elements ? this : ofElements(kind, joined);
    }
    SortedMap<Integer, List<Shape>> all = byLength;
    for (Map.Entry<Integer, List<Shape>> fields : other.byLength.entrySet()) {
      List<Shape> mine = all.get(fields.getKey());
      List<Shape> joined = mine == null ? fields.getValue() : join(mine, fields.getValue());
      if (joined != mine) {
        all = all == byLength ? new TreeMap<>(all) : all;
        all.put(fields.getKey(), joined);
      }
    }
    return all == byLength ? this : new FieldsArm(kind, all, null);
  }

  /** The joined pairs of two lists of the same length; the first if the second adds nothing. */
  static List<Shape> join(List<Shape> fields, List<Shape> others) {
    if (areSame(fields) && areSame(others)) {
      Shape both = fields.get(0).join(others.get(0));
      return both == fields.get(0) ? fields : Collections.nCopies(fields.size(), both);
    }
    List<Shape> joined = fields;
    for (int i = 0; i < fields.size(); i++) {
      Shape both = fields.get(i).join(others.get(i));
      if (both != fields.get(i)) {
        joined = joined == fields ? new ArrayList<>(fields) : joined;
        joined.set(i, both);
      }
    }
    return joined;
  }

  /** Whether the fields have one shape, as those of most lists. Then they are treated at once. */
  private static boolean areSame(List<Shape> fields) {
    boolean areSame = fields.size() > 1;
    for (int i = 1; i < fields.size() && areSame; i++) {
      areSame = fields.get(i) == fields.get(0);
    }
    return areSame;
  }

  /** What a function makes of each field. */
  static <T> List<T> each(List<Shape> fields, Function<Shape, T> function) {
    return areSame(fields)
        ? Collections.nCopies(fields.size(), function.apply(fields.get(0)))
        : fields.stream().map(function).toList();
  }

  @Override
  FieldsArm settle(boolean soon) {
    if (byLength == null) {
      return ofElements(kind, elements.settle(soon));
    }
    SortedMap<Integer, List<Shape>> settled = new TreeMap<>(byLength);
    settled.replaceAll((length, fields) -> each(fields, field -> field.settle(soon)));
    return new FieldsArm(kind, settled, null);
  }

  private Shape joined() {
    return byLength == null
        ? elements
        : Shape.joined(byLength.values().stream().map(Shape::joined).toList());
  }

  /**
   * Whether there is a type for each number of fields. A list whose elements join to one type is a
   * sequence, and so are tuples of several lengths, if their elements have one type or there are
   * too many lengths.
   */
  private boolean isFixed() {
    return switch (kind.code()) {
      case TypeCodes.LIST_BEGIN -> byLength != null && joined().isMixed();
      case TypeCodes.TUPLE_BEGIN ->
          byLength != null
              && (byLength.size() == 1 || byLength.size() <= MAX_LENGTHS && joined().isMixed());
      default -> byLength != null;
    };
  }

  @Override
  int count() {
    return isFixed() ? byLength.size() : 1;
  }

  @Override
  List<Type> types() {
    return isFixed()
        ? byLength.values().stream().map(fields -> kind.with(each(fields, Shape::type))).toList()
        : List.of(Type.of(kind.kind(), List.of(joined().type())));
  }

  @Override
  List<Shape> parts() {
    return kind.isRecord() ? byLength.get(kind.names().size()) : List.of(joined());
  }

  @Override
  List<?> content() {
    return Arrays.asList(kind, byLength, elements);
  }
}
