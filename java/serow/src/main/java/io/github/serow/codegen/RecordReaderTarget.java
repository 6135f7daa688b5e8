package io.github.serow.codegen;

import io.github.serow.decode.RecordReader;
import io.github.serow.schema.Type;
import io.github.serow.wire.RecordArrays;
import io.github.serow.wire.RecordIn;
import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;

/** A record of the row wire. */
final class RecordReaderTarget extends ReaderTarget {
  RecordReaderTarget() {
    super(RecordIn.class);
  }

  @Override
  HiddenClass begin() {
    return new HiddenClass("RecordReaderOfSchema", RecordReader.class);
  }

  @Override
  void emitEntry(HiddenClass reader, Type root, Consumer<MethodVisitor> whole) {
    MethodVisitor code = reader.method(0, "read", "(L" + source + ";)Ljava/lang/Object;");
    // Move the parameter to the local variable that all methods use.
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ASTORE, SOURCE);
    HiddenClass.push(code, RecordIn.NEXT);
    code.visitVarInsn(ISTORE, ROW);
    whole.accept(code);
    code.visitInsn(ARETURN);
    HiddenClass.end(code);
  }

  @Override
  void emitRow(MethodVisitor code, Type type) {
    HiddenClass.push(code, RecordIn.NEXT);
  }

  /** Pushes the next value by a method of {@link RecordIn}. */
  private void emitNext(MethodVisitor code, String next, String result) {
    code.visitVarInsn(ALOAD, SOURCE);
    invoke(code, next, "()" + result);
  }

  /** Pushes the next number by a method of {@link RecordIn} that takes a limit. */
  private void emitNumber(MethodVisitor code, String next, int limit) {
    code.visitVarInsn(ALOAD, SOURCE);
    HiddenClass.push(code, limit);
    invoke(code, next, "(I)I");
  }

  @Override
  void emitI64(MethodVisitor code, Type type) {
    emitNext(code, "i64", "J");
  }

  @Override
  void emitLong(MethodVisitor code, Type type) {
    emitI64(code, type);
    box(code, "java/lang/Long", "J");
  }

  @Override
  void emitF64(MethodVisitor code, Type type) {
    emitNext(code, "f64", "D");
  }

  @Override
  void emitDouble(MethodVisitor code, Type type) {
    emitF64(code, type);
    box(code, "java/lang/Double", "D");
  }

  @Override
  void emitStr(MethodVisitor code, Type type) {
    emitNext(code, "str", "Ljava/lang/String;");
  }

  @Override
  void emitBit(MethodVisitor code, Type type) {
    emitNext(code, "bit", "Z");
  }

  @Override
  void emitCount(MethodVisitor code, Type type) {
    String next =
        switch (type.kind) {
          case MAP -> "entries";
          case SET, FROZENSET -> "distinct";
          default -> "count";
        };
    emitNumber(code, next, type.leastOfElement());
  }

  @Override
  void emitArm(MethodVisitor code, Type type) {
    emitNumber(code, "arm", type.parts.size());
  }

  @Override
  void emitMember(MethodVisitor code, Type type) {
    emitNumber(code, "member", type.enumeration.members.size());
  }

  @Override
  void emitNumbers(MethodVisitor code, Type type, Runnable element) {
    code.visitVarInsn(ALOAD, SOURCE);
    emitCount(code, type);
    element.run();
    code.visitMethodInsn(
        INVOKESTATIC,
        HiddenClass.nameOf(RecordArrays.class),
        "read",
        "(L" + source + ";ILjava/lang/Class;)Ljava/lang/Object;",
        false);
  }

  @Override
  void emitNothing(MethodVisitor code) {
    emitNext(code, "nothing", "V");
  }

  @Override
  void emitEnter(MethodVisitor code, Type type) {
    code.visitVarInsn(ALOAD, SOURCE);
    HiddenClass.push(code, type.parts.size());
    invoke(code, "enter", "(I)V");
  }
}
