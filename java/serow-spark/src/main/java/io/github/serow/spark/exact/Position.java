package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.mapping.OptionalMapping;
import io.github.serow.internal.types.TypeCodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A place in rows, with the classes of the objects that were seen there. It changes while a layout
 * is inferred or parsed, and never again after that.
 */
final class Position {
  /** A class at a position, with the positions of its parts. */
  record Node(ExactClass of, List<Position> parts) {
    Node(ExactClass of) {
      this(of, new ArrayList<>());
      for (int i = 0; i < of.parts; i++) {
        parts.add(new Position());
      }
    }

    private Node copy() {
      return new Node(of, parts.stream().map(Position::copy).toList());
    }

    Mapping mapping() {
      return of.mapping(parts.stream().map(Position::mapping).toList());
    }
  }

  /** Whether there was a null. */
  boolean isNullable;

  /** The classes in the order of their names. None if there was no object. */
  final List<Node> arms = new ArrayList<>();

  /** The arm of a class; null if there is none yet. */
  Node arm(ExactClass of) {
    for (Node arm : arms) {
      if (arm.of == of) {
        return arm;
      }
    }
    return null;
  }

  /** Adds the arm of a class that has none yet. */
  Node add(ExactClass of) {
    Node arm = new Node(of);
    arms.add(arm);
    arms.sort(Comparator.comparing(it -> it.of.type.getName()));
    return arm;
  }

  /** Whether another class has this name, in another class loader. */
  boolean hasName(ExactClass of) {
    return arms.stream().anyMatch(arm -> arm.of.type.getName().equals(of.type.getName()));
  }

  Position copy() {
    Position copy = new Position();
    copy.isNullable = isNullable;
    arms.forEach(arm -> copy.arms.add(arm.copy()));
    return copy;
  }

  /** The number of classes here and below. */
  int nodes() {
    return arms.stream()
        .mapToInt(arm -> 1 + arm.parts.stream().mapToInt(Position::nodes).sum())
        .sum();
  }

  /** The graphs of a row, within each of which objects may be shared. */
  List<Position> graphs() {
    Node pair = arm(PairClass.PAIR);
    return pair == null ? List.of(this) : pair.parts;
  }

  /** The mapping of the objects here. */
  Mapping mapping() {
    if (arms.isEmpty()) {
      return StepMapping.scalar(isNullable ? TypeCodes.NULL : TypeCodes.NEVER);
    }
    Mapping mapping = arms.size() == 1 ? arms.get(0).mapping() : new UnionMapping(arms);
    return isNullable ? new OptionalMapping(mapping) : mapping;
  }

  /** Whether there may be a mutable object here or below. */
  boolean isMutable() {
    return arms.stream()
        .anyMatch(arm -> arm.of().isMutable || arm.parts().stream().anyMatch(Position::isMutable));
  }
}
