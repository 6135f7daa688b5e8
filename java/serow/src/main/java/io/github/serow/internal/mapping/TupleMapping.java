package io.github.serow.internal.mapping;

import io.github.serow.internal.row.FieldsNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import java.util.List;

/** A tuple of fixed length, such as one of Scala's. */
public final class TupleMapping extends Mapping {
  private final List<Mapping> fields;

  public TupleMapping(List<Mapping> fields) {
    this.fields = fields;
  }

  @Override
  public Type type() {
    return Type.of(TypeCodes.TUPLE_BEGIN, fields.stream().map(Mapping::type).toList());
  }

  @Override
  public Node node(Place place) {
    return new FieldsNode(place, (field, i) -> fields.get(i).node(field));
  }

  @Override
  public boolean isFixed() {
    return fields.stream().allMatch(Mapping::isFixed);
  }
}
