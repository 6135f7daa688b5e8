package io.github.serow.mapping;

import io.github.serow.SchemaException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A sealed interface or class: a union of the classes that may implement or extend it. */
final class SealedMapping extends Mapping {
  /** At least two; the schema has an order of its own. */
  private final List<Mapping> arms;

  /**
   * Creates a mapping.
   *
   * @param place where the sealed type is, for errors
   * @throws SchemaException if two classes are the same type in the schema
   */
  SealedMapping(Class<?> type, String place, List<Mapping> arms) {
    this.arms = arms;
    Set<Object> identities = new HashSet<>();
    for (Mapping arm : arms) {
      if (!identities.add(identity(arm))) {
        throw Mapper.refused(
            place,
            "is of the sealed type "
                + type.getName()
                + ", and two of its classes are "
                + arm.schema()
                + " in the schema; give one of them another name with @Name");
      }
    }
  }

  /** What distinguishes an arm from others in the schema. */
  private static Object identity(Mapping arm) {
    if (arm instanceof ObjectMapping object) {
      return object.names();
    }
    return arm instanceof EnumMapping constants ? constants.enumeration() : arm.schema();
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.UNION_BEGIN);
    arms.forEach(arm -> arm.describe(list));
    list.add(TypeCodes.UNION_END);
  }

  @Override
  public void bind(Type bound) {
    super.bind(bound);
    for (Mapping arm : arms) {
      String text = arm.schema().toString();
      for (Type part : bound.parts) {
        if (part.toString().equals(text)) {
          arm.bind(part);
        }
      }
    }
  }

  @Override
  public boolean isFixed() {
    return arms.stream().allMatch(Mapping::isFixed);
  }
}
