package io.github.serow.internal.schema;

import io.github.serow.SchemaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names that a class had before, and those of its properties or constants. They belong to the
 * class that reads and are no part of its schema. Rows of other schemas are read by them.
 *
 * @param own the former names of the class
 * @param parts the former names of each property or constant, in the order of the schema
 */
public record Former(List<String> own, List<List<String>> parts) {
  /** No former names. */
  public static final Former NONE = new Former(List.of(), List.of());

  /** Whether there are none. */
  public boolean isEmpty() {
    return own.isEmpty() && parts.stream().allMatch(List::isEmpty);
  }

  /**
   * Checks that each of the names means one part.
   *
   * @param part what a part is: a property or a constant
   * @param present the present names of the parts
   * @return these names
   * @throws SchemaException if a name could mean two parts; it says which, but not of what class
   */
  public Former checked(String part, List<String> present) {
    for (String name : own) {
      checkName(name);
    }
    Map<String, Integer> known = new HashMap<>();
    for (int at = 0; at < parts.size(); at++) {
      for (String name : parts.get(at)) {
        checkName(name);
        int other = present.indexOf(name);
        if (other >= 0 && other != at) {
          throw new SchemaException(
              ("has a %s %s with the former name %s, which is the name of another %s;"
                      + " take it from the former names, or give the other another name")
                  .formatted(part, present.get(at), name, part));
        }
        Integer before = known.put(name, at);
        if (before != null && before != at) {
          throw new SchemaException(
              ("has two of these with the former name %s, %s and %s; only one of them can"
                      + " have had it")
                  .formatted(name, present.get(before), present.get(at)));
        }
      }
    }
    return this;
  }

  private static void checkName(String name) {
    if (!Names.isName(name)) {
      throw new SchemaException("has a former name with a lone surrogate");
    }
  }
}
