package io.github.serow.internal.row;

import io.github.serow.Times;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.ColumnLayout;
import java.util.function.Function;

/**
 * The nodes of a schema.
 *
 * @param root the node of the rows
 * @param columns the columns of a frame
 */
public record Nodes(Node root, ColumnLayout columns) {

  /** The nodes of plain rows. */
  public static Nodes of(Type type, Times times) {
    return of(type, times, Nodes::plain);
  }

  /** The nodes of rows for which {@code root} makes the node. */
  public static Nodes of(Type type, Times times, Function<Place, Node> root) {
    Place place = Place.of(type, times);
    return new Nodes(root.apply(place), place.columns().build());
  }

  /** The node of plain values at a place. */
  public static Node plain(Place place) {
    return plain(place, LogicalNode::new);
  }

  /** The same, where {@code logical} makes the nodes of values of several components. */
  public static Node plain(Place place, Function<Place, Node> logical) {
    return switch (place.type().code()) {
      case TypeCodes.I64, TypeCodes.F64, TypeCodes.BOOL -> new NumberNode(place);
      case TypeCodes.STR -> new TextNode(place);
      case TypeCodes.NULL, TypeCodes.NEVER -> new NothingNode(place);
      case TypeCodes.OPTIONAL -> new OptionalNode(place, part -> plain(part, logical));
      case TypeCodes.LIST_BEGIN,
          TypeCodes.TUPLE_BEGIN,
          TypeCodes.DICT_BEGIN,
          TypeCodes.RECORD_BEGIN ->
          new FieldsNode(place, (field, i) -> plain(field, logical));
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET, TypeCodes.MAP ->
          new SequenceNode(place, (element, i) -> plain(element, logical));
      case TypeCodes.UNION_BEGIN -> new UnionNode(place, (arm, i) -> plain(arm, logical));
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> new EnumNode(place);
      default -> logical.apply(place);
    };
  }
}
