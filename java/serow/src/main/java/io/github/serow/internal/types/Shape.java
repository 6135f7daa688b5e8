package io.github.serow.internal.types;

import io.github.serow.internal.logical.CompositeTypes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All types of the values at one place so far. It is immutable.
 *
 * <p>A shape is a set of types that can be distinguished, kept separately for each field. So to
 * join is to unite two sets, and the order of rows does not affect the result. Only at the end
 * {@link #type} decides whether lists whose fields all have one type are sequences, and likewise
 * tuples of several lengths. {@code crates/core/src/schema/join.rs} has the same rules.
 */
public final class Shape {
  private static final Type DICTS = Type.plain(TypeCodes.DICT_BEGIN);

  /** No value at all. */
  public static final Shape NEVER = new Shape(0, Map.of());

  private static final Shape[] SCALARS = new Shape[CompositeTypes.U64.code() + 1];

  static {
    for (int code = 0; code < SCALARS.length; code++) {
      SCALARS[code] = new Shape(1L << code, Map.of());
    }
  }

  /** The types without parts and names, as a set of their codes: a bit for each. */
  private final long scalars;

  /** The others, by a type without parts that stands for all of a kind. */
  private final Map<Type, Arm> arms;

  private Shape(long scalars, Map<Type, Arm> arms) {
    this.scalars = scalars;
    this.arms = arms;
  }

  private Shape(Type kind, Arm arm) {
    this(0, Map.of(kind, arm));
  }

  /** Values of a type without parts and names. */
  public static Shape scalar(int code) {
    return SCALARS[code];
  }

  /**
   * A list or tuple with these fields, a record, or an enum.
   *
   * @param kind the type without its parts
   */
  public static Shape fields(Type kind, List<Shape> fields) {
    return new Shape(kind, FieldsArm.of(kind, fields));
  }

  /**
   * Lists, tuples or sets with elements of this shape.
   *
   * @param kind the type without its part; for lists and tuples that of a fixed shape
   */
  public static Shape sequence(Type kind, Shape elements) {
    return new Shape(kind, FieldsArm.ofElements(kind, elements));
  }

  /** A dict with these keys, which are distinct. */
  public static Shape dict(List<String> names, List<Shape> values) {
    return new Shape(DICTS, DictsArm.of(names, values, new BitSet()));
  }

  /** A dict with keys that are not names, or with too many keys. */
  public static Shape map(Shape key, Shape value) {
    return new Shape(DICTS, DictsArm.ofMap(List.of(key, value)));
  }

  /** The shape of values of a type. */
  public static Shape of(Type type) {
    List<Shape> parts = type.parts().stream().map(Shape::of).toList();
    return switch (type.code()) {
      case TypeCodes.NEVER -> NEVER;
      case TypeCodes.OPTIONAL -> parts.get(0).join(scalar(TypeCodes.NULL));
      case TypeCodes.UNION_BEGIN -> joined(parts);
      case TypeCodes.LIST -> sequence(Type.plain(TypeCodes.LIST_BEGIN), parts.get(0));
      case TypeCodes.TUPLE -> sequence(Type.plain(TypeCodes.TUPLE_BEGIN), parts.get(0));
      case TypeCodes.SET, TypeCodes.FROZENSET -> sequence(type.with(List.of()), parts.get(0));
      case TypeCodes.MAP -> map(parts.get(0), parts.get(1));
      case TypeCodes.DICT_BEGIN -> new Shape(DICTS, DictsArm.of(type.names(), parts, type.maybe()));
      case TypeCodes.LIST_BEGIN,
          TypeCodes.TUPLE_BEGIN,
          TypeCodes.RECORD_BEGIN,
          TypeCodes.ENUM,
          TypeCodes.INT_ENUM,
          TypeCodes.STR_ENUM ->
          fields(type.with(List.of()), parts);
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
    Map<Type, Arm> all = arms;
    for (Map.Entry<Type, Arm> more : other.arms.entrySet()) {
      Arm mine = arms.get(more.getKey());
      Arm joined = mine == null ? more.getValue() : mine.join(more.getValue());
      if (mine != null && arms.size() == 1 && other.arms.size() == 1) {
        // Most places have values of one kind. This map is faster to make.
        all = joined == mine ? arms : Map.of(more.getKey(), joined);
      } else if (joined != mine) {
        all = all == arms ? new HashMap<>(arms) : all;
        all.put(more.getKey(), joined);
      }
    }
    long both = scalars | other.scalars;
    return both == scalars && all == arms ? this : new Shape(both, all);
  }

  /** The types of all. */
  public static Shape joined(Iterable<Shape> shapes) {
    Shape all = NEVER;
    for (Shape shape : shapes) {
      all = all.join(shape);
    }
    return all;
  }

  /**
   * The set of scalars that are arms of the type: one type of integers, which includes all there
   * are, and the same of floats.
   */
  private long scalarArms() {
    return NumberTypes.joined(scalars & ~(1L << TypeCodes.NULL));
  }

  /** Whether the type of this shape is a union, with or without null. */
  boolean isMixed() {
    return armCount() > 1;
  }

  /** The number of types that are arms of the type of this shape, if there are several. */
  private int armCount() {
    return Long.bitCount(scalarArms()) + arms.values().stream().mapToInt(Arm::count).sum();
  }

  /** The most arms that a union in the type of this shape can have, here or further in. */
  int mostArms() {
    int inside =
        arms.values().stream()
            .flatMap(arm -> arm.parts().stream())
            .mapToInt(Shape::mostArms)
            .max()
            .orElse(0);
    return Math.max(armCount(), inside);
  }

  /**
   * This shape, where it is final which dicts are maps, because a schema is made of it. Later
   * values only widen it.
   *
   * @param soon the schema before it had few rows; then dicts that keep getting keys become maps
   */
  public Shape settle(boolean soon) {
    if (arms.isEmpty()) {
      return this;
    }
    Map<Type, Arm> settled = new HashMap<>(arms);
    settled.replaceAll((kind, arm) -> arm.settle(soon));
    return new Shape(scalars, settled);
  }

  /** The type of this shape in canonical form. */
  public Type type() {
    List<Type> types = new ArrayList<>();
    long codes = scalarArms();
    for (int code = 0; code < SCALARS.length; code++) {
      if ((codes >> code & 1) != 0) {
        types.add(Type.plain(code));
      }
    }
    arms.values().forEach(arm -> types.addAll(arm.types()));
    Type one = Type.oneOf(types);
    return (scalars >> TypeCodes.NULL & 1) != 0 ? Type.optional(one) : one;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof Shape it && scalars == it.scalars && arms.equals(it.arms);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(scalars) + arms.hashCode();
  }
}
