package io.github.serow.internal.types;

import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * All types of the values at one place so far. It is immutable.
 *
 * <p>A shape is a set of types that can be distinguished, kept separately for each field. So to
 * join is to unite two sets, and the order of rows does not affect the result. Only at the end
 * {@link #type} decides whether lists whose fields all have one type are sequences, and likewise
 * tuples of several lengths. {@code crates/core/src/schema/join.rs} has the same rules.
 *
 * @param scalars the types without elements, as a set of their codes: a bit for each
 * @param lists the lists; null if there are none
 * @param tuples the tuples; null if there are none
 * @param sets the joined elements of all sets; null if there are none
 * @param frozenSets the joined elements of all frozensets; null if there are none
 * @param dicts the dicts; null if there are none
 * @param records the fields of records, by their names
 * @param enums the enums, without duplicates
 */
public record Shape(
    long scalars,
    ListShape lists,
    TupleShape tuples,
    Shape sets,
    Shape frozenSets,
    DictShape dicts,
    List<RecordShape> records,
    List<Type> enums) {
  /** No value at all. */
  public static final Shape NEVER =
      new Shape(0, null, null, null, null, null, List.of(), List.of());

  private static final Shape[] SCALARS = new Shape[CompositeTypes.U64.code() + 1];

  static {
    for (int code = 0; code < SCALARS.length; code++) {
      SCALARS[code] = new Shape(1L << code, null, null, null, null, null, List.of(), List.of());
    }
  }

  /** Values of a type without parts and names. */
  public static Shape scalar(int code) {
    return SCALARS[code];
  }

  /** A list with these fields. */
  public static Shape list(FieldShapes fields) {
    return ofLists(ListShape.of(fields));
  }

  /** A tuple with these fields. */
  public static Shape tuple(FieldShapes fields) {
    return ofTuples(TupleShape.of(fields));
  }

  /** A set with elements of this shape. */
  public static Shape set(Shape element) {
    return new Shape(0, null, null, element, null, null, List.of(), List.of());
  }

  /** A frozenset with elements of this shape. */
  public static Shape frozenSet(Shape element) {
    return new Shape(0, null, null, null, element, null, List.of(), List.of());
  }

  /** A dict with these keys, which are distinct. */
  public static Shape dict(List<String> names, List<Shape> values) {
    return ofDicts(DictShape.ofKeys(names, values));
  }

  /** A dict with keys that are not names, or with too many keys. */
  public static Shape map(Shape key, Shape value) {
    return ofDicts(DictShape.ofMap(key, value));
  }

  /** A record. */
  public static Shape record(String name, List<String> names, List<Shape> fields) {
    RecordShape shape = new RecordShape(new NameList(name, names), fields);
    return new Shape(0, null, null, null, null, null, List.of(shape), List.of());
  }

  /** A member of an enum. */
  public static Shape enumeration(Type of) {
    return new Shape(0, null, null, null, null, null, List.of(), List.of(of));
  }

  private static Shape ofLists(ListShape lists) {
    return new Shape(0, lists, null, null, null, null, List.of(), List.of());
  }

  private static Shape ofTuples(TupleShape tuples) {
    return new Shape(0, null, tuples, null, null, null, List.of(), List.of());
  }

  private static Shape ofDicts(DictShape dicts) {
    return new Shape(0, null, null, null, null, dicts, List.of(), List.of());
  }

  /** The shape of values of a type. */
  public static Shape of(Type type) {
    List<Shape> parts = type.parts().stream().map(Shape::of).toList();
    return switch (type.code()) {
      case TypeCodes.NEVER -> NEVER;
      case TypeCodes.OPTIONAL -> parts.get(0).join(scalar(TypeCodes.NULL));
      case TypeCodes.LIST_BEGIN -> list(FieldShapes.of(parts));
      case TypeCodes.TUPLE_BEGIN -> tuple(FieldShapes.of(parts));
      case TypeCodes.LIST -> ofLists(ListShape.ofElements(parts.get(0)));
      case TypeCodes.TUPLE -> ofTuples(TupleShape.ofElements(parts.get(0)));
      case TypeCodes.SET -> set(parts.get(0));
      case TypeCodes.FROZENSET -> frozenSet(parts.get(0));
      case TypeCodes.UNION_BEGIN -> joined(parts);
      case TypeCodes.MAP -> map(parts.get(0), parts.get(1));
      case TypeCodes.DICT_BEGIN -> ofDicts(DictShape.ofType(type.names(), parts, type.maybe()));
      case TypeCodes.RECORD_BEGIN -> record(type.name(), type.names(), parts);
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> enumeration(type);
      default -> scalar(type.code());
    };
  }

  /** The types of both. Returns this object if the other adds none. */
  public Shape join(Shape other) {
    if (other == this || other == NEVER) {
      return this;
    }
    if (this == NEVER) {
      return other;
    }
    Shape all =
        new Shape(
            scalars | other.scalars,
            lists == null || other.lists == null
                ? either(lists, other.lists)
                : lists.join(other.lists),
            tuples == null || other.tuples == null
                ? either(tuples, other.tuples)
                : tuples.join(other.tuples),
            sets == null || other.sets == null ? either(sets, other.sets) : sets.join(other.sets),
            frozenSets == null || other.frozenSets == null
                ? either(frozenSets, other.frozenSets)
                : frozenSets.join(other.frozenSets),
            dicts == null || other.dicts == null
                ? either(dicts, other.dicts)
                : dicts.join(other.dicts),
            joinRecords(other.records),
            joinEnums(other.enums));
    return isSame(all) ? this : all;
  }

  private static <T> T either(T a, T b) {
    return a != null ? a : b;
  }

  /** Whether the parts of {@code other} are the same objects. */
  private boolean isSame(Shape other) {
    return scalars == other.scalars
        && lists == other.lists
        && tuples == other.tuples
        && sets == other.sets
        && frozenSets == other.frozenSets
        && dicts == other.dicts
        && records == other.records
        && enums == other.enums;
  }

  private List<RecordShape> joinRecords(List<RecordShape> others) {
    List<RecordShape> all = records;
    for (RecordShape other : others) {
      int at = 0;
      while (at < all.size() && !all.get(at).names().equals(other.names())) {
        at++;
      }
      RecordShape joined = at < all.size() ? all.get(at).join(other) : other;
      if (at < all.size() && joined == all.get(at)) {
        continue;
      }
      all = all == records ? new ArrayList<>(all) : all;
      if (at < all.size()) {
        all.set(at, joined);
      } else {
        all.add(joined);
      }
    }
    return all;
  }

  private List<Type> joinEnums(List<Type> others) {
    List<Type> all = enums;
    for (Type other : others) {
      if (!all.contains(other)) {
        all = all == enums ? new ArrayList<>(all) : all;
        all.add(other);
      }
    }
    return all;
  }

  static Shape joined(Iterable<Shape> shapes) {
    Shape all = NEVER;
    for (Shape shape : shapes) {
      all = all.join(shape);
    }
    return all;
  }

  private boolean has(int code) {
    return (scalars >> code & 1) != 0;
  }

  /**
   * The set of scalars that are arms of the type: one type of integers, which includes all there
   * are, and the same of floats.
   */
  private long arms() {
    return NumberTypes.joined(scalars & ~(1L << TypeCodes.NULL));
  }

  /** Whether the type of this shape is a union, with or without null. */
  boolean isMixed() {
    return armCount() > 1;
  }

  /** The number of types that are arms of the type of this shape, if there are several. */
  int armCount() {
    int others = sets == null ? 0 : 1;
    others += frozenSets == null ? 0 : 1;
    others += dicts == null ? 0 : 1;
    others += lists == null ? 0 : 1;
    others += tuples == null ? 0 : tuples.count();
    return Long.bitCount(arms()) + others + records.size() + enums.size();
  }

  /** The most arms that a union in the type of this shape can have, here or further in. */
  int mostArms() {
    int most = armCount();
    for (Shape element : new Shape[] {sets, frozenSets}) {
      most = element == null ? most : Math.max(most, element.mostArms());
    }
    most = lists == null ? most : Math.max(most, lists.joined().mostArms());
    most = tuples == null ? most : Math.max(most, tuples.joined().mostArms());
    most = dicts == null ? most : Math.max(most, dicts.mostArms());
    for (RecordShape record : records) {
      for (Shape field : record.fields()) {
        most = Math.max(most, field.mostArms());
      }
    }
    return most;
  }

  /**
   * This shape, where it is final which dicts are maps, because a schema is made of it. Later
   * values only widen it.
   *
   * @param soon the schema before it had few rows; then dicts that keep getting keys become maps
   */
  public Shape settle(boolean soon) {
    if (lists == null
        && tuples == null
        && sets == null
        && frozenSets == null
        && dicts == null
        && records.isEmpty()) {
      return this;
    }
    return new Shape(
        scalars,
        lists == null ? null : lists.settle(soon),
        tuples == null ? null : tuples.settle(soon),
        sets == null ? null : sets.settle(soon),
        frozenSets == null ? null : frozenSets.settle(soon),
        dicts == null ? null : dicts.settle(soon),
        records.stream().map(record -> record.settle(soon)).toList(),
        enums);
  }

  /** The type of this shape in canonical form. */
  public Type type() {
    List<Type> arms = new ArrayList<>();
    for (int code : new int[] {TypeCodes.I64, TypeCodes.F64, TypeCodes.STR, TypeCodes.BOOL}) {
      addArm(arms, code);
    }
    for (CompositeType type : CompositeTypes.ALL) {
      addArm(arms, type.code());
    }
    if (lists != null) {
      arms.add(lists.type());
    }
    if (tuples != null) {
      arms.addAll(tuples.types());
    }
    if (sets != null) {
      arms.add(Type.of(TypeCodes.SET, List.of(sets.type())));
    }
    if (frozenSets != null) {
      arms.add(Type.of(TypeCodes.FROZENSET, List.of(frozenSets.type())));
    }
    if (dicts != null) {
      arms.add(dicts.type());
    }
    records.forEach(record -> arms.add(record.type()));
    arms.addAll(enums);
    Type one = Type.oneOf(arms);
    return has(TypeCodes.NULL) ? Type.optional(one) : one;
  }

  private void addArm(List<Type> arms, int code) {
    if ((arms() >> code & 1) != 0) {
      arms.add(Type.plain(code));
    }
  }

  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Shape it
        && scalars == it.scalars
        && Objects.equals(lists, it.lists)
        && Objects.equals(tuples, it.tuples)
        && Objects.equals(sets, it.sets)
        && Objects.equals(frozenSets, it.frozenSets)
        && Objects.equals(dicts, it.dicts)
        && Objects.equals(records, it.records)
        && Objects.equals(enums, it.enums);
  }

  @Override
  public int hashCode() {
    return Objects.hash(scalars, lists, tuples, sets, frozenSets, dicts, records, enums);
  }
}
