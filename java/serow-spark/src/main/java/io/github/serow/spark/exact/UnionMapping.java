package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.mapping.ObjectMapping;
import io.github.serow.internal.mapping.ObjectMapping.Maker;
import io.github.serow.internal.mapping.ObjectMapping.Property;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.UnionNode;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.types.Type;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A position with objects of several classes: a union of records, which are named after them. */
final class UnionMapping extends Mapping {
  private static final MethodHandle IDENTITY = MethodHandles.identity(Object.class);

  private record Arm(ExactClass of, Mapping mapping) {}

  /** By the names of the records. */
  private final Map<String, Arm> arms = new LinkedHashMap<>();

  UnionMapping(List<Position.Node> classes) {
    for (Position.Node it : classes) {
      arms.put(it.of().type.getName(), new Arm(it.of(), record(it.of(), it.mapping())));
    }
  }

  /** A value of a type that is no record becomes the only field of one. */
  private static Mapping record(ExactClass of, Mapping mapping) {
    if (mapping instanceof ObjectMapping) {
      return mapping;
    }
    Property value = new Property("value", List.of(), Object.class, mapping, IDENTITY, null, null);
    Maker maker = new Maker(IDENTITY, false, null, false);
    return of.record(List.of(value), maker);
  }

  @Override
  public Type type() {
    return Type.union(arms.values().stream().map(arm -> arm.mapping.type()).toList());
  }

  @Override
  public Node node(Place place) {
    return new UnionNode(place, (part, i) -> node(part, arms.get(part.type().name())));
  }

  private static Node node(Place place, Arm arm) {
    return new WrappedNode(place, arm.mapping.node(place), arm.of::takes, null, null);
  }
}
