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
import io.github.serow.internal.wire.ValueSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A type of several components where values are dropped. They need not be values that Java's
 * classes hold, so only their components are read.
 */
final class DroppedType {
  private DroppedType() {}

  /** The node that reads values of {@code type} to drop them. */
  static Node node(Type type) {
    return Nodes.of(type, Times.EXACT, place -> Nodes.plain(place, DroppedType::leaf)).root();
  }

  private static Node leaf(Place place) {
    CompositeType type = CompositeTypes.ofCode(place.type().code());
    boolean isSized = NumberTypes.isNumber(type.code()) && type != CompositeTypes.INT;
    return new LogicalNode(
        place,
        isSized
            ? type
            : type.withReader(
                (in, numbers, bytes, row) -> components(type, in, numbers, bytes, row)));
  }

  /** The components, which are equal if those of two values are. */
  private static List<Object> components(
      CompositeType type, ValueSource in, int numbers, int bytes, int row) {
    List<Object> components = new ArrayList<>();
    for (int i = 0; i < type.ints(); i++) {
      components.add(in.i64(numbers + i, row));
    }
    for (int i = 0; i < type.floats(); i++) {
      components.add(in.f64(numbers + i, row));
    }
    if (type.hasBytes()) {
      components.add(ByteBuffer.wrap(in.get(bytes, in.bytes(bytes, row))));
    }
    return components;
  }
}
