package io.github.serow.internal.row;

import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSource;

/** A null, or a value of type {@code never}, which no value has. */
final class NothingNode extends Node {
  NothingNode(Place place) {
    super(place);
  }

  private boolean isNull() {
    return type.code() == TypeCodes.NULL;
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    if (value != null || !isNull()) {
      throw new TypeMismatch(value);
    }
    out.nothing();
    return at;
  }

  @Override
  public Object read(ValueSource in, int row) {
    if (!isNull()) {
      return in.never();
    }
    in.nothing();
    return null;
  }

  @Override
  public boolean takes(Object value) {
    return false;
  }

  @Override
  public int components() {
    return 0;
  }

  @Override
  public int leastBytes() {
    return 0;
  }
}
