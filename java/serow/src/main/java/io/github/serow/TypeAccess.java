package io.github.serow;

import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.schema.SharedSecrets;
import java.util.LinkedHashSet;

/**
 * Gives the module's other packages access to internals of the public types; see {@link
 * SharedSecrets}.
 */
final class TypeAccess implements SharedSecrets.Access {
  @Override
  public Row row(Names names, Object[] values) {
    return new Row(names, values);
  }

  @Override
  public Names names(Row row) {
    return row.names();
  }

  @Override
  public Object[] values(Row row) {
    return row.sharedValues();
  }

  @Override
  public EnumMember member(Enumeration of, int index) {
    return new EnumMember(of, index);
  }

  @Override
  public Enumeration enumeration(EnumMember member) {
    return member.enumeration();
  }

  @Override
  public <E> FrozenSet<E> frozenSet(LinkedHashSet<E> elements) {
    return new FrozenSet<>(elements);
  }

  @Override
  public Schema schema(int[] typeList) {
    return new Schema(typeList);
  }

  @Override
  public int[] typeList(Schema schema) {
    return schema.sharedTypeList();
  }

  @Override
  public byte[] bytes(Schema schema) {
    return schema.sharedBytes();
  }
}
