package io.github.serow.internal.row;

import io.github.serow.Times;
import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;

/** A value of several components, such as a date or a decimal. */
public final class LogicalNode extends Node {
  private final CompositeType logical;

  /** The first column of its numbers. */
  private final int numbers;

  /** The column of its bytes. */
  private final int bytes;

  LogicalNode(Place place) {
    this(place, CompositeTypes.ofCode(place.type().code()));
  }

  /** For values that the caller's class has: the same components, but another class of Java's. */
  public LogicalNode(Place place, CompositeType of) {
    super(place);
    boolean isPortable = place.times() == Times.PORTABLE;
    logical = isPortable ? CompositeTypes.portable(of, place.mustDiffer()) : of;
    int ints = place.columns().add(ColumnLayout.Kind.INTS, logical.ints(), isRowAligned);
    int floats = place.columns().add(ColumnLayout.Kind.FLOATS, logical.floats(), isRowAligned);
    numbers = logical.ints() > 0 ? ints : floats;
    bytes = logical.hasBytes() ? place.columns().addBytes() : -1;
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    return logical.write(value, out, at);
  }

  @Override
  public Object read(ValueSource in, int row) {
    in.take(logical.memory());
    return logical.read(in, numbers, bytes, at(row));
  }

  @Override
  public boolean takes(Object value) {
    return logical.takes(value);
  }

  @Override
  public int components() {
    return logical.components();
  }

  @Override
  public boolean isVariable() {
    return logical.hasBytes();
  }

  @Override
  public int leastBytes() {
    return logical.leastBytes();
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.logical(logical, value, rest);
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    from.logical(logical, numbers, bytes, isRowAligned);
  }
}
