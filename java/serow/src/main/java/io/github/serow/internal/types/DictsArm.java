package io.github.serow.internal.types;

import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The dicts at one place: fixed keys, or a map.
 *
 * <p>A key that some dicts lack costs something in each of them, and an entry of a map costs its
 * key. So dicts have fixed keys as long as the keys that some of them lack are few for the keys
 * that they have. {@code crates/core/src/schema/dict_shapes.rs} has the same rule.
 */
final class DictsArm extends Arm {
  /** A fixed key: its values, and the number of dicts that have it. */
  private record Key(Shape values, long count) {
    Key join(Key other) {
      return new Key(values.join(other.values), count + other.count);
    }
  }

  /**
   * The schemas so far.
   *
   * @param keys the number of keys in the last schema
   * @param required the number of those that all dicts have
   * @param count the number of schemas that added a key, or that made one optional, when the one
   *     before had few rows
   * @param lapses the number of these that made a key optional that all dicts had until then
   */
  private record Growth(int keys, long required, int count, int lapses) {
    static final Growth NONE = new Growth(0, 0, 0, 0);
  }

  /** The names of the fixed keys, in the order in which they were first seen; null for a map. */
  private final List<String> names;

  /** The fixed keys; null for a map. */
  private final List<Key> keys;

  private final long dicts;
  private final Growth growth;

  /** The joined keys and the joined values of a map; otherwise null. */
  private final List<Shape> map;

  private DictsArm(List<String> names, List<Key> keys, long dicts, Growth growth, List<Shape> map) {
    this.names = names;
    this.keys = keys;
    this.dicts = dicts;
    this.growth = growth;
    this.map = map;
  }

  /**
   * The keys of a dict, or those of dicts of a type. How many dicts have a key that may be missing
   * is not known: they count as two dicts, and one of them has it. So the type of the result is
   * this type again.
   */
  static DictsArm of(List<String> names, List<Shape> values, BitSet maybe) {
    int dicts = maybe.isEmpty() ? 1 : 2;
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      keys.add(new Key(values.get(i), maybe.get(i) ? 1 : dicts));
    }
    return new DictsArm(names, keys, dicts, Growth.NONE, null);
  }

  static DictsArm ofMap(List<Shape> keyAndValue) {
    return new DictsArm(null, null, 0, Growth.NONE, keyAndValue);
  }

  private List<Shape> values() {
    return keys.stream().map(Key::values).toList();
  }

  /** The joined keys and values, if the dicts are a map. */
  @Override
  List<Shape> parts() {
    return keys == null
        ? map
        : List.of(
            keys.isEmpty() ? Shape.NEVER : Shape.scalar(TypeCodes.STR), Shape.joined(values()));
  }

  @Override
  DictsArm join(Arm of) {
    DictsArm other = (DictsArm) of;
    if (keys == null || other.keys == null) {
      List<Shape> joined = FieldsArm.join(parts(), other.parts());
      return joined == map ? this : ofMap(joined);
    }
    DictsArm joined = joinKeys(other);
    return joined.keys.size() > Limits.MAX_INFERRED_KEYS ? ofMap(joined.parts()) : joined;
  }

  private DictsArm joinKeys(DictsArm other) {
    if (names.equals(other.names)) {
      List<Key> joined = new ArrayList<>(keys);
      for (int i = 0; i < keys.size(); i++) {
        joined.set(i, keys.get(i).join(other.keys.get(i)));
      }
      return new DictsArm(names, joined, dicts + other.dicts, growth, null);
    }
    Map<String, Key> all = new LinkedHashMap<>();
    for (DictsArm arm : List.of(this, other)) {
      for (int i = 0; i < arm.keys.size(); i++) {
        all.merge(arm.names.get(i), arm.keys.get(i), Key::join);
      }
    }
    List<String> allNames = List.copyOf(all.keySet());
    return new DictsArm(allNames, List.copyOf(all.values()), dicts + other.dicts, growth, null);
  }

  private long optional() {
    return maybe().cardinality();
  }

  /** Whether the keys are data, so that the dicts are maps. */
  private boolean areData() {
    long optional = optional();
    long entries = keys.stream().mapToLong(Key::count).sum();
    boolean areMany =
        optional * dicts > entries * Limits.OPTIONAL_KEYS_PER_KEY
            && optional > Limits.FEW_OPTIONAL_KEYS;
    // A union has a limited number of arms, and a dict with fixed keys has a type for each.
    return (areMany || growth.count > Limits.MAX_GROWTHS)
        && Shape.joined(values()).mostArms() <= Limits.MAX_ARMS;
  }

  /**
   * Counts how often schemas follow each other soon, because of keys that no dict had before, or
   * that all had. After a few of the latter all keys become optional, as if a dict had none: then a
   * dict that lacks some more keys fits.
   */
  private DictsArm grow(boolean soon) {
    int size = keys.size();
    long required = size - optional();
    boolean isLater = soon && growth.keys > 0;
    boolean grew = isLater && (growth.keys != size || growth.required != required);
    boolean lapsed = isLater && required < growth.required;
    int lapses = growth.lapses + (lapsed ? 1 : 0);
    boolean allOptional = lapsed && lapses == Limits.FEW_LAPSES;
    Growth next =
        new Growth(size, allOptional ? 0 : required, growth.count + (grew ? 1 : 0), lapses);
    return new DictsArm(names, keys, allOptional ? dicts + 1 : dicts, next, null);
  }

  @Override
  DictsArm settle(boolean soon) {
    DictsArm grown = keys == null ? this : grow(soon);
    if (keys == null || grown.areData()) {
      return ofMap(FieldsArm.each(grown.parts(), part -> part.settle(soon)));
    }
    List<Key> settled =
        keys.stream().map(key -> new Key(key.values.settle(soon), key.count)).toList();
    return new DictsArm(names, settled, grown.dicts, grown.growth, null);
  }

  @Override
  List<Type> types() {
    if (keys == null || areData()) {
      return List.of(Type.of(TypeCodes.MAP, FieldsArm.each(parts(), Shape::type)));
    }
    List<Type> values = FieldsArm.each(values(), Shape::type);
    return List.of(Type.struct(null, names, maybe(), values));
  }

  /** Which keys some dict lacks. */
  private BitSet maybe() {
    BitSet maybe = new BitSet();
    for (int i = 0; i < keys.size(); i++) {
      maybe.set(i, keys.get(i).count < dicts);
    }
    return maybe;
  }

  /** Keys are equal if their types are, however many dicts have them. */
  @Override
  List<?> content() {
    return keys == null ? map : List.of(names, values(), maybe());
  }
}
