package io.github.serow.codegen;

import io.github.serow.schema.Type;
import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;

/**
 * What a generated writer writes. {@link RowWriterGenerator} walks the type and knows the classes
 * of values; a target emits what writes a single value.
 *
 * <p>Values are written at the position in local variable {@code AT}, which moves on. The capacity
 * for a row or an element, without the elements and text in it, is reserved before; see {@link
 * #bound}.
 */
abstract class WriterTarget extends WriterCode {
  /** The internal name of the class that receives the values. */
  final String out;

  /** The descriptor of a method that writes a value, and of one that writes fields of an array. */
  final String value;

  final String group;

  /** {@code out} is the class that receives the values. */
  WriterTarget(Class<?> out) {
    this.out = HiddenClass.nameOf(out);
    value = "(Ljava/lang/Object;L" + this.out + ";I)I";
    group = "([Ljava/lang/Object;L" + this.out + ";I)I";
  }

  /** Starts the generated class. */
  abstract HiddenClass begin();

  /**
   * Generates the method that the caller of the writer calls.
   *
   * @param whole emits the code that writes the row in {@code INPUT}
   */
  abstract void emitEntry(HiddenClass writer, Type root, Consumer<MethodVisitor> whole);

  /** Maximum space of a value, not counting text and the elements of sequences. */
  abstract int bound(Type type);

  /** Maximum space of all parts together. */
  final int bounds(Type type) {
    return type.parts.stream().mapToInt(this::bound).sum();
  }

  /** Whether writing a value may use up capacity beyond its bound, or change the memory. */
  abstract boolean isVariable(Type type);

  /** Begins a method that writes a value of {@code type}, or some of its fields. */
  abstract void emitBegin(MethodVisitor code, Type type);

  /** Ends such a method, except for its result. */
  abstract void emitEnd(MethodVisitor code, Type type);

  /** Precedes a call of such a method. */
  abstract void emitBeforeCall(MethodVisitor code, Type type);

  /** Follows it. */
  abstract void emitAfterCall(MethodVisitor code, Type type);

  /** Ensures capacity for a count, {@code LENGTH} times {@code each}, and {@code rest} more. */
  abstract void emitRoom(MethodVisitor code, int each, int rest);

  /** Writes an integer; {@code push} pushes it as a long. */
  abstract void emitI64(MethodVisitor code, Runnable push);

  /** Writes a float; {@code push} pushes its raw bits. */
  abstract void emitF64(MethodVisitor code, Runnable push);

  /** Writes a bool, or a presence; {@code push} pushes 0 or 1 as a long. */
  abstract void emitBit(MethodVisitor code, Runnable push);

  /** Writes the index of an enum's member; {@code push} pushes it as a long. */
  abstract void emitMember(MethodVisitor code, Runnable push);

  /** Writes {@code LENGTH}, the number of elements of a sequence or of entries of a map. */
  abstract void emitCount(MethodVisitor code);

  abstract void emitArm(MethodVisitor code, int arm);

  /** Writes the string in local variable {@code value}. The row or element takes {@code bound}. */
  abstract void emitText(MethodVisitor code, int value, int bound);

  /** Writes the value of several components in local variable {@code value}. */
  abstract void emitLogical(MethodVisitor code, Type type, int value, int bound);

  /** Writes the elements of the primitive array in {@code INPUT}. */
  abstract void emitNumbers(MethodVisitor code, int bound);

  /** Counts a null. */
  abstract void emitNothing(MethodVisitor code);

  /** Counts a container with this number of fields. */
  abstract void emitEnter(MethodVisitor code, int fields);
}
