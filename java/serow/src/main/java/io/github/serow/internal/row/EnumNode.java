package io.github.serow.internal.row;

import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.value.ValueKind;
import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;

/** A member of an enum: an {@code EnumMember}, or a constant of the caller's enum. */
public final class EnumNode extends Node {
  private final int column;
  private final Enumeration enumeration;

  /** The values, by index. */
  private final Object[] values;

  private final Former former;

  EnumNode(Place place) {
    this(place, null, Former.NONE);
  }

  /**
   * @param constants the constants of the caller's enum; null for those that have members of {@code
   *     EnumMember}
   */
  public EnumNode(Place place, Object[] constants, Former former) {
    super(place);
    this.former = former;
    column = place.columns().add(ColumnLayout.Kind.INTS, isRowAligned);
    enumeration = new Enumeration(type.name(), type.names(), type.values());
    values = constants != null ? constants : enumeration.members.toArray();
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    return out.member(Values.member(value, enumeration), at);
  }

  @Override
  public Object read(ValueSource in, int row) {
    return values[in.member(column, at(row), values.length)];
  }

  @Override
  public Former former() {
    return former;
  }

  @Override
  public boolean takes(Object value) {
    return ValueKind.isMember(value, enumeration);
  }
}
