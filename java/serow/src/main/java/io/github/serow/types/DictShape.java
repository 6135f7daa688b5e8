package io.github.serow.types;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The dicts at one place: fixed keys, or a map. It is immutable. */
final class DictShape {
  /** Dicts with more different keys become a map. */
  private static final int MAX_KEYS = 4096;

  /**
   * Dicts with more different keys become a map if some dicts lack some keys and all values have
   * one type.
   */
  private static final int MAX_SPARSE_KEYS = 32;

  /** The fixed keys, in the order in which they were first seen; null for a map. */
  private final List<String> names;

  /** The value of each key. */
  private final List<Shape> values;

  /** For each key, whether some dict lacks it. */
  private final BitSet maybe;

  /** The index of each key. It is made when it is first needed. */
  private Map<String, Integer> places;

  /** The joined keys of a map; otherwise null. */
  private final Shape mapKey;

  /** The joined values of a map; otherwise null. */
  private final Shape mapValue;

  private DictShape(
      List<String> names, List<Shape> values, BitSet maybe, Shape mapKey, Shape mapValue) {
    this.names = names;
    this.values = values;
    this.maybe = maybe;
    this.mapKey = mapKey;
    this.mapValue = mapValue;
  }

  static DictShape ofKeys(List<String> names, List<Shape> values) {
    return ofKeys(names, values, new BitSet());
  }

  static DictShape ofKeys(List<String> names, List<Shape> values, BitSet maybe) {
    return new DictShape(names, values, maybe, null, null);
  }

  static DictShape ofMap(Shape key, Shape value) {
    return new DictShape(null, null, null, key, value);
  }

  private DictShape asMap() {
    if (names == null) {
      return this;
    }
    Shape key = names.isEmpty() ? Shape.NEVER : Shape.scalar(TypeCodes.STR);
    return ofMap(key, Shape.joined(values));
  }

  DictShape join(DictShape other) {
    if (names != null && other.names != null) {
      DictShape joined = joinKeys(other);
      return joined.names.size() > MAX_KEYS ? joined.asMap() : joined;
    }
    DictShape a = asMap();
    DictShape b = other.asMap();
    Shape key = a.mapKey.join(b.mapKey);
    Shape value = a.mapValue.join(b.mapValue);
    return key == mapKey && value == mapValue ? this : ofMap(key, value);
  }

  private DictShape joinKeys(DictShape other) {
    if (names.equals(other.names)) {
      List<Shape> joined = FieldShapes.join(values, other.values);
      BitSet missing = or(maybe, other.maybe);
      return joined == values && missing == maybe ? this : with(joined, missing);
    }
    if (places == null) {
      places = places(names);
    }
    List<String> allNames = names;
    List<Shape> allValues = values;
    BitSet missing = new BitSet();
    missing.set(0, names.size());
    BitSet others = new BitSet();
    for (int i = 0; i < other.names.size(); i++) {
      String name = other.names.get(i);
      Integer at = places.get(name);
      if (at == null) {
        allNames = allNames == names ? new ArrayList<>(names) : allNames;
        allValues = allValues == values ? new ArrayList<>(values) : allValues;
        others.set(allNames.size());
        allNames.add(name);
        allValues.add(other.values.get(i));
        continue;
      }
      missing.clear(at);
      others.set(at, other.maybe.get(i));
      Shape joined = allValues.get(at).join(other.values.get(i));
      if (joined != allValues.get(at)) {
        allValues = allValues == values ? new ArrayList<>(values) : allValues;
        allValues.set(at, joined);
      }
    }
    BitSet allMaybe = or(or(maybe, missing), others);
    if (allNames != names) {
      return ofKeys(allNames, allValues, allMaybe);
    }
    return allValues == values && allMaybe == maybe ? this : with(allValues, allMaybe);
  }

  /** The same keys with other values. */
  private DictShape with(List<Shape> values, BitSet maybe) {
    DictShape dicts = ofKeys(names, values, maybe);
    dicts.places = places;
    return dicts;
  }

  private static Map<String, Integer> places(List<String> names) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      places.put(names.get(i), i);
    }
    return places;
  }

  /** The union of two sets; the first if the second adds nothing. */
  private static BitSet or(BitSet a, BitSet b) {
    BitSet all = (BitSet) a.clone();
    all.or(b);
    return all.equals(a) ? a : all;
  }

  /**
   * Dicts have fixed keys, unless there are many keys, some dicts lack some, and all values have
   * one type.
   */
  TypeTree type() {
    boolean isSparse = names != null && names.size() > MAX_SPARSE_KEYS && !maybe.isEmpty();
    if (names == null || isSparse && !Shape.joined(values).isMixed()) {
      DictShape map = asMap();
      return TypeTree.of(TypeCodes.MAP, List.of(map.mapKey.type(), map.mapValue.type()));
    }
    return TypeTree.struct(null, names, maybe, values.stream().map(Shape::type).toList());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DictShape dicts
        && Objects.equals(names, dicts.names)
        && Objects.equals(values, dicts.values)
        && Objects.equals(maybe, dicts.maybe)
        && Objects.equals(mapKey, dicts.mapKey)
        && Objects.equals(mapValue, dicts.mapValue);
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, values, maybe, mapKey, mapValue);
  }
}
