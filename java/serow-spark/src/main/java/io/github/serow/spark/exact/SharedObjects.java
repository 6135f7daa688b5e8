package io.github.serow.spark.exact;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds mutable objects that a graph contains twice, and that would come back as two. Only classes
 * of which a graph may have several objects can, so graphs of most layouts need no check.
 */
final class SharedObjects {
  private static final int MANY = 2;

  /**
   * A class at a position.
   *
   * @param mustBeOnce whether each of its objects must be there only once
   * @param parts what is checked in its parts; null if there is nothing to check
   */
  private record Check(ExactClass of, boolean mustBeOnce, List<List<Check>> parts) {}

  /** What is checked of the root. Empty if there is nothing to check. */
  private final List<Check> root;

  /** {@code root}: the layout of a graph, which does not change any more. */
  SharedObjects(Position root) {
    this.root = checks(root, counts(root));
  }

  /** The checks of the classes at a position. None if there is nothing to check. */
  private static List<Check> checks(Position position, Map<ExactClass, Integer> counts) {
    List<Check> checks =
        position.arms.stream()
            .map(
                arm -> {
                  List<List<Check>> parts =
                      arm.parts().stream().map(part -> checks(part, counts)).toList();
                  boolean hasNone = parts.stream().allMatch(List::isEmpty);
                  boolean mustBeOnce = counts.getOrDefault(arm.of(), 0) > 1;
                  return new Check(arm.of(), mustBeOnce, hasNone ? null : parts);
                })
            .toList();
    return checks.stream().anyMatch(it -> it.mustBeOnce || it.parts != null) ? checks : List.of();
  }

  /**
   * Checks a graph of this layout.
   *
   * @throws MisfitException if it contains a mutable object twice
   */
  void check(Object graph) throws MisfitException {
    if (!root.isEmpty()) {
      check(root, graph, Collections.newSetFromMap(new IdentityHashMap<>()));
    }
  }

  private static void check(List<Check> checks, Object value, Set<Object> found)
      throws MisfitException {
    if (value == null || checks.isEmpty()) {
      return;
    }
    for (Check check : checks) {
      if (checks.size() > 1 && !check.of.takes(value)) {
        continue;
      }
      if (check.mustBeOnce && !found.add(value)) {
        throw new MisfitException("a row contains a mutable " + check.of.type.getName() + " twice");
      }
      if (check.parts != null) {
        check.of.visit(value, (part, inner) -> check(check.parts.get(part), inner, found));
      }
      return;
    }
  }

  /**
   * Checks that a graph has at most one buffer or array of bytes, if it has a buffer: buffers may
   * share their array with others.
   */
  static void checkBuffers(Position root) throws MisfitException {
    Map<ExactClass, Integer> counts = counts(root);
    int buffers = counts.getOrDefault(Scalars.BUFFER, 0);
    int arrays = counts.getOrDefault(PrimitiveArrays.BYTES, 0);
    if (buffers > 0 && buffers + arrays > 1) {
      throw new MisfitException("a row has a buffer and may have another one with its array");
    }
  }

  /** For each mutable class, how many objects a graph may have: {@link #MANY} are any number. */
  private static Map<ExactClass, Integer> counts(Position root) {
    Map<ExactClass, Integer> counts = new HashMap<>();
    count(root, 1, counts);
    return counts;
  }

  /** {@code times}: how many objects of one class there may be at this position in a graph. */
  private static void count(Position position, int times, Map<ExactClass, Integer> counts) {
    for (Position.Node arm : position.arms) {
      if (arm.of().isMutable) {
        counts.merge(arm.of(), times, (a, b) -> Math.min(MANY, a + b));
      }
      int below = arm.of().hasManyParts() ? MANY : times;
      arm.parts().forEach(part -> count(part, below, counts));
    }
  }
}
