package io.github.serow.codegen;

import io.github.serow.decode.RowReader;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import io.github.serow.wire.Narrow;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Common parts of the methods of generated readers: their local variables and the code that uses
 * only these.
 */
public abstract class ReaderCode implements Opcodes {
  static final String READER = HiddenClass.nameOf(RowReader.class);
  static final String NAMES = HiddenClass.nameOf(Names.class);
  static final String ENUMERATION = HiddenClass.nameOf(Enumeration.class);
  static final String LIST = "java/util/ArrayList";

  // Local variables. The first two are the parameters of methods for values.

  /** The columns or the record. */
  static final int SOURCE = 0;

  /** The row in the windows of columns. */
  static final int ROW = 1;

  static final int FIELDS = 2;
  static final int INDEX = 3;
  static final int LENGTH = 4;

  /** The first local variable that only the code of one target uses. */
  static final int OF_TARGET = 5;

  static final int FIRST_VALUE = OF_TARGET + 1 + HiddenClass.FIELDS_PER_METHOD;

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
      String owner = HiddenClass.nameOf(Columns.class);
      code.visitMethodInsn(INVOKESTATIC, owner, "newList", "(I)L" + LIST + ";", false);
    } else {
      code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
    }
    code.visitVarInsn(ASTORE, FIELDS);
  }

  /** Stores the value on the stack in the list, or the array and index, below it. */
  static void emitStore(MethodVisitor code, Type type) {
    if (type.isList()) {
      code.visitMethodInsn(INVOKEVIRTUAL, LIST, "add", "(Ljava/lang/Object;)Z", false);
      code.visitInsn(POP);
    } else {
      code.visitInsn(AASTORE);
    }
  }

  static void box(MethodVisitor code, String type, String value) {
    code.visitMethodInsn(INVOKESTATIC, type, "valueOf", "(" + value + ")L" + type + ";", false);
  }
}
