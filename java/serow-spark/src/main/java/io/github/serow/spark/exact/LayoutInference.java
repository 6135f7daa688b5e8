package io.github.serow.spark.exact;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Finds the classes in a row. */
final class LayoutInference {
  /** Maximum nesting of objects. An object that contains itself exceeds it. */
  static final int MAX_DEPTH = 32;

  /** Maximum number of classes in a layout, counting each position. */
  static final int MAX_NODES = 4_096;

  /** Maximum number of classes at one position. */
  static final int MAX_ARMS = 16;

  /**
   * Maximum number of objects in a row whose layout is inferred. A list that contains one list
   * twice, which contains one list twice, and so on, exceeds it.
   */
  private static final int MAX_VISITS = 1 << 18;

  private final ExactClasses classes;
  private final Set<Object> mutable = Collections.newSetFromMap(new IdentityHashMap<>());
  private int nodes;
  private int visits;

  /** Adds to a layout that has this number of nodes. */
  LayoutInference(ExactClasses classes, int nodes) {
    this.classes = classes;
    this.nodes = nodes;
  }

  /** Adds a value to the position that it has. */
  void add(Position position, Object value, int depth) throws MisfitException {
    if (++visits > MAX_VISITS) {
      throw new MisfitException("a row has more than " + MAX_VISITS + " objects");
    }
    if (value == null) {
      position.isNullable = true;
      return;
    }
    if (depth > MAX_DEPTH) {
      throw new MisfitException("a row nests more than " + MAX_DEPTH + " deep, or contains itself");
    }
    addObject(position, value, classes.of(value.getClass()), depth);
  }

  void addObject(Position position, Object value, ExactClass of, int depth) throws MisfitException {
    boolean mustBeOnce = of.isMutable && classes.keepsSharing();
    if (mustBeOnce && !mutable.add(value)) {
      throw new MisfitException("a row contains a mutable " + of.type.getName() + " twice");
    }
    Position.Node known = position.arm(of);
    Position.Node node = known == null ? arm(position, of) : known;
    of.visit(
        value,
        (part, inner) -> {
          if (of == PairClass.PAIR) {
            mutable.clear();
          }
          add(node.parts().get(part), inner, depth + 1);
        });
  }

  private Position.Node arm(Position position, ExactClass of) throws MisfitException {
    if (position.arms.size() == MAX_ARMS || position.hasName(of)) {
      throw new MisfitException(
          "a row has objects of more than "
              + MAX_ARMS
              + " classes at one place, or of two classes"
              + " with the name "
              + of.type.getName());
    }
    if (++nodes > MAX_NODES) {
      throw new MisfitException("a row has more than " + MAX_NODES + " places for objects");
    }
    return position.add(of);
  }
}
