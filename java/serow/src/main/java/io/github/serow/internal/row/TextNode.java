package io.github.serow.internal.row;

import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;

/** A string. */
final class TextNode extends Node {
  private final int column;

  TextNode(Place place) {
    super(place);
    column = place.columns().add(ColumnLayout.Kind.STRS, isRowAligned);
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    return out.text(Values.str(value), at, RecordOut.MOST_COMPONENTS);
  }

  @Override
  public Object read(ValueSource in, int row) {
    return in.str(column, at(row));
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof String;
  }

  @Override
  public boolean isVariable() {
    return true;
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.text(value, rest);
  }

  @Override
  void emitWindow(ReaderEmitter from) {
    if (isRowAligned) {
      from.keepWindow(ReaderEmitter.Window.STRS, column);
    }
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    from.str(column, isRowAligned);
  }
}
