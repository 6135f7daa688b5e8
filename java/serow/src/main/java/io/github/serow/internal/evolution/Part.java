package io.github.serow.internal.evolution;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.types.Type;
import java.util.List;

/**
 * A part of a writer's or a reader's rows.
 *
 * @param node its node; null for the elements of an array of a primitive type, which have none
 */
record Part(Type type, Node node) {
  static Part of(Node root) {
    return new Part(root.type, root);
  }

  /** The part inside with this index. */
  Part part(int i) {
    Node inside = i < nodes().size() ? nodes().get(i) : null;
    // The node of a field that may be missing has that of its value.
    return new Part(type.parts().get(i), isMaybe(i) ? inside.parts().get(0) : inside);
  }

  private List<Node> nodes() {
    return node == null ? List.of() : node.parts();
  }

  /** The value that is not null. */
  Part required() {
    return part(0);
  }

  /** Whether the field with this index may be missing. */
  boolean isMaybe(int i) {
    return type.maybe().get(i);
  }

  int size() {
    return type.parts().size();
  }

  /** Whether the record or enum had this name. */
  boolean was(String name) {
    return node != null && node.former().own().contains(name);
  }
}
