package io.github.serow.codegen;

import io.github.serow.encode.RecordWriter;
import io.github.serow.schema.Type;
import io.github.serow.wire.RecordArrays;
import io.github.serow.wire.RecordOut;
import io.github.serow.wire.Varint;
import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;

/** A record of the row wire: the bytes of each value. */
final class RecordWriterTarget extends WriterTarget {
  /** The row, which is the first parameter of the entry besides the writer itself. */
  private static final int ROW = 1;

  RecordWriterTarget() {
    super(RecordOut.class);
  }

  @Override
  HiddenClass begin() {
    return new HiddenClass("RecordWriterOfSchema", RecordWriter.class);
  }

  @Override
  void emitEntry(HiddenClass writer, Type root, Consumer<MethodVisitor> whole) {
    MethodVisitor code = writer.method(0, "write", value);
    // Move the parameters to the local variables that all methods use.
    move(code, ALOAD, ROW, ASTORE, INPUT);
    move(code, ALOAD, ROW + 1, ASTORE, OUT);
    move(code, ILOAD, ROW + 2, ISTORE, AT);
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, AT);
    HiddenClass.push(code, bound(root));
    code.visitMethodInsn(INVOKEVIRTUAL, out, "begin", "(II)V", false);
    whole.accept(code);
    code.visitVarInsn(ILOAD, AT);
    code.visitInsn(IRETURN);
    HiddenClass.end(code);
  }

  /**
   * The capacity that a value needs. Writing a varint stores eight bytes, even if the varint is
   * shorter. The next value then overwrites the rest.
   */
  @Override
  int bound(Type type) {
    return switch (type.kind) {
      case I64, ENUM, STR, LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET, MAP -> Varint.MOST;
      case F64 -> Double.BYTES;
      case BOOL -> 1;
      case NULL, NEVER -> 0;
      case OPTIONAL, MAYBE -> 1 + bound(type.part());
      case LIST, TUPLE, DICT, RECORD -> bounds(type);
      case LOGICAL -> type.logical.slots() * Varint.MOST;
      case UNION -> Varint.MOST + type.parts.stream().mapToInt(this::bound).max().orElse(0);
    };
  }

  @Override
  boolean isVariable(Type type) {
    return type.isSequence()
        || type.kind == Type.Kind.STR
        || type.kind == Type.Kind.LOGICAL && type.logical.hasBytes()
        || type.parts.stream().anyMatch(this::isVariable);
  }

  @Override
  void emitBegin(MethodVisitor code, Type type) {}

  @Override
  void emitEnd(MethodVisitor code, Type type) {}

  @Override
  void emitBeforeCall(MethodVisitor code, Type type) {}

  @Override
  void emitAfterCall(MethodVisitor code, Type type) {}

  @Override
  void emitRoom(MethodVisitor code, int each, int rest) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, AT);
    code.visitVarInsn(ILOAD, LENGTH);
    HiddenClass.push(code, each);
    HiddenClass.push(code, rest);
    code.visitMethodInsn(INVOKEVIRTUAL, out, "room", "(IIII)V", false);
  }

  /** Calls a method that writes what {@code push} pushes at {@code AT}. */
  private void emitPut(MethodVisitor code, String method, String type, Runnable push) {
    code.visitVarInsn(ALOAD, OUT);
    push.run();
    code.visitVarInsn(ILOAD, AT);
    code.visitMethodInsn(INVOKEVIRTUAL, out, method, "(" + type + "I)I", false);
    code.visitVarInsn(ISTORE, AT);
  }

  @Override
  void emitI64(MethodVisitor code, Runnable push) {
    emitPut(code, "i64", "J", push);
  }

  @Override
  void emitF64(MethodVisitor code, Runnable push) {
    emitPut(code, "f64", "J", push);
  }

  @Override
  void emitBit(MethodVisitor code, Runnable push) {
    emitPut(code, "bit", "J", push);
  }

  @Override
  void emitMember(MethodVisitor code, Runnable push) {
    emitPut(code, "member", "J", push);
  }

  @Override
  void emitCount(MethodVisitor code) {
    emitPut(code, "count", "I", () -> code.visitVarInsn(ILOAD, LENGTH));
  }

  @Override
  void emitArm(MethodVisitor code, int arm) {
    emitPut(code, "arm", "I", () -> HiddenClass.push(code, arm));
  }

  @Override
  void emitText(MethodVisitor code, int value, int bound) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ALOAD, value);
    call(code, "str", "(Ljava/lang/Object;)L" + STRING_CLASS + ";");
    code.visitVarInsn(ILOAD, AT);
    HiddenClass.push(code, bound);
    code.visitMethodInsn(INVOKEVIRTUAL, out, "text", "(L" + STRING_CLASS + ";II)I", false);
    code.visitVarInsn(ISTORE, AT);
  }

  @Override
  void emitLogical(MethodVisitor code, Type type, int value, int bound) {
    HiddenClass.emitWriteLogical(code, type.logical, value, OUT, AT);
    if (type.logical.hasBytes()) {
      code.visitVarInsn(ALOAD, OUT);
      code.visitVarInsn(ILOAD, AT);
      HiddenClass.push(code, bound);
      code.visitMethodInsn(INVOKEVIRTUAL, out, "ensure", "(II)V", false);
    }
  }

  @Override
  void emitNumbers(MethodVisitor code, int bound) {
    code.visitVarInsn(ALOAD, INPUT);
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, AT);
    HiddenClass.push(code, bound);
    String write = "(Ljava/lang/Object;L" + out + ";II)I";
    code.visitMethodInsn(
        INVOKESTATIC, HiddenClass.nameOf(RecordArrays.class), "write", write, false);
    code.visitVarInsn(ISTORE, AT);
  }

  @Override
  void emitNothing(MethodVisitor code) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitMethodInsn(INVOKEVIRTUAL, out, "nothing", "()V", false);
  }

  @Override
  void emitEnter(MethodVisitor code, int fields) {
    code.visitVarInsn(ALOAD, OUT);
    HiddenClass.push(code, fields);
    code.visitMethodInsn(INVOKEVIRTUAL, out, "enter", "(I)V", false);
  }
}
