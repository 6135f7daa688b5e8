package io.github.serow.codegen;

import io.github.serow.encode.RowWriter;
import io.github.serow.encode.ValueKind;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Common parts of the methods of generated writers: their local variables and the code that uses
 * only these.
 */
public abstract class WriterCode implements Opcodes {
  static final String WRITER = HiddenClass.nameOf(RowWriter.class);
  static final String KIND = HiddenClass.nameOf(ValueKind.class);
  static final String NAMES = HiddenClass.nameOf(Names.class);
  static final String ENUMERATION = HiddenClass.nameOf(Enumeration.class);
  static final String STRING_CLASS = "java/lang/String";

  // Local variables. The first three are the parameters of methods for values.
  static final int INPUT = 0;

  /** The object that receives the values. */
  static final int OUT = 1;

  /** The position of the next value. */
  static final int AT = 2;

  static final int FIELDS = 3;
  static final int FIELD = 4;
  static final int INDEX = 5;
  static final int LENGTH = 6;

  /** The first local variable that only the code of one target uses. */
  static final int OF_TARGET = 7;

  static void move(MethodVisitor code, int load, int from, int store, int to) {
    code.visitVarInsn(load, from);
    code.visitVarInsn(store, to);
  }

  /** The helper method that returns the elements of a value. */
  static String elementsOf(Type type) {
    return switch (type.kind) {
      case LIST_SEQUENCE -> "list";
      case SET -> "set";
      case FROZENSET -> "frozenSet";
      case MAP -> "map";
      default -> "tuple";
    };
  }

  /** Converts the index of an entry to that of its key (part 0) or its value (part 1). */
  static void emitPlaceInEntries(MethodVisitor code, int part) {
    code.visitInsn(ICONST_1);
    code.visitInsn(ISHL);
    if (part == 1) {
      code.visitInsn(ICONST_1);
      code.visitInsn(IADD);
    }
  }

  /** Calls a test of {@link ValueKind}; the value is on the stack below the other arguments. */
  static void test(MethodVisitor code, String test, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, KIND, test, descriptor, false);
  }

  static void call(MethodVisitor code, String helper, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, WRITER, helper, descriptor, false);
  }
}
