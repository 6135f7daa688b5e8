package io.github.serow.codegen;

import io.github.serow.decode.RowReader;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import io.github.serow.wire.PrimitiveArray;
import io.github.serow.wire.StringColumn;
import io.github.serow.wire.ValueSource;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** The columns of a frame. */
final class ColumnsReaderTarget extends ReaderTarget {
  private static final String STRINGS = HiddenClass.nameOf(StringColumn.class);

  private static final int ROWS = OF_TARGET;
  private static final int FIRST_WINDOW = OF_TARGET + 1;

  /** The local variables with windows. Only the loop over rows has any. */
  private final Map<Type, Integer> windows = new IdentityHashMap<>();

  ColumnsReaderTarget() {
    super(Columns.class);
  }

  @Override
  HiddenClass begin() {
    return new HiddenClass("RowReaderOfSchema", RowReader.class);
  }

  @Override
  void emitEntry(HiddenClass reader, Type root, Consumer<MethodVisitor> whole) {
    MethodVisitor code = reader.method(0, "readWindow", "(L" + source + ";[Ljava/lang/Object;)V");
    // Move the parameters to the local variables that all methods use.
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ASTORE, ROWS);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ASTORE, SOURCE);
    emitWindows(code, root);
    Label next = new Label();
    Label end = new Label();
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, ROW);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, ROW);
    code.visitVarInsn(ALOAD, ROWS);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
    code.visitVarInsn(ALOAD, ROWS);
    code.visitVarInsn(ILOAD, ROW);
    whole.accept(code);
    code.visitInsn(AASTORE);
    code.visitIincInsn(ROW, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    code.visitInsn(RETURN);
    HiddenClass.end(code);
    windows.clear();
  }

  /** Loads the windows of the row's own fields into local variables, unless there are too many. */
  private void emitWindows(MethodVisitor code, Type root) {
    if (!isFlat(root) || root.parts.size() > HiddenClass.FIELDS_PER_METHOD) {
      return;
    }
    for (Type field : root.parts) {
      if (field.column >= 0 && field.kind != Type.Kind.LOGICAL) {
        emitWindow(code, field);
        code.visitVarInsn(ASTORE, FIRST_WINDOW + windows.size());
        windows.put(field, FIRST_WINDOW + windows.size());
      }
    }
  }

  /** Pushes the window of {@code type}'s column. */
  private void emitWindow(MethodVisitor code, Type type) {
    Integer local = windows.get(type);
    if (local != null) {
      code.visitVarInsn(ALOAD, local);
      return;
    }
    code.visitVarInsn(ALOAD, SOURCE);
    switch (type.kind) {
      case F64 -> code.visitFieldInsn(GETFIELD, source, "floatWindows", "[[J");
      case BOOL, OPTIONAL, MAYBE -> code.visitFieldInsn(GETFIELD, source, "bitWindows", "[[B");
      case STR -> code.visitFieldInsn(GETFIELD, source, "strs", "[L" + STRINGS + ";");
      default -> code.visitFieldInsn(GETFIELD, source, "intWindows", "[[J");
    }
    HiddenClass.push(code, type.column);
    code.visitInsn(AALOAD);
  }

  @Override
  void emitRow(MethodVisitor code, Type type) {
    if (type.oneARow) {
      code.visitVarInsn(ILOAD, ROW);
    } else {
      HiddenClass.push(code, ValueSource.NEXT);
    }
  }

  /** Pushes the row's element of the window of {@code type}'s column. */
  private void emitElement(MethodVisitor code, Type type, int load) {
    emitWindow(code, type);
    code.visitVarInsn(ILOAD, ROW);
    code.visitInsn(load);
  }

  /** Pushes the next value of {@code type}'s column by a method of {@link Columns}. */
  private void emitNext(MethodVisitor code, Type type, String next, String result) {
    code.visitVarInsn(ALOAD, SOURCE);
    HiddenClass.push(code, type.column);
    invoke(code, next, "(I)" + result);
  }

  @Override
  void emitI64(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, LALOAD);
    } else {
      emitNext(code, type, "nextI64", "Ljava/lang/Long;");
      code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Long", "longValue", "()J", false);
    }
  }

  @Override
  void emitLong(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, LALOAD);
      box(code, "java/lang/Long", "J");
    } else {
      emitNext(code, type, "nextI64", "Ljava/lang/Long;");
    }
  }

  @Override
  void emitF64(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, LALOAD);
      code.visitMethodInsn(INVOKESTATIC, "java/lang/Double", "longBitsToDouble", "(J)D", false);
    } else {
      emitNext(code, type, "nextF64", "Ljava/lang/Double;");
      code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Double", "doubleValue", "()D", false);
    }
  }

  @Override
  void emitDouble(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitF64(code, type);
      box(code, "java/lang/Double", "D");
    } else {
      emitNext(code, type, "nextF64", "Ljava/lang/Double;");
    }
  }

  @Override
  void emitStr(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitWindow(code, type);
      code.visitVarInsn(ILOAD, ROW);
      code.visitMethodInsn(INVOKEVIRTUAL, STRINGS, "inWindow", "(I)Ljava/lang/String;", false);
    } else {
      emitNext(code, type, "nextStr", "Ljava/lang/String;");
    }
  }

  @Override
  void emitBit(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, BALOAD);
    } else {
      emitNext(code, type, "nextBit", "Z");
    }
  }

  private void emitNumber(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, LALOAD);
      code.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "toIntExact", "(J)I", false);
    } else {
      emitNext(code, type, "nextNumber", "I");
    }
  }

  @Override
  void emitCount(MethodVisitor code, Type type) {
    emitNumber(code, type);
  }

  @Override
  void emitArm(MethodVisitor code, Type type) {
    emitNumber(code, type);
  }

  @Override
  void emitMember(MethodVisitor code, Type type) {
    emitNumber(code, type);
  }

  @Override
  void emitNumbers(MethodVisitor code, Type type, Runnable element) {
    code.visitVarInsn(ALOAD, SOURCE);
    HiddenClass.push(code, type.part().column);
    emitCount(code, type);
    element.run();
    code.visitMethodInsn(
        INVOKESTATIC,
        HiddenClass.nameOf(PrimitiveArray.class),
        "read",
        "(L" + source + ";IILjava/lang/Class;)Ljava/lang/Object;",
        false);
  }

  /** Native code counts nulls and containers. */
  @Override
  void emitNothing(MethodVisitor code) {}

  @Override
  void emitEnter(MethodVisitor code, Type type) {}
}
