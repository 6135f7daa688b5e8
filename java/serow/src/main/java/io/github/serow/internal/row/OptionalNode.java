package io.github.serow.internal.row;

import io.github.serow.internal.schema.Names;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.util.List;
import java.util.function.Function;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** A value that may be null, or the field of a dict that may be missing. */
public final class OptionalNode extends Node {
  private final int column;
  private final boolean isField;
  private final Node part;

  /** A value that may be null. */
  public OptionalNode(Place place, Function<Place, Node> part) {
    this(place, false, part);
  }

  /**
   * @param isField whether the value is {@link Names#MISSING} where there is none, instead of null
   */
  OptionalNode(Place place, boolean isField, Function<Place, Node> part) {
    super(place);
    this.isField = isField;
    column = place.columns().add(ColumnLayout.Kind.BITS, isRowAligned);
    this.part = part.apply(isField ? place.inside() : place.part(0));
  }

  private Object absent() {
    return isField ? Names.MISSING : null;
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    if (value == absent()) {
      return out.bit(0, at);
    }
    int next = out.bit(1, at);
    out.reserve(next);
    return part.write(value, out, next);
  }

  @Override
  public Object read(ValueSource in, int row) {
    return in.bit(column, at(row)) ? part.read(in, row) : absent();
  }

  @Override
  public List<Node> parts() {
    return List.of(part);
  }

  @Override
  public boolean takes(Object value) {
    return false;
  }

  @Override
  public int components() {
    return 1 + part.components();
  }

  private void emitAbsent(MethodVisitor code) {
    if (isField) {
      code.visitFieldInsn(
          WriterEmitter.GETSTATIC,
          ClassEmitter.nameOf(Names.class),
          "MISSING",
          "Ljava/lang/Object;");
    } else {
      code.visitInsn(WriterEmitter.ACONST_NULL);
    }
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    MethodVisitor code = to.code();
    Label present = new Label();
    Label end = new Label();
    code.visitVarInsn(WriterEmitter.ALOAD, value);
    emitAbsent(code);
    code.visitJumpInsn(WriterEmitter.IF_ACMPNE, present);
    to.put("bit", "J", () -> code.visitInsn(WriterEmitter.LCONST_0));
    code.visitJumpInsn(WriterEmitter.GOTO, end);
    code.visitLabel(present);
    to.put("bit", "J", () -> code.visitInsn(WriterEmitter.LCONST_1));
    part.emitWrite(to, value, rest);
    code.visitLabel(end);
  }

  @Override
  void emitWindow(ReaderEmitter from) {
    if (isRowAligned) {
      from.keepWindow(ReaderEmitter.Window.BITS, column);
    }
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    MethodVisitor code = from.code();
    Label absent = new Label();
    Label end = new Label();
    from.bit(column, isRowAligned);
    code.visitJumpInsn(ReaderEmitter.IFEQ, absent);
    part.emitRead(from);
    code.visitJumpInsn(ReaderEmitter.GOTO, end);
    code.visitLabel(absent);
    emitAbsent(code);
    code.visitLabel(end);
  }
}
