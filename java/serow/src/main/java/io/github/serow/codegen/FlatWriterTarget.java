package io.github.serow.codegen;

import io.github.serow.encode.RowWriter;
import io.github.serow.schema.Type;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.PrimitiveArray;
import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Flat rows: a slot for each value.
 *
 * <p>A method has the slots in a local variable, and if it writes text also the text and the
 * position of the next string. It stores this position back at its end, and before it calls another
 * method.
 */
final class FlatWriterTarget extends WriterTarget {
  private static final String FLAT = HiddenClass.nameOf(FlatRows.class);

  private static final int SLOTS = OF_TARGET;
  private static final int TEXT = OF_TARGET + 1;
  private static final int TEXT_AT = OF_TARGET + 2;
  private static final int STRING = OF_TARGET + 3;
  private static final int CHARS = OF_TARGET + 4;

  // Local variables of the loop over rows.
  private static final int ROWS = OF_TARGET + 5;
  private static final int FROM = OF_TARGET + 6;
  private static final int TO = OF_TARGET + 7;

  FlatWriterTarget() {
    super(FlatRows.class);
  }

  @Override
  HiddenClass begin() {
    return new HiddenClass("RowWriterOfSchema", RowWriter.class);
  }

  @Override
  void emitEntry(HiddenClass writer, Type root, Consumer<MethodVisitor> whole) {
    MethodVisitor code = writer.method(0, "writeRows", "([Ljava/lang/Object;IIL" + FLAT + ";)I");
    // Move the parameters to the local variables that all methods use.
    move(code, ALOAD, 1, ASTORE, ROWS);
    move(code, ILOAD, 2, ISTORE, FROM);
    move(code, ILOAD, 3, ISTORE, TO);
    move(code, ALOAD, 4, ASTORE, OUT);
    code.visitVarInsn(ALOAD, OUT);
    code.visitFieldInsn(GETFIELD, FLAT, "slotCount", "I");
    code.visitVarInsn(ISTORE, AT);
    loadText(code);
    Label next = new Label();
    Label end = new Label();
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, FROM);
    code.visitVarInsn(ILOAD, TO);
    code.visitJumpInsn(IF_ICMPGE, end);
    emitPlace(code);
    HiddenClass.push(code, bound(root));
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "begin", "(IIII)Z", false);
    code.visitJumpInsn(IFEQ, end);
    loadSlots(code);
    code.visitVarInsn(ALOAD, ROWS);
    code.visitVarInsn(ILOAD, FROM);
    code.visitInsn(AALOAD);
    code.visitVarInsn(ASTORE, INPUT);
    whole.accept(code);
    code.visitIincInsn(FROM, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    emitPlace(code);
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "end", "(III)V", false);
    code.visitVarInsn(ILOAD, FROM);
    code.visitInsn(IRETURN);
    HiddenClass.end(code);
  }

  /** Pushes the flat rows, the current row, and the positions of its slots and text. */
  private static void emitPlace(MethodVisitor code) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, FROM);
    code.visitVarInsn(ILOAD, AT);
    code.visitVarInsn(ILOAD, TEXT_AT);
  }

  @Override
  int bound(Type type) {
    return switch (type.kind) {
      case I64, F64, STR, BOOL, ENUM, LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET, MAP -> 1;
      case NULL, NEVER -> 0;
      case OPTIONAL, MAYBE -> 1 + bound(type.part());
      case LIST, TUPLE, DICT, RECORD -> bounds(type);
      case LOGICAL -> type.logical.slots();
      case UNION -> 1 + type.parts.stream().mapToInt(this::bound).max().orElse(0);
    };
  }

  @Override
  boolean isVariable(Type type) {
    return type.isSequence() || type.parts.stream().anyMatch(this::isVariable);
  }

  private static boolean hasText(Type type) {
    return type.kind == Type.Kind.STR || type.parts.stream().anyMatch(FlatWriterTarget::hasText);
  }

  @Override
  void emitBegin(MethodVisitor code, Type type) {
    loadSlots(code);
    if (hasText(type)) {
      loadText(code);
    }
  }

  @Override
  void emitEnd(MethodVisitor code, Type type) {
    if (hasText(type)) {
      storeText(code);
    }
  }

  @Override
  void emitBeforeCall(MethodVisitor code, Type type) {
    if (hasText(type)) {
      storeText(code);
    }
  }

  @Override
  void emitAfterCall(MethodVisitor code, Type type) {
    if (hasText(type)) {
      loadText(code);
    }
    if (isVariable(type)) {
      loadSlots(code);
    }
  }

  private static void loadSlots(MethodVisitor code) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitFieldInsn(GETFIELD, FLAT, "slots", "[J");
    code.visitVarInsn(ASTORE, SLOTS);
  }

  private static void loadText(MethodVisitor code) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitFieldInsn(GETFIELD, FLAT, "text", "[C");
    code.visitVarInsn(ASTORE, TEXT);
    code.visitVarInsn(ALOAD, OUT);
    code.visitFieldInsn(GETFIELD, FLAT, "textAt", "I");
    code.visitVarInsn(ISTORE, TEXT_AT);
  }

  private static void storeText(MethodVisitor code) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, TEXT_AT);
    code.visitFieldInsn(PUTFIELD, FLAT, "textAt", "I");
  }

  @Override
  void emitRoom(MethodVisitor code, int each, int rest) {
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, AT);
    code.visitVarInsn(ILOAD, LENGTH);
    HiddenClass.push(code, each);
    HiddenClass.push(code, 1 + rest);
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "room", "(IIII)[J", false);
    code.visitVarInsn(ASTORE, SLOTS);
  }

  /** Emits {@code slots[at++] = x}, where {@code push} pushes x. */
  private static void emitSlot(MethodVisitor code, Runnable push) {
    code.visitVarInsn(ALOAD, SLOTS);
    code.visitVarInsn(ILOAD, AT);
    code.visitIincInsn(AT, 1);
    push.run();
    code.visitInsn(LASTORE);
  }

  @Override
  void emitI64(MethodVisitor code, Runnable push) {
    emitSlot(code, push);
  }

  @Override
  void emitF64(MethodVisitor code, Runnable push) {
    emitSlot(code, push);
  }

  @Override
  void emitBit(MethodVisitor code, Runnable push) {
    emitSlot(code, push);
  }

  @Override
  void emitMember(MethodVisitor code, Runnable push) {
    emitSlot(code, push);
  }

  @Override
  void emitCount(MethodVisitor code) {
    emitSlot(
        code,
        () -> {
          code.visitVarInsn(ILOAD, LENGTH);
          code.visitInsn(I2L);
        });
  }

  @Override
  void emitArm(MethodVisitor code, int arm) {
    emitSlot(
        code,
        () -> {
          HiddenClass.push(code, arm);
          code.visitInsn(I2L);
        });
  }

  @Override
  void emitText(MethodVisitor code, int value, int bound) {
    code.visitVarInsn(ALOAD, value);
    call(code, "str", "(Ljava/lang/Object;)L" + STRING_CLASS + ";");
    code.visitInsn(DUP);
    code.visitVarInsn(ASTORE, STRING);
    code.visitMethodInsn(INVOKEVIRTUAL, STRING_CLASS, "length", "()I", false);
    code.visitVarInsn(ISTORE, CHARS);
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ALOAD, TEXT);
    code.visitVarInsn(ILOAD, TEXT_AT);
    code.visitVarInsn(ILOAD, CHARS);
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "textRoom", "([CII)V", false);
    code.visitVarInsn(ALOAD, STRING);
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ILOAD, CHARS);
    code.visitVarInsn(ALOAD, TEXT);
    code.visitVarInsn(ILOAD, TEXT_AT);
    code.visitMethodInsn(INVOKEVIRTUAL, STRING_CLASS, "getChars", "(II[CI)V", false);
    code.visitVarInsn(ILOAD, TEXT_AT);
    code.visitVarInsn(ILOAD, CHARS);
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, TEXT_AT);
    emitSlot(
        code,
        () -> {
          code.visitVarInsn(ILOAD, CHARS);
          code.visitInsn(I2L);
        });
  }

  @Override
  void emitLogical(MethodVisitor code, Type type, int value, int bound) {
    HiddenClass.emitWriteLogical(code, type.logical, value, OUT, AT);
  }

  @Override
  void emitNumbers(MethodVisitor code, int bound) {
    code.visitVarInsn(ALOAD, INPUT);
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, AT);
    HiddenClass.push(code, bound);
    String write = "(Ljava/lang/Object;L" + FLAT + ";II)I";
    code.visitMethodInsn(
        INVOKESTATIC, HiddenClass.nameOf(PrimitiveArray.class), "write", write, false);
    code.visitVarInsn(ISTORE, AT);
    loadSlots(code);
  }

  /** Native code counts nulls and containers. */
  @Override
  void emitNothing(MethodVisitor code) {}

  @Override
  void emitEnter(MethodVisitor code, int fields) {}
}
