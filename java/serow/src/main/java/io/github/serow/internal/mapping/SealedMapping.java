package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.UnionNode;
import io.github.serow.internal.types.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A sealed type: a union of its classes. */
final class SealedMapping extends Mapping {
  private final List<Mapping> arms;

  /**
   * With the mappings of the classes.
   *
   * @param place where the type is, for errors
   */
  SealedMapping(Class<?> type, String place, List<Mapping> arms) {
    this.arms = arms;
    Map<Type, Mapping> identities = new HashMap<>();
    for (Mapping arm : arms) {
      if (identities.put(identity(arm.type()), arm) != null) {
        throw Mapper.refused(
            place,
            ("is of the sealed type %s, and two of its classes are %s in the schema; give"
                    + " one of them another name with @Name")
                .formatted(type.getName(), arm.type()));
      }
    }
  }

  /** What distinguishes an arm from others: of a record its names. */
  private static Type identity(Type arm) {
    return arm.isRecord() ? Type.struct(arm.name(), arm.names(), arm.maybe(), List.of()) : arm;
  }

  @Override
  public Type type() {
    return Type.union(arms.stream().map(Mapping::type).toList());
  }

  @Override
  public Node node(Place place) {
    return new UnionNode(place, (arm, i) -> of(arm.type()).node(arm));
  }

  private Mapping of(Type type) {
    return arms.stream().filter(arm -> arm.type().equals(type)).findFirst().orElseThrow();
  }

  @Override
  public boolean isFixed() {
    return arms.stream().allMatch(Mapping::isFixed);
  }
}
