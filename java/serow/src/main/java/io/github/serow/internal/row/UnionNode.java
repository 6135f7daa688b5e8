package io.github.serow.internal.row;

import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.objectweb.asm.Label;

/** A value of one of several types, which its class decides. */
public final class UnionNode extends Node {
  private final int column;
  private final List<Node> arms = new ArrayList<>();

  /** With the arms that {@code arm} makes for a place and its index. */
  public UnionNode(Place place, BiFunction<Place, Integer, Node> arm) {
    super(place);
    column = place.columns().add(ColumnLayout.Kind.INTS, isRowAligned);
    for (int i = 0; i < type.parts().size(); i++) {
      arms.add(arm.apply(place.part(i), i));
    }
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    for (int i = 0; i < arms.size(); i++) {
      if (arms.get(i).takes(value)) {
        int next = out.arm(i, at);
        out.reserve(next);
        return arms.get(i).write(value, out, next);
      }
    }
    throw new TypeMismatch(value);
  }

  @Override
  public Object read(ValueSource in, int row) {
    return arms.get(in.arm(column, at(row), arms.size())).read(in, ValueSource.NEXT);
  }

  @Override
  public List<Node> parts() {
    return arms;
  }

  @Override
  public boolean takes(Object value) {
    return arms.stream().anyMatch(arm -> arm.takes(value));
  }

  @Override
  public int components() {
    return 1 + arms.stream().mapToInt(Node::components).max().orElse(0);
  }

  @Override
  public int leastBytes() {
    return 1 + arms.stream().mapToInt(Node::leastBytes).min().orElse(0);
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.callMethod(this, value, rest);
  }

  @Override
  public void emitWriteBody(WriterEmitter to, int rest) {
    Label end = new Label();
    for (int i = 0; i < arms.size(); i++) {
      int arm = i;
      Label other = new Label();
      to.test(arms.get(i), WriterEmitter.INPUT);
      to.code().visitJumpInsn(WriterEmitter.IFEQ, other);
      to.put("arm", "I", () -> to.push(arm));
      arms.get(i).emitWrite(to, WriterEmitter.INPUT, rest);
      to.code().visitJumpInsn(WriterEmitter.GOTO, end);
      to.code().visitLabel(other);
    }
    to.mismatch(WriterEmitter.INPUT);
    to.code().visitLabel(end);
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    from.callMethod(this);
  }

  @Override
  public void emitReadBody(ReaderEmitter from) {
    Label[] labels = arms.stream().map(arm -> new Label()).toArray(Label[]::new);
    Label none = new Label();
    from.arm(column, isRowAligned, arms.size());
    from.code().visitTableSwitchInsn(0, labels.length - 1, none, labels);
    for (int i = 0; i < labels.length; i++) {
      from.code().visitLabel(labels[i]);
      arms.get(i).emitRead(from);
      from.code().visitInsn(ReaderEmitter.ARETURN);
    }
    from.code().visitLabel(none);
    from.never();
  }
}
