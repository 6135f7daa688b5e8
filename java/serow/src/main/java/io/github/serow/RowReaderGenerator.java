package io.github.serow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes the {@link RowReader} of a schema: the mirror of {@link RowWriterGenerator}.
 *
 * <p>For rows {@code (i64, str?)} it is
 *
 * <pre>{@code
 * void read(Columns columns, int count, ArrayList rows) {
 *   for (int row = 0; row < count; row++) rows.add(value0(columns, row));
 * }
 *
 * static Object value0(Columns columns, int row) {
 *   Object[] fields = new Object[2];
 *   fields[0] = columns.i64(0, row);
 *   fields[1] = columns.bit(0, row) ? columns.nextStr(0) : null;
 *   return fields;
 * }
 * }</pre>
 */
final class RowReaderGenerator implements Opcodes {
  private static final String COLUMNS = HiddenClass.nameOf(Columns.class);
  private static final String VALUE = "(L" + COLUMNS + ";I)Ljava/lang/Object;";
  private static final String LIST = "java/util/ArrayList";

  // Local variables of the methods for values.
  private static final int COLUMNS_OF_FRAME = 0;
  private static final int ROW = 1;
  private static final int FIELDS = 2;
  private static final int INDEX = 3;
  private static final int LENGTH = 4;

  /** A method still to be written: it reads a value of {@code type}. */
  private record Task(String method, Type type) {}

  private final HiddenClass target = new HiddenClass("RowReaderOfSchema", RowReader.class);
  private final Queue<Task> tasks = new ArrayDeque<>();
  private int methods;

  private RowReaderGenerator() {}

  static RowReader generate(Type root) {
    RowReaderGenerator generator = new RowReaderGenerator();
    generator.emitLoop(root);
    for (Task task; (task = generator.tasks.poll()) != null; ) {
      generator.emitValue(task);
    }
    return generator.target.instantiate(RowReader.class);
  }

  private String later(Type type) {
    String method = "value" + methods++;
    tasks.add(new Task(method, type));
    return method;
  }

