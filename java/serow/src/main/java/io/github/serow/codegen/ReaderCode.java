package io.github.serow.codegen;

import io.github.serow.decode.RowReader;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import io.github.serow.wire.Narrow;
import io.github.serow.wire.StringColumn;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Common parts of the methods of generated readers: their local variables and the code that uses
 * only these. {@link RowReaderGenerator} builds methods from them.
 */
public abstract class ReaderCode implements Opcodes {
  static final String COLUMNS = HiddenClass.nameOf(Columns.class);
  static final String STRINGS = HiddenClass.nameOf(StringColumn.class);
  static final String VALUE = "(L" + COLUMNS + ";I)Ljava/lang/Object;";
  static final String READER = HiddenClass.nameOf(RowReader.class);
  static final String NAMES = HiddenClass.nameOf(Names.class);
  static final String ENUMERATION = HiddenClass.nameOf(Enumeration.class);
  static final String LIST = "java/util/ArrayList";

  // Local variables. The first two are the parameters of methods for values.
  static final int COLUMNS_OF_FRAME = 0;
  static final int ROW = 1;
  static final int FIELDS = 2;
  static final int INDEX = 3;
  static final int LENGTH = 4;
  static final int ROWS = 5;
  static final int FIRST_WINDOW = 6;
  static final int FIRST_VALUE = FIRST_WINDOW + HiddenClass.FIELDS_PER_METHOD;

  static void narrow(MethodVisitor code, String method, String descriptor) {
    String owner = HiddenClass.nameOf(Narrow.class);
    code.visitMethodInsn(INVOKESTATIC, owner, method, descriptor, false);
  }

  static void call(MethodVisitor code, String helper, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, READER, helper, descriptor, false);
  }

  /** Creates the list or array for {@link #FIELDS}, with the length on the stack. */
  static void emitNew(MethodVisitor code, Type type) {
    if (type.isList()) {
      code.visitMethodInsn(INVOKESTATIC, COLUMNS, "newList", "(I)L" + LIST + ";", false);
    } else {
      code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
    }
    code.visitVarInsn(ASTORE, FIELDS);
  }

  /** Stores the value on the stack in the list, or the array and index, below it. */
  static void emitStore(MethodVisitor code, Type type) {
    if (type.isList()) {
      addToList(code);
    } else {
      code.visitInsn(AASTORE);
    }
  }

  static void addToList(MethodVisitor code) {
    code.visitMethodInsn(INVOKEVIRTUAL, LIST, "add", "(Ljava/lang/Object;)Z", false);
    code.visitInsn(POP);
  }

  static void emitLogical(MethodVisitor code, Type type) {
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

  static void emitNever(MethodVisitor code) {
    code.visitMethodInsn(INVOKESTATIC, COLUMNS, "never", "()Ljava/lang/Object;", false);
  }

  /** Pushes the next value of {@code type}'s column by a method of {@link Columns}. */
  static void emitNext(MethodVisitor code, Type type, String next, String result) {
    code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
    HiddenClass.push(code, type.column);
    code.visitMethodInsn(INVOKEVIRTUAL, COLUMNS, next, "(I)" + result, false);
  }

  static void box(MethodVisitor code, String type, String value) {
    code.visitMethodInsn(INVOKESTATIC, type, "valueOf", "(" + value + ")L" + type + ";", false);
  }
}
