package io.github.serow.internal.evolution;

import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the reader's fields and members for those of a writer, by present and former names. */
final class NameMatch {
  private NameMatch() {}

  /** A field of the reader that some rows have by one name and others by another. */
  static final class UnclearException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The index of the reader's field. */
    final int field;

    /** Two of the writer's fields. Rows may lack the first. */
    final String first;

    final String other;

    UnclearException(int field, String first, String other) {
      super(null, null, false, false);
      this.field = field;
      this.first = first;
      this.other = other;
    }
  }

  private static Map<String, Integer> places(List<String> names) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      places.put(names.get(i), i);
    }
    return places;
  }

  /** For each of the writer's fields the reader's field that gets its values; -1 for none. */
  static int[] fields(Type writer, Type reader, Former former) throws UnclearException {
    Map<String, Integer> present = places(reader.names());
    int[] places = new int[writer.names().size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = present.getOrDefault(writer.names().get(i), -1);
    }
    Map<String, Integer> written = former.isEmpty() ? Map.of() : places(writer.names());
    for (int field = 0; field < reader.names().size() && field < former.parts().size(); field++) {
      List<String> names = new ArrayList<>(former.parts().get(field));
      names.add(0, reader.names().get(field));
      List<Integer> found =
          names.stream().filter(written::containsKey).map(written::get).distinct().toList();
      if (found.isEmpty()) {
        continue;
      }
      int first = found.get(0);
      places[first] = field;
      if (writer.maybe().get(first) && found.size() > 1) {
        throw new UnclearException(
            field, writer.names().get(first), writer.names().get(found.get(1)));
      }
    }
    return places;
  }

  /**
   * For each of the writer's members the reader's index of the same member: the one with its name,
   * or else the one that had its name, or else the first one with its value; -1 for none.
   */
  static int[] members(Type writer, Type reader, Former former) {
    Map<String, Integer> present = places(reader.names());
    Map<String, Integer> was = new HashMap<>();
    for (int i = 0; i < former.parts().size(); i++) {
      for (String name : former.parts().get(i)) {
        was.put(name, i);
      }
    }
    int[] places = new int[writer.names().size()];
    for (int i = 0; i < places.length; i++) {
      String name = writer.names().get(i);
      Integer place = present.getOrDefault(name, was.get(name));
      places[i] =
          place != null
              ? place
              : writer.values().isEmpty() ? -1 : reader.values().indexOf(writer.values().get(i));
    }
    return places;
  }
}