  private void emitLoop(Type root) {
    MethodVisitor code = target.method(0, "read", "(L" + COLUMNS + ";IL" + LIST + ";)V");
    final int columns = 1;
    final int count = 2;
    final int rows = 3;
    final int row = 4;
    Label next = new Label();
    Label end = new Label();
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, row);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, row);
    code.visitVarInsn(ILOAD, count);
    code.visitJumpInsn(IF_ICMPGE, end);
    code.visitVarInsn(ALOAD, rows);
    code.visitVarInsn(ALOAD, columns);
    code.visitVarInsn(ILOAD, row);
    code.visitMethodInsn(INVOKESTATIC, target.name(), later(root), VALUE, false);
    addToList(code);
    code.visitIincInsn(row, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    code.visitInsn(RETURN);
    HiddenClass.end(code);
  }

  private void emitValue(Task task) {
    MethodVisitor code = target.method(ACC_PRIVATE | ACC_STATIC, task.method, VALUE);
    switch (task.type.kind) {
      case TUPLE, LIST -> emitFields(code, task.type);
      case TUPLE_SEQUENCE, LIST_SEQUENCE -> emitSequence(code, task.type);
      case UNION -> emitUnion(code, task.type);
      default -> emit(code, task.type);
    }
    code.visitInsn(ARETURN);
    HiddenClass.end(code);
  }

  /** Make a tuple or list of fixed shape: wide ones by methods for groups of fields. */
  private void emitFields(MethodVisitor code, Type type) {
    HiddenClass.push(code, type.parts.size());
    emitNew(code, type);
    int size = type.parts.size();
    if (size <= HiddenClass.FIELDS_PER_METHOD) {
      emitGroup(code, type, 0, size);
    } else {
      for (int from = 0; from < size; from += HiddenClass.FIELDS_PER_METHOD) {
        String name = "fields" + methods++;
        groupMethod(name, type, from, Math.min(from + HiddenClass.FIELDS_PER_METHOD, size));
        code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
        code.visitVarInsn(ILOAD, ROW);
        code.visitVarInsn(ALOAD, FIELDS);
        code.visitMethodInsn(INVOKESTATIC, target.name(), name, groupOf(type), false);
      }
    }
    code.visitVarInsn(ALOAD, FIELDS);
  }

  /** Its arguments are the local variables that methods for values have. */
  private void groupMethod(String name, Type type, int from, int to) {
    MethodVisitor code = target.method(ACC_PRIVATE | ACC_STATIC, name, groupOf(type));
    emitGroup(code, type, from, to);
    code.visitInsn(RETURN);
    HiddenClass.end(code);
  }

  private static String groupOf(Type type) {
    return "(L"
        + COLUMNS
        + ";I"
        + (type.isList() ? "L" + LIST + ";" : "[Ljava/lang/Object;")
        + ")V";
  }

  private void emitGroup(MethodVisitor code, Type type, int from, int to) {
    for (int i = from; i < to; i++) {
      code.visitVarInsn(ALOAD, FIELDS);
      if (!type.isList()) {
        HiddenClass.push(code, i);
      }
      emit(code, type.parts.get(i));
      emitStore(code, type);
    }
  }

  private void emitSequence(MethodVisitor code, Type type) {
    Label next = new Label();
    Label end = new Label();
    emitColumn(code, type, "number", "nextNumber", "I");
    code.visitInsn(DUP);
    code.visitVarInsn(ISTORE, LENGTH);
    emitNew(code, type);
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, INDEX);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ILOAD, LENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
    code.visitVarInsn(ALOAD, FIELDS);
    if (!type.isList()) {
      code.visitVarInsn(ILOAD, INDEX);
    }
    emit(code, type.part());
    emitStore(code, type);
    code.visitIincInsn(INDEX, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    code.visitVarInsn(ALOAD, FIELDS);
  }

  /** Make the list or array, of the length on the stack, that {@link #FIELDS} holds. */
  private static void emitNew(MethodVisitor code, Type type) {
    if (type.isList()) {
      code.visitMethodInsn(INVOKESTATIC, COLUMNS, "newList", "(I)L" + LIST + ";", false);
    } else {
      code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
    }
    code.visitVarInsn(ASTORE, FIELDS);
  }

  /** Put the value on the stack into the list, or array and index, below it. */
  private static void emitStore(MethodVisitor code, Type type) {
    if (type.isList()) {
      addToList(code);
    } else {
      code.visitInsn(AASTORE);
    }
  }

  private static void addToList(MethodVisitor code) {
    code.visitMethodInsn(INVOKEVIRTUAL, LIST, "add", "(Ljava/lang/Object;)Z", false);
    code.visitInsn(POP);
  }

  private void emitUnion(MethodVisitor code, Type type) {
    List<Label> arms = new ArrayList<>();
    type.parts.forEach(arm -> arms.add(new Label()));
    Label none = new Label();
    emitColumn(code, type, "number", "nextNumber", "I");
    code.visitTableSwitchInsn(0, arms.size() - 1, none, arms.toArray(Label[]::new));
    for (int arm = 0; arm < arms.size(); arm++) {
      code.visitLabel(arms.get(arm));
      emit(code, type.parts.get(arm));
      code.visitInsn(ARETURN);
    }
    code.visitLabel(none);
    emitNever(code);
  }

  /** Push a value of {@code type}. */
  private void emit(MethodVisitor code, Type type) {
    switch (type.kind) {
      case I64 -> emitColumn(code, type, "i64", "nextI64", "Ljava/lang/Long;");
      case F64 -> emitColumn(code, type, "f64", "nextF64", "Ljava/lang/Double;");
      case STR -> emitColumn(code, type, "str", "nextStr", "Ljava/lang/String;");
      case BOOL -> emitColumn(code, type, "bool", "nextBool", "Ljava/lang/Boolean;");
      case NULL -> code.visitInsn(ACONST_NULL);
      case NEVER -> emitNever(code);
      case OPTIONAL -> {
        Label absent = new Label();
        Label end = new Label();
        emitColumn(code, type, "bit", "nextBit", "Z");
        code.visitJumpInsn(IFEQ, absent);
        emit(code, type.part());
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(absent);
        code.visitInsn(ACONST_NULL);
        code.visitLabel(end);
      }
      case LOGICAL -> emitLogical(code, type);
      default -> {
        code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
        code.visitVarInsn(ILOAD, ROW);
        code.visitMethodInsn(INVOKESTATIC, target.name(), later(type), VALUE, false);
      }
    }
  }

  private static void emitLogical(MethodVisitor code, Type type) {
    HiddenClass.pushLogical(code, type.logical);
    code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
    HiddenClass.push(code, type.column);
    HiddenClass.push(code, type.bytes);
    if (type.oneARow) {
      code.visitVarInsn(ILOAD, ROW);
    } else {
      HiddenClass.push(code, Columns.NEXT);
    }
    code.visitMethodInsn(
        INVOKEVIRTUAL,
        HiddenClass.LOGICAL,
        "read",
        "(L" + COLUMNS + ";III)Ljava/lang/Object;",
        false);
  }

  private static void emitNever(MethodVisitor code) {
    code.visitMethodInsn(INVOKESTATIC, COLUMNS, "never", "()Ljava/lang/Object;", false);
  }

  /** Call a method of {@link Columns} for a value of {@code type}'s column. */
  private static void emitColumn(
      MethodVisitor code, Type type, String ofRow, String next, String result) {
    code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
    HiddenClass.push(code, type.column);
    if (type.oneARow) {
      code.visitVarInsn(ILOAD, ROW);
      code.visitMethodInsn(INVOKEVIRTUAL, COLUMNS, ofRow, "(II)" + result, false);
    } else {
      code.visitMethodInsn(INVOKEVIRTUAL, COLUMNS, next, "(I)" + result, false);
    }
  }
}
