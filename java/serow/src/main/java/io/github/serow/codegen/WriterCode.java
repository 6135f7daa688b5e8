package io.github.serow.codegen;

import io.github.serow.encode.RowWriter;
import io.github.serow.encode.ValueKind;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.PrimitiveArray;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Common parts of the methods of generated writers: their local variables and the code that uses
 * only these. {@link RowWriterGenerator} builds methods from them.
 */
public abstract class WriterCode implements Opcodes {
  static final String WRITER = HiddenClass.nameOf(RowWriter.class);
  static final String KIND = HiddenClass.nameOf(ValueKind.class);
  static final String FLAT = HiddenClass.nameOf(FlatRows.class);
  static final String NAMES = HiddenClass.nameOf(Names.class);
  static final String ENUMERATION = HiddenClass.nameOf(Enumeration.class);
  static final String STRING_CLASS = "java/lang/String";
  static final String VALUE = "(Ljava/lang/Object;L" + FLAT + ";I)I";
  static final String GROUP = "([Ljava/lang/Object;L" + FLAT + ";I)I";

  // Local variables. The first three are the parameters of methods for values.
  static final int INPUT = 0;
  static final int FLAT_ROWS = 1;
  static final int SLOT = 2;
  static final int SLOTS = 3;
  static final int FIELDS = 4;
  static final int FIELD = 5;
  static final int INDEX = 6;
  static final int LENGTH = 7;
  static final int TEXT = 8;
  static final int AT = 9;
  static final int STRING = 10;
  static final int CHARS = 11;

  // Local variables of the loop over rows.
  static final int ROWS = 12;
  static final int FROM = 13;
  static final int TO = 14;

  /** Maximum slots of a value, not counting elements of sequences. */
  static int bound(Type type) {
    return switch (type.kind) {
      case I64, F64, STR, BOOL, ENUM, LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET, MAP -> 1;
      case NULL, NEVER -> 0;
      case OPTIONAL, MAYBE -> 1 + bound(type.part());
      case LIST, TUPLE, DICT, RECORD -> bounds(type);
      case LOGICAL -> type.logical.slots();
      case UNION -> 1 + type.parts.stream().mapToInt(WriterCode::bound).max().orElse(0);
    };
  }

  /** Maximum slots of all parts together. */
  static int bounds(Type type) {
    return type.parts.stream().mapToInt(WriterCode::bound).sum();
  }

  static boolean hasSequence(Type type) {
    return type.isSequence() || type.parts.stream().anyMatch(WriterCode::hasSequence);
  }

  static boolean hasText(Type type) {
    return type.kind == Type.Kind.STR || type.parts.stream().anyMatch(WriterCode::hasText);
  }

  static void move(MethodVisitor code, int load, int from, int store, int to) {
    code.visitVarInsn(load, from);
    code.visitVarInsn(store, to);
  }

  /** Writes the elements of a primitive array. */
  static void emitNumbers(MethodVisitor code, int bound) {
    code.visitVarInsn(ALOAD, INPUT);
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitVarInsn(ILOAD, SLOT);
    HiddenClass.push(code, bound);
    String write = "(Ljava/lang/Object;L" + FLAT + ";II)I";
    code.visitMethodInsn(
        INVOKESTATIC, HiddenClass.nameOf(PrimitiveArray.class), "write", write, false);
    code.visitVarInsn(ISTORE, SLOT);
    loadSlots(code);
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

  static void lengthAsLong(MethodVisitor code) {
    code.visitVarInsn(ILOAD, LENGTH);
    code.visitInsn(I2L);
  }

  /** Reserves {@link #LENGTH} times {@code each} slots and {@code rest} more. */
  static void room(MethodVisitor code, int each, int rest) {
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitVarInsn(ILOAD, SLOT);
    code.visitVarInsn(ILOAD, LENGTH);
    HiddenClass.push(code, each);
    HiddenClass.push(code, rest);
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "room", "(IIII)[J", false);
    code.visitVarInsn(ASTORE, SLOTS);
  }

  static void emitText(MethodVisitor code, int value) {
    code.visitVarInsn(ALOAD, value);
    call(code, "str", "(Ljava/lang/Object;)L" + STRING_CLASS + ";");
    code.visitInsn(DUP);
    code.visitVarInsn(ASTORE, STRING);
    code.visitMethodInsn(INVOKEVIRTUAL, STRING_CLASS, "length", "()I", false);
    code.visitVarInsn(ISTORE, CHARS);
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitVarInsn(ALOAD, TEXT);
    code.visitVarInsn(ILOAD, AT);
    code.visitVarInsn(ILOAD, CHARS);
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "textRoom", "([CII)V", false);
    code.visitVarInsn(ALOAD, STRING);
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ILOAD, CHARS);
    code.visitVarInsn(ALOAD, TEXT);
    code.visitVarInsn(ILOAD, AT);
    code.visitMethodInsn(INVOKEVIRTUAL, STRING_CLASS, "getChars", "(II[CI)V", false);
    code.visitVarInsn(ILOAD, AT);
    code.visitVarInsn(ILOAD, CHARS);
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, AT);
    emitSlot(
        code,
        () -> {
          code.visitVarInsn(ILOAD, CHARS);
          code.visitInsn(I2L);
        });
  }

  static void emitScalar(MethodVisitor code, String helper, int value) {
    emitSlot(
        code,
        () -> {
          code.visitVarInsn(ALOAD, value);
          call(code, helper, "(Ljava/lang/Object;)J");
        });
  }

  /** Emits {@code slots[slot++] = x}, where {@code pushLong} pushes x. */
  static void emitSlot(MethodVisitor code, Runnable pushLong) {
    code.visitVarInsn(ALOAD, SLOTS);
    code.visitVarInsn(ILOAD, SLOT);
    code.visitIincInsn(SLOT, 1);
    pushLong.run();
    code.visitInsn(LASTORE);
  }

  static void loadSlots(MethodVisitor code) {
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitFieldInsn(GETFIELD, FLAT, "slots", "[J");
    code.visitVarInsn(ASTORE, SLOTS);
  }

  static void loadText(MethodVisitor code) {
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitFieldInsn(GETFIELD, FLAT, "text", "[C");
    code.visitVarInsn(ASTORE, TEXT);
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitFieldInsn(GETFIELD, FLAT, "textAt", "I");
    code.visitVarInsn(ISTORE, AT);
  }

  static void storeText(MethodVisitor code) {
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitVarInsn(ILOAD, AT);
    code.visitFieldInsn(PUTFIELD, FLAT, "textAt", "I");
  }

  /** Calls a test of {@link ValueKind}; the value is on the stack below the other arguments. */
  static void test(MethodVisitor code, String test, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, KIND, test, descriptor, false);
  }

  static void call(MethodVisitor code, String helper, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, WRITER, helper, descriptor, false);
  }
}
