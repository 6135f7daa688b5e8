package io.github.serow.decode;

import io.github.serow.encode.Uniqueness;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.PublicTypes;
import io.github.serow.wire.Columns;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts the columns of a frame to rows of one schema. {@code RowReaderGenerator} generates a
 * subclass for each schema.
 */
public abstract class RowReader {
  /** Makes a set of elements. */
  public static Object set(Object[] elements, boolean hasArrays) {
    return Uniqueness.set(elements, hasArrays);
  }

  /** Makes a frozenset of elements. */
  public static Object frozenSet(Object[] elements, boolean hasArrays) {
    return PublicTypes.frozenSet(Uniqueness.set(elements, hasArrays));
  }

  /** Makes a map of entries; each key precedes its value. */
  public static Object map(Object[] entries, boolean hasArrays) {
    return Uniqueness.map(entries, hasArrays);
  }

  /** Makes a dict of values. */
  public static Object dict(Object[] values, Names names) {
    Map<String, Object> dict = new LinkedHashMap<>(Uniqueness.capacity(values.length));
    for (int i = 0; i < values.length; i++) {
      if (values[i] != Names.MISSING) {
        dict.put(names.fields.get(i), values[i]);
      }
    }
    return dict;
  }

  /** Makes a record of values. */
  public static Object record(Object[] values, Names names) {
    return PublicTypes.row(names, values);
  }

  public static Object member(int index, Enumeration of) {
    return of.members.get(index);
  }

  /** Reads the rows in the windows of {@code columns}, as many as {@code rows} has elements. */
  public abstract void readWindow(Columns columns, Object[] rows);
}
