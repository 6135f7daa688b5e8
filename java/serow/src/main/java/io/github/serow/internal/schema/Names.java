package io.github.serow.internal.schema;

import io.github.serow.internal.wire.TypeMismatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The names of a record's fields, or the keys of a dict with fixed keys. All values of one type
 * share them.
 */
public final class Names {
  /** The value of a missing field of a dict. */
  public static final Object MISSING = new Object();

  /** The name of a record type; null for a dict. */
  public final String name;

  public final List<String> fields;

  /** Which keys of a dict may be missing. A record has all its fields. */
  private final BitSet maybe;

  private final Map<String, Integer> places;
  private final int hash;

  public Names(String name, List<String> fields, BitSet maybe) {
    this.name = name;
    this.fields = List.copyOf(fields);
    this.maybe = maybe;
    places = new HashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      places.put(fields.get(i), i);
    }
    hash = Objects.hash(name, this.fields);
  }

  /** For a record, or a dict with all its keys. */
  public Names(String name, List<String> fields) {
    this(name, fields, new BitSet());
  }

  /** Whether a text can be a name: it must not contain lone surrogates. */
  public static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /** Throws unless these are distinct names. */
  public static List<String> checked(List<String> names, String what) {
    for (String name : names) {
      if (!isName(name)) {
        throw new IllegalArgumentException(what + " has a lone surrogate: " + name);
      }
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(what + " comes twice in " + names);
    }
    return names;
  }

  /** The index of the field with this name, or -1. */
  public int place(Object field) {
    Integer place = places.get(field);
    return place == null ? -1 : place;
  }

  /**
   * The values of a dict's keys in the order of these names, with {@link #MISSING} for missing
   * keys.
   *
   * @throws TypeMismatch if it has another key, or lacks a required one
   */
  public Object[] valuesOf(Map<?, ?> dict) {
    Object[] values = new Object[fields.size()];
    Arrays.fill(values, MISSING);
    int found = 0;
    int next = 0;
    for (Map.Entry<?, ?> entry : dict.entrySet()) {
      Object key = entry.getKey();
      // The keys of most maps have the same order as those before them.
      int place = next < values.length && fields.get(next).equals(key) ? next : place(key);
      if (place < 0 || values[place] != MISSING) {
        throw new TypeMismatch(dict);
      }
      values[place] = entry.getValue();
      next = place + 1;
      found++;
    }
    for (int i = 0; found < values.length && i < values.length; i++) {
      if (values[i] == MISSING && !maybe.get(i)) {
        throw new TypeMismatch(dict);
      }
    }
    return values;
  }

  /** Describes the first key that {@code dict} has in addition to these or lacks. */
  public String difference(Map<?, ?> dict) {
    Set<Object> seen = new HashSet<>();
    for (Object key : dict.keySet()) {
      if (place(key) < 0) {
        return key instanceof String
            ? "with another key, \"" + key + "\""
            : "with a key that is not a String";
      }
      if (!seen.add(key)) {
        return "with the key \"" + key + "\" twice";
      }
    }
    for (int i = 0; i < fields.size(); i++) {
      if (!maybe.get(i) && !seen.contains(fields.get(i))) {
        return "without the key \"" + fields.get(i) + "\"";
      }
    }
    return null;
  }

  /** Names are equal if they consist of equal texts; which may be missing does not matter. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Names names
        && hash == names.hash
        && Objects.equals(name, names.name)
        && fields.equals(names.fields);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
