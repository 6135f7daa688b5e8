package io.github.serow.internal.types;

import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The dicts at one place: fixed keys, or a map. It is immutable.
 *
 * <p>A key that some dicts lack costs something in each of them, and an entry of a map costs its
 * key. So dicts have fixed keys as long as the keys that some of them lack are few for the keys
 * that they have. {@code crates/core/src/schema/dict_shapes.rs} has the same rule.
 */
final class DictShape {
  /** The fixed keys, in the order in which they were first seen; null for a map. */
  private final List<String> names;

  /** The value of each key. */
  private final List<Shape> values;

  /** For each key, the number of dicts that have it. */
  private final long[] counts;

  private final long dicts;

  /** The schemas so far. */
  private final Growth growth;

  /** The index of each key. It is made when it is first needed. */
  private Map<String, Integer> places;

  /** The joined keys of a map; otherwise null. */
  private final Shape mapKey;

  /** The joined values of a map; otherwise null. */
  private final Shape mapValue;

  private DictShape(
      List<String> names,
      List<Shape> values,
      long[] counts,
      long dicts,
      Growth growth,
      Shape mapKey,
      Shape mapValue) {
    this.names = names;
    this.values = values;
    this.counts = counts;
    this.dicts = dicts;
    this.growth = growth;
    this.mapKey = mapKey;
    this.mapValue = mapValue;
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
  private record Growth(int keys, int required, int count, int lapses) {
    static final Growth NONE = new Growth(0, 0, 0, 0);
  }

  /** The keys of one dict. */
  static DictShape ofKeys(List<String> names, List<Shape> values) {
    long[] counts = new long[names.size()];
    Arrays.fill(counts, 1);
    return new DictShape(names, values, counts, 1, Growth.NONE, null, null);
  }

  /**
   * The keys of dicts of a type. How many dicts have a key that may be missing is not known: they
   * count as two dicts, and one of them has it. So the type of the result is this type again.
   */
  static DictShape ofType(List<String> names, List<Shape> values, BitSet maybe) {
    long[] counts = new long[names.size()];
    Arrays.setAll(counts, i -> maybe.get(i) ? 1 : 2);
    return new DictShape(names, values, counts, 2, Growth.NONE, null, null);
  }

  static DictShape ofMap(Shape key, Shape value) {
    return new DictShape(null, null, null, 0, Growth.NONE, key, value);
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
      return joined.names.size() > Limits.MAX_INFERRED_KEYS ? joined.asMap() : joined;
    }
    DictShape a = asMap();
    DictShape b = other.asMap();
    Shape key = a.mapKey.join(b.mapKey);
    Shape value = a.mapValue.join(b.mapValue);
    return key == mapKey && value == mapValue ? this : ofMap(key, value);
  }

  private DictShape joinKeys(DictShape other) {
    if (names.equals(other.names)) {
      long[] sums = counts.clone();
      Arrays.setAll(sums, i -> sums[i] + other.counts[i]);
      return with(names, FieldShapes.join(values, other.values), sums, dicts + other.dicts);
    }
    if (places == null) {
      places = places(names);
    }
    List<String> allNames = names;
    List<Shape> allValues = values;
    long[] sums = Arrays.copyOf(counts, names.size() + other.names.size());
    for (int i = 0; i < other.names.size(); i++) {
      String name = other.names.get(i);
      Integer at = places.get(name);
      if (at == null) {
        allNames = allNames == names ? new ArrayList<>(names) : allNames;
        allValues = allValues == values ? new ArrayList<>(values) : allValues;
        sums[allNames.size()] = other.counts[i];
        allNames.add(name);
        allValues.add(other.values.get(i));
        continue;
      }
      sums[at] += other.counts[i];
      Shape joined = allValues.get(at).join(other.values.get(i));
      if (joined != allValues.get(at)) {
        allValues = allValues == values ? new ArrayList<>(values) : allValues;
        allValues.set(at, joined);
      }
    }
    sums = Arrays.copyOf(sums, allNames.size());
    return with(allNames, allValues, sums, dicts + other.dicts);
  }

  /** These keys after others were joined. */
  private DictShape with(List<String> names, List<Shape> values, long[] counts, long dicts) {
    DictShape all = new DictShape(names, values, counts, dicts, growth, null, null);
    all.places = names == this.names ? places : null;
    return all;
  }

  private static Map<String, Integer> places(List<String> names) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      places.put(names.get(i), i);
    }
    return places;
  }

  /** For each key, whether some dict lacks it. */
  private BitSet maybe() {
    BitSet maybe = new BitSet();
    for (int i = 0; i < counts.length; i++) {
      maybe.set(i, counts[i] < dicts);
    }
    return maybe;
  }

  /** Whether the keys are data, so that the dicts are maps. */
  private boolean areData() {
    long optional = maybe().cardinality();
    boolean areMany =
        optional * dicts > Arrays.stream(counts).sum() * Limits.OPTIONAL_KEYS_PER_KEY
            && optional > Limits.FEW_OPTIONAL_KEYS;
    // A union has a limited number of arms, and a dict with fixed keys has a type for each.
    return (areMany || growth.count > Limits.MAX_GROWTHS)
        && Shape.joined(values).mostArms() <= Limits.MAX_ARMS;
  }

  /**
   * Counts how often schemas follow each other soon, because of keys that no dict had before, or
   * that all had. After a few of the latter all keys become optional, as if a dict had none: then a
   * dict that lacks some more keys fits.
   */
  private DictShape grow(boolean soon) {
    int keys = names.size();
    int required = keys - maybe().cardinality();
    boolean isLater = soon && growth.keys > 0;
    boolean grew = isLater && (growth.keys != keys || growth.required != required);
    boolean lapsed = isLater && required < growth.required;
    int lapses = growth.lapses + (lapsed ? 1 : 0);
    boolean allOptional = lapsed && lapses == Limits.FEW_LAPSES;
    Growth next =
        new Growth(keys, allOptional ? 0 : required, growth.count + (grew ? 1 : 0), lapses);
    long more = allOptional ? dicts + 1 : dicts;
    DictShape grown = new DictShape(names, values, counts, more, next, null, null);
    grown.places = places;
    return grown;
  }

  /** See {@link Shape#mostArms}. The dicts may become a map. */
  int mostArms() {
    DictShape map = asMap();
    return Math.max(map.mapKey.mostArms(), map.mapValue.mostArms());
  }

  /** See {@link Shape#settle}. */
  DictShape settle(boolean soon) {
    if (names == null) {
      return ofMap(mapKey.settle(soon), mapValue.settle(soon));
    }
    DictShape grown = grow(soon);
    return grown.areData()
        ? grown.asMap().settle(soon)
        : grown.with(names, FieldShapes.settle(values, soon), counts, grown.dicts);
  }

  Type type() {
    if (names == null || areData()) {
      DictShape map = asMap();
      return Type.of(TypeCodes.MAP, List.of(map.mapKey.type(), map.mapValue.type()));
    }
    return Type.struct(null, names, maybe(), values.stream().map(Shape::type).toList());
  }

  /** Keys are equal if their types are, however many dicts have them. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DictShape it
        && Objects.equals(names, it.names)
        && Objects.equals(values, it.values)
        && (names == null || maybe().equals(it.maybe()))
        && Objects.equals(mapKey, it.mapKey)
        && Objects.equals(mapValue, it.mapValue);
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, values, mapKey, mapValue);
  }
}
