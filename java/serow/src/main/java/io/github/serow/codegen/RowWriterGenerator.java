package io.github.serow.codegen;

import io.github.serow.encode.RowWriter;
import io.github.serow.encode.ValueKind;
import io.github.serow.mapping.ElementsMapping;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Generates the {@link RowWriter} of a schema: straight-line code that loads each value once,
 * checks its class and writes its slots.
 *
 * <p>For rows {@code (i64, str?)} it generates
 *
 * <pre>{@code
 * int writeRows(Object[] rows, int from, int to, FlatRows flat) {
 *   char[] text = flat.text;
 *   int at = flat.textAt;
 *   int slot = 0;
 *   while (from < to && flat.begin(from, slot, at, 3)) {
 *     long[] slots = flat.slots;
 *     Object[] fields = RowWriter.tuple(rows[from], 2);
 *     slots[slot++] = RowWriter.i64(fields[0]);
 *     Object field = fields[1];
 *     if (field == null) slots[slot++] = 0;
 *     else {
 *       slots[slot++] = 1;
 *       String string = RowWriter.str(field);
 *       int length = string.length();
 *       flat.textRoom(text, at, length);
 *       string.getChars(0, length, text, at);
 *       at += length;
 *       slots[slot++] = length;
 *     }
 *     from++;
 *   }
 *   flat.end(from, slot, at);
 *   return from;
 * }
 * }</pre>
 *
 * <p>Each container and union within a row has a method of its own, and so has each group of 32
 * fields of a wide row; the JIT compiler inlines small ones. A method loads the position of the
 * next string from the {@link FlatRows} and stores it back at its end.
 *
 * <p><b>Capacity.</b> A method may write as many slots as its type takes without sequences ({@link
 * #bound}); its caller has reserved them. A sequence reserves slots for its elements, and again for
 * the rest of the enclosing row or element, because its elements may use up the earlier
 * reservation.
 */
public final class RowWriterGenerator extends WriterCode {
  /**
   * A method to generate: it writes a value of {@code type}, within a row or element of {@code
   * bound} slots.
   */
  private record Task(String method, Type type, int bound) {}

  private final HiddenClass target = new HiddenClass("RowWriterOfSchema", RowWriter.class);
  private final Queue<Task> tasks = new ArrayDeque<>();
  private int methods;

  private RowWriterGenerator() {}

  public static RowWriter generate(Type root) {
    RowWriterGenerator generator = new RowWriterGenerator();
    generator.emitLoop(root);
    for (Task task; (task = generator.tasks.poll()) != null; ) {
      generator.emitValue(task);
    }
    return generator.target.instantiate(RowWriter.class);
  }

  private String later(Type type, int bound) {
    String method = "value" + methods++;
    tasks.add(new Task(method, type, bound));
    return method;
  }

  private void emitLoop(Type root) {
    MethodVisitor code = target.method(0, "writeRows", "([Ljava/lang/Object;IIL" + FLAT + ";)I");
    // Move the parameters to the local variables that all methods use.
    move(code, ALOAD, 1, ASTORE, ROWS);
    move(code, ILOAD, 2, ISTORE, FROM);
    move(code, ILOAD, 3, ISTORE, TO);
    move(code, ALOAD, 4, ASTORE, FLAT_ROWS);
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, SLOT);
    loadText(code);
    int bound = bound(root);
    Label next = new Label();
    Label end = new Label();
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, FROM);
    code.visitVarInsn(ILOAD, TO);
    code.visitJumpInsn(IF_ICMPGE, end);
    emitPlace(code);
    HiddenClass.push(code, bound);
    code.visitMethodInsn(INVOKEVIRTUAL, FLAT, "begin", "(IIII)Z", false);
    code.visitJumpInsn(IFEQ, end);
    loadSlots(code);
    code.visitVarInsn(ALOAD, ROWS);
    code.visitVarInsn(ILOAD, FROM);
    code.visitInsn(AALOAD);
    code.visitVarInsn(ASTORE, INPUT);
    emitWhole(code, root, bound);
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
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitVarInsn(ILOAD, FROM);
    code.visitVarInsn(ILOAD, SLOT);
    code.visitVarInsn(ILOAD, AT);
  }

  private void emitValue(Task task) {
    MethodVisitor code = target.method(ACC_PRIVATE | ACC_STATIC, task.method, VALUE);
    emitBegin(code, task.type);
    emitWhole(code, task.type, task.bound);
    emitEnd(code, task.type);
  }

  private static void emitBegin(MethodVisitor code, Type type) {
    loadSlots(code);
    if (hasText(type)) {
      loadText(code);
    }
  }

  private static void emitEnd(MethodVisitor code, Type type) {
    if (hasText(type)) {
      storeText(code);
    }
    code.visitVarInsn(ILOAD, SLOT);
    code.visitInsn(IRETURN);
    HiddenClass.end(code);
  }

  /** Writes the value in {@link #INPUT}, if it is of type {@code type}. */
  private void emitWhole(MethodVisitor code, Type type, int bound) {
    if (type.mapping instanceof ObjectMapping object) {
      emitObject(code, type, object, bound);
      return;
    }
    if (type.mapping instanceof ElementsMapping elements && elements.isPrimitiveArray()) {
      emitNumbers(code, bound);
      return;
    }
    if (type.isFields() || type.isSequence()) {
      emitUnwrap(code, type, INPUT);
    }
    switch (type.kind) {
      case TUPLE, LIST -> {
        code.visitVarInsn(ALOAD, INPUT);
        HiddenClass.push(code, type.parts.size());
        String helper = type.isList() ? "list" : "tuple";
        call(code, helper, "(Ljava/lang/Object;I)[Ljava/lang/Object;");
        code.visitVarInsn(ASTORE, FIELDS);
        emitFields(code, type, bound);
      }
      case DICT, RECORD -> {
        code.visitVarInsn(ALOAD, INPUT);
        target.pushConstant(code, type.names, Names.class);
        String helper = type.kind == Type.Kind.DICT ? "dict" : "record";
        call(code, helper, "(Ljava/lang/Object;L" + NAMES + ";)[Ljava/lang/Object;");
        code.visitVarInsn(ASTORE, FIELDS);
        emitFields(code, type, bound);
      }
      case TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP -> emitSequence(code, type, bound);
      case UNION -> emitUnion(code, type, bound);
      default -> emit(code, type, INPUT, bound);
    }
  }

  /** Writes an object of a caller's class. Its getters are constants of the generated class. */
  private void emitObject(MethodVisitor code, Type type, ObjectMapping object, int bound) {
    code.visitVarInsn(ALOAD, INPUT);
    target.pushConstant(code, object.type, Class.class);
    String check = "(Ljava/lang/Object;Ljava/lang/Class;)V";
    code.visitMethodInsn(
        INVOKESTATIC, HiddenClass.nameOf(ObjectMapping.class), "check", check, false);
    int size = type.parts.size();
    if (size <= HiddenClass.FIELDS_PER_METHOD) {
      emitProperties(code, type, object, 0, bound);
      return;
    }
    for (int from = 0; from < size; from += HiddenClass.FIELDS_PER_METHOD) {
      String name = "fields" + methods++;
      MethodVisitor group = target.method(ACC_PRIVATE | ACC_STATIC, name, VALUE);
      emitBegin(group, type);
      emitProperties(group, type, object, from, bound);
      emitEnd(group, type);
      emitCall(code, type, INPUT, name, VALUE);
    }
  }

  /** Writes the properties of one method, from {@code from} on. */
  private void emitProperties(
      MethodVisitor code, Type type, ObjectMapping object, int from, int bound) {
    int to = Math.min(from + HiddenClass.FIELDS_PER_METHOD, type.parts.size());
    for (int i = from; i < to; i++) {
      ObjectMapping.Property property = object.properties.get(i);
      if (property.type().isPrimitive()) {
        emitSlot(
            code,
            () -> {
              emitGet(code, property);
              if (property.getter().type().returnType() == double.class) {
                String bits = "doubleToRawLongBits";
                code.visitMethodInsn(INVOKESTATIC, "java/lang/Double", bits, "(D)J", false);
              } else if (property.type() == boolean.class) {
                code.visitInsn(I2L);
              }
            });
      } else {
        emitGet(code, property);
        code.visitVarInsn(ASTORE, FIELD);
        emit(code, type.parts.get(i), FIELD, bound);
      }
    }
  }

  private void emitGet(MethodVisitor code, ObjectMapping.Property property) {
    target.pushConstant(code, property.getter(), MethodHandle.class);
    code.visitVarInsn(ALOAD, INPUT);
    HiddenClass.invoke(code, property.getter());
  }

  /** Converts local variable {@code value} to a plain object, if its mapping requires it. */
  private void emitUnwrap(MethodVisitor code, Type type, int value) {
    if (type.mapping == null || !type.mapping.unwraps()) {
      return;
    }
    target.pushConstant(code, type.mapping.unwrapping(), Mapping.Step.class);
    code.visitVarInsn(ALOAD, value);
    HiddenClass.invokeStep(code);
    code.visitVarInsn(ASTORE, value);
  }

  /**
   * Writes the fields in {@link #FIELDS}: inline if they are few, otherwise by methods for groups.
   */
  private void emitFields(MethodVisitor code, Type type, int bound) {
    List<Type> fields = type.parts;
    if (fields.size() <= HiddenClass.FIELDS_PER_METHOD) {
      emitGroup(code, fields, 0, fields.size(), bound);
      return;
    }
    List<String> groups = new ArrayList<>();
    for (int from = 0; from < fields.size(); from += HiddenClass.FIELDS_PER_METHOD) {
      int to = Math.min(from + HiddenClass.FIELDS_PER_METHOD, fields.size());
      String name = "fields" + methods++;
      groups.add(name);
      MethodVisitor group = target.method(ACC_PRIVATE | ACC_STATIC, name, GROUP);
      move(group, ALOAD, INPUT, ASTORE, FIELDS);
      emitBegin(group, type);
      emitGroup(group, fields, from, to, bound);
      emitEnd(group, type);
    }
    for (String group : groups) {
      emitCall(code, type, FIELDS, group, GROUP);
    }
  }

  /** Calls a method for the value, or the fields, in {@code input}. */
  private void emitCall(
      MethodVisitor code, Type type, int input, String method, String descriptor) {
    if (hasText(type)) {
      storeText(code);
    }
    code.visitVarInsn(ALOAD, input);
    code.visitVarInsn(ALOAD, FLAT_ROWS);
    code.visitVarInsn(ILOAD, SLOT);
    code.visitMethodInsn(INVOKESTATIC, target.name(), method, descriptor, false);
    code.visitVarInsn(ISTORE, SLOT);
    if (hasText(type)) {
      loadText(code);
    }
    if (hasSequence(type)) {
      loadSlots(code);
    }
  }

  private void emitGroup(MethodVisitor code, List<Type> fields, int from, int to, int bound) {
    for (int i = from; i < to; i++) {
      code.visitVarInsn(ALOAD, FIELDS);
      HiddenClass.push(code, i);
      code.visitInsn(AALOAD);
      code.visitVarInsn(ASTORE, FIELD);
      emit(code, fields.get(i), FIELD, bound);
    }
  }

  private void emitSequence(MethodVisitor code, Type type, int bound) {
    int each = bounds(type);
    boolean nested = type.parts.stream().anyMatch(WriterCode::hasSequence);
    Label next = new Label();
    Label end = new Label();
    code.visitVarInsn(ALOAD, INPUT);
    call(code, elementsOf(type), "(Ljava/lang/Object;)[Ljava/lang/Object;");
    code.visitInsn(DUP);
    code.visitVarInsn(ASTORE, FIELDS);
    code.visitInsn(ARRAYLENGTH);
    if (type.kind == Type.Kind.MAP) {
      code.visitInsn(ICONST_1);
      code.visitInsn(ISHR);
    }
    code.visitVarInsn(ISTORE, LENGTH);
    room(code, nested ? 0 : each, 1 + bound);
    emitSlot(code, () -> lengthAsLong(code));
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, INDEX);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ILOAD, LENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
    if (nested) {
      room(code, 0, each);
    }
    for (int part = 0; part < type.parts.size(); part++) {
      code.visitVarInsn(ALOAD, FIELDS);
      code.visitVarInsn(ILOAD, INDEX);
      if (type.kind == Type.Kind.MAP) {
        emitPlaceInEntries(code, part);
      }
      code.visitInsn(AALOAD);
      code.visitVarInsn(ASTORE, FIELD);
      emit(code, type.parts.get(part), FIELD, each);
    }
    code.visitIincInsn(INDEX, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    if (nested) {
      room(code, 0, bound);
    }
  }

  /** Writes a union. The value's class selects the arm, and for tuples their length. */
  private void emitUnion(MethodVisitor code, Type type, int bound) {
    Label end = new Label();
    List<Integer> tuples = new ArrayList<>();
    for (int arm = 0; arm < type.parts.size(); arm++) {
      Type part = type.parts.get(arm);
      if (part.kind == Type.Kind.TUPLE) {
        tuples.add(arm);
        continue;
      }
      Label other = new Label();
      code.visitVarInsn(ALOAD, INPUT);
      switch (part.kind) {
        case RECORD -> {
          target.pushConstant(code, part.names, Names.class);
          test(code, "isRecord", "(Ljava/lang/Object;L" + NAMES + ";)Z");
        }
        case ENUM -> {
          target.pushConstant(code, part.enumeration, Enumeration.class);
          test(code, "isMember", "(Ljava/lang/Object;L" + ENUMERATION + ";)Z");
        }
        case LOGICAL -> {
          HiddenClass.pushLogical(code, part.logical);
          code.visitInsn(SWAP);
          code.visitMethodInsn(
              INVOKEVIRTUAL, HiddenClass.LOGICAL, "takes", "(Ljava/lang/Object;)Z", false);
        }
        default -> test(code, ValueKind.test(part.kind), "(Ljava/lang/Object;)Z");
      }
      code.visitJumpInsn(IFEQ, other);
      emitArm(code, part, arm, bound, end);
      code.visitLabel(other);
    }
    if (!tuples.isEmpty()) {
      emitTupleArms(code, type, tuples, bound, end);
    }
    call(code, "misfit", "()L" + HiddenClass.nameOf(TypeMismatch.class) + ";");
    code.visitInsn(ATHROW);
    code.visitLabel(end);
  }

  /** Writes the tuple arms of a union. A union sorts tuples by length, as a switch requires. */
  private void emitTupleArms(
      MethodVisitor code, Type type, List<Integer> arms, int bound, Label end) {
    int[] lengths = new int[arms.size()];
    Label[] labels = new Label[arms.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = type.parts.get(arms.get(i)).parts.size();
      labels[i] = new Label();
    }
    Label none = new Label();
    code.visitVarInsn(ALOAD, INPUT);
    call(code, "tuple", "(Ljava/lang/Object;)[Ljava/lang/Object;");
    code.visitInsn(ARRAYLENGTH);
    code.visitLookupSwitchInsn(none, lengths, labels);
    for (int i = 0; i < lengths.length; i++) {
      code.visitLabel(labels[i]);
      emitArm(code, type.parts.get(arms.get(i)), arms.get(i), bound, end);
    }
    code.visitLabel(none);
  }

  private void emitArm(MethodVisitor code, Type part, int arm, int bound, Label end) {
    emitSlot(
        code,
        () -> {
          HiddenClass.push(code, arm);
          code.visitInsn(I2L);
        });
    emit(code, part, INPUT, bound);
    code.visitJumpInsn(GOTO, end);
  }

  /** Writes local variable {@code value}, if it is of type {@code type}. */
  private void emit(MethodVisitor code, Type type, int value, int bound) {
    if (type.isScalar() || type.kind == Type.Kind.OPTIONAL) {
      emitUnwrap(code, type, value);
    }
    switch (type.kind) {
      case I64 -> emitScalar(code, "i64", value);
      case F64 -> emitScalar(code, "f64", value);
      case BOOL -> emitScalar(code, "bool", value);
      case STR -> emitText(code, value);
      case NULL -> {
        code.visitVarInsn(ALOAD, value);
        call(code, "nothing", "(Ljava/lang/Object;)V");
      }
      case NEVER -> {
        code.visitVarInsn(ALOAD, value);
        call(code, "never", "(Ljava/lang/Object;)V");
      }
      case ENUM ->
          emitSlot(
              code,
              () -> {
                code.visitVarInsn(ALOAD, value);
                target.pushConstant(code, type.enumeration, Enumeration.class);
                call(code, "member", "(Ljava/lang/Object;L" + ENUMERATION + ";)J");
              });
      case OPTIONAL, MAYBE -> {
        Label present = new Label();
        Label end = new Label();
        code.visitVarInsn(ALOAD, value);
        if (type.kind == Type.Kind.OPTIONAL) {
          code.visitJumpInsn(IFNONNULL, present);
        } else {
          code.visitFieldInsn(GETSTATIC, NAMES, "MISSING", "Ljava/lang/Object;");
          code.visitJumpInsn(IF_ACMPNE, present);
        }
        emitSlot(code, () -> code.visitInsn(LCONST_0));
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(present);
        emitSlot(code, () -> code.visitInsn(LCONST_1));
        emit(code, type.part(), value, bound);
        code.visitLabel(end);
      }
      case LOGICAL -> {
        HiddenClass.pushLogical(code, type.logical);
        code.visitVarInsn(ALOAD, value);
        code.visitVarInsn(ALOAD, FLAT_ROWS);
        code.visitVarInsn(ILOAD, SLOT);
        code.visitMethodInsn(INVOKEVIRTUAL, HiddenClass.LOGICAL, "write", VALUE, false);
        code.visitVarInsn(ISTORE, SLOT);
      }
      default -> emitCall(code, type, value, later(type, bound), VALUE);
    }
  }
}
