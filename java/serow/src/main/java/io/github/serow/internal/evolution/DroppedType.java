package io.github.serow.internal.evolution;

import io.github.serow.Times;
import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.LogicalNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.types.NumberTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import java.util.List;

/**
 * A type whose values are dropped. They need not be values that Java's classes hold, so only their
 * components are read; and sets and maps may hold something twice, as for native code.
 */
final class DroppedType {
  private DroppedType() {}

  /** The node that reads values of {@code type} to drop them. */
  static Node node(Type type) {
    return Nodes.of(withLists(type), Times.EXACT, place -> Nodes.plain(place, DroppedType::leaf))
        .root();
  }

  /** The type of the same bytes that has lists in place of sets, and lists of entries of maps. */
  private static Type withLists(Type type) {
    List<Type> parts = type.parts().stream().map(DroppedType::withLists).toList();
    return switch (type.code()) {
      case TypeCodes.SET, TypeCodes.FROZENSET -> Type.of(TypeCodes.LIST, parts);
      case TypeCodes.MAP -> Type.of(TypeCodes.LIST, List.of(Type.of(TypeCodes.TUPLE_BEGIN, parts)));
      default -> type.with(parts);
    };
  }

  private static Node leaf(Place place) {
    CompositeType type = CompositeTypes.ofCode(place.type().code());
    boolean isSized = NumberTypes.isNumber(type.code()) && type != CompositeTypes.INT;
    return new LogicalNode(
        place,
        isSized
            ? type
            : type.withReader(
                (in, numbers, bytes, row) -> {
                  for (int i = 0; i < type.ints(); i++) {
                    in.i64(numbers + i, row);
                  }
                  for (int i = 0; i < type.floats(); i++) {
                    in.f64(numbers + i, row);
                  }
                  if (type.hasBytes()) {
                    in.get(bytes, in.bytes(bytes, row));
                  }
                  return null;
                }));
  }
}
