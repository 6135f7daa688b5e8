package io.github.serow.internal.row;

import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.PrimitiveArray;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSource;

/** A list of numbers or bools that is an array of a primitive type in Java. */
public final class ArrayNode extends Node {
  private final Class<?> element;
  private final int count;
  private final int elements;

  public ArrayNode(Place place, Class<?> element) {
    super(place);
    this.element = element;
    count = place.columns().add(ColumnLayout.Kind.INTS, isRowAligned);
    elements = new NumberNode(place.part(0)).column();
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    if (value == null || value.getClass().getComponentType() != element) {
      throw new TypeMismatch(value);
    }
    return PrimitiveArray.write(value, out, at);
  }

  @Override
  public Object read(ValueSource in, int row) {
    int length = in.count(count, at(row), leastOfElement());
    in.take(ObjectSizes.list(length) + (long) ObjectSizes.NUMBER * length);
    return PrimitiveArray.read(in, elements, length, element);
  }

  private int leastOfElement() {
    return element == double.class || element == float.class ? Double.BYTES : 1;
  }

  @Override
  public boolean takes(Object value) {
    return value != null && value.getClass().getComponentType() == element;
  }

  @Override
  public boolean isVariable() {
    return true;
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.callNode(this, value);
    to.room(rest);
  }
}
