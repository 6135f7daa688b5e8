package io.github.serow.spark.exact;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the mutable classes of which a row may have several objects. Only these can be shared, so
 * rows of most shapes need no check.
 */
final class Sharing {
  private static final int MANY = 2;

  private final Map<ExactClass, Integer> counts = new HashMap<>();

  private Sharing() {}

  static Set<ExactClass> of(Position root) {
    Sharing sharing = new Sharing();
    sharing.count(root, 1);
    Set<ExactClass> shared = new HashSet<>();
    sharing.counts.forEach(
        (type, count) -> {
          if (count > 1) {
            shared.add(type);
          }
        });
    return shared;
  }

  /**
   * Checks that a graph has at most one buffer or array of bytes, if it has a buffer: buffers may
   * share their array with others.
   */
  static void checkBuffers(Position root) throws MisfitException {
    Position.Node pair = root.arm(PairClass.PAIR);
    for (Position graph : pair == null ? List.of(root) : pair.parts()) {
      Sharing sharing = new Sharing();
      sharing.count(graph, 1);
      int buffers = sharing.counts.getOrDefault(HeapBuffer.BUFFER, 0);
      int arrays = 0;
      for (Map.Entry<ExactClass, Integer> each : sharing.counts.entrySet()) {
        arrays += each.getKey().type == byte[].class ? each.getValue() : 0;
      }
      if (buffers > 0 && buffers + arrays > 1) {
        throw new MisfitException("a row has a buffer and may have another one with its array");
      }
    }
  }

  /** {@code times}: how many objects of one class there may be at this position in a row. */
  private void count(Position position, int times) {
    for (Position.Node arm : position.arms) {
      if (arm.of().isMutable) {
        counts.merge(arm.of(), times, (a, b) -> Math.min(MANY, a + b));
      }
      int below = arm.of().hasManyParts() ? MANY : times;
      arm.parts().forEach(part -> count(part, below));
    }
  }
}
