package io.github.serow.exact;

import java.util.HashMap;
import java.util.HashSet;
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
