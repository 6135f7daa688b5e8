package io.github.serow.schema;

import io.github.serow.wire.TypeMismatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the fields of a record are called, or the keys of a dict with fixed keys. All values of one
 * type share it.
 */
public final class Names {
  /** Stands among the fields of a dict for one that it does not have. */
  public static final Object MISSING = new Object();

  /** The name of a record's type; null for a dict. */
  public final String name;

  public final List<String> fields;

  /** Whether a dict may be without a key; a record has all its fields. */
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

  /** Those of a record, or of a dict that has all its keys. */
  public Names(String name, List<String> fields) {
    this(name, fields, new BitSet());
  }

  /** True if a text can be a name: surrogates do not stand alone in it. */
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

  /** Fails unless these are names and none comes twice. */
  public static List<String> checked(List<String> names, String what) {
    for (String name : names) {
      if (!isName(name)) {
        throw new IllegalArgumentException(what + " has a surrogate that stands alone: " + name);
      }
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(what + " comes twice in " + names);
    }
    return names;
  }

  /** The place of the field of this name, or -1. */
  public int place(Object field) {
    Integer place = places.get(field);
    return place == null ? -1 : place;
  }

  /**
   * The values of a dict's keys in the order of these names, with {@link #MISSING} for what it does
   * not have.
   *
   * @throws TypeMismatch if it has another key, or lacks one that it must have
   */
  public Object[] valuesOf(Map<?, ?> dict) throws TypeMismatch {
    Object[] values = new Object[fields.size()];
    Arrays.fill(values, MISSING);
    int found = 0;
    int next = 0;
    for (Map.Entry<?, ?> entry : dict.entrySet()) {
      Object key = entry.getKey();
      // Most maps have their keys in the order of those before them.
      int place = next < values.length && fields.get(next).equals(key) ? next : place(key);
      if (place < 0 || values[place] != MISSING) {
        throw TypeMismatch.MISMATCH;
      }
      values[place] = entry.getValue();
      next = place + 1;
      found++;
    }
    for (int i = 0; found < values.length && i < values.length; i++) {
      if (values[i] == MISSING && !maybe.get(i)) {
        throw TypeMismatch.MISMATCH;
      }
    }
    return values;
  }

  /** The first key that {@code dict} has and these are not, or that it lacks; in words. */
  public String difference(Map<?, ?> dict) {
    Set<Object> seen = new HashSet<>();
    for (Object key : dict.keySet()) {
      if (place(key) < 0) {
        return key instanceof String
            ? "with another key, \"" + key + "\""
            : "with a key that is no String";
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

  /** Names are equal if they name alike; what may be missing is of no account. */
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
