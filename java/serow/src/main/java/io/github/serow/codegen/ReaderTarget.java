package io.github.serow.codegen;

import io.github.serow.schema.Type;
import io.github.serow.wire.ValueSource;
import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;

/**
 * What a generated reader reads. {@link RowReaderGenerator} walks the type and makes the objects; a
 * target emits what reads a single value.
 */
abstract class ReaderTarget extends ReaderCode {
  /** The internal name of the class that has the values. */
  final String source;

  /** The descriptor of a method that reads a value. */
  final String value;

  /** {@code source} is the class that has the values. */
  ReaderTarget(Class<?> source) {
    this.source = HiddenClass.nameOf(source);
    value = "(L" + this.source + ";I)Ljava/lang/Object;";
  }

  /** The descriptor of a method that reads some fields of a list or tuple. */
  final String group(Type type) {
    return "(L" + source + ";I" + (type.isList() ? "L" + LIST + ";" : "[Ljava/lang/Object;") + ")V";
  }

  /** Starts the generated class. */
  abstract HiddenClass begin();

  /**
   * Generates the method that the caller of the reader calls.
   *
   * @param whole emits the code that pushes the row
   */
  abstract void emitEntry(HiddenClass reader, Type root, Consumer<MethodVisitor> whole);

  /** Whether the entry reads the row's fields itself. */
  static boolean isFlat(Type root) {
    return root.isFields() && !root.isList();
  }

  /** Calls a method of the source, which is on the stack below the arguments. */
  final void invoke(MethodVisitor code, String method, String descriptor) {
    code.visitMethodInsn(INVOKEVIRTUAL, source, method, descriptor, false);
  }

  /** Pushes the row of {@code type}'s value as the methods of a {@link ValueSource} want it. */
  abstract void emitRow(MethodVisitor code, Type type);

  /** Pushes an integer as a long. */
  abstract void emitI64(MethodVisitor code, Type type);

  /** Pushes an integer as an object. */
  abstract void emitLong(MethodVisitor code, Type type);

  /** Pushes a float as a double. */
  abstract void emitF64(MethodVisitor code, Type type);

  /** Pushes a float as an object. */
  abstract void emitDouble(MethodVisitor code, Type type);

  abstract void emitStr(MethodVisitor code, Type type);

  /** Pushes a bool, or the presence of an optional value. */
  abstract void emitBit(MethodVisitor code, Type type);

  /** Pushes the number of elements of a sequence or of entries of a map. */
  abstract void emitCount(MethodVisitor code, Type type);

  /** Pushes the index of a union's arm. */
  abstract void emitArm(MethodVisitor code, Type type);

  /** Pushes the index of an enum's member. */
  abstract void emitMember(MethodVisitor code, Type type);

  /** Pushes a value of several components. */
  final void emitLogical(MethodVisitor code, Type type) {
    HiddenClass.pushLogical(code, type.logical);
    code.visitVarInsn(ALOAD, SOURCE);
    HiddenClass.push(code, type.column);
    HiddenClass.push(code, type.bytes);
    emitRow(code, type);
    HiddenClass.emitReadLogical(code);
  }

  /** Pushes a primitive array of the elements of a sequence; {@code length} pushes their number. */
  abstract void emitNumbers(MethodVisitor code, Type type, Runnable element);

  /** Counts a null. */
  abstract void emitNothing(MethodVisitor code);

  /** Counts a container with fields. */
  abstract void emitEnter(MethodVisitor code, Type type);

  /** Pushes the result of a call that throws, for a type without values. */
  final void emitNever(MethodVisitor code) {
    code.visitVarInsn(ALOAD, SOURCE);
    invoke(code, "never", "()Ljava/lang/Object;");
  }
}
