package io.github.serow.codegen;

import io.github.serow.encode.RecordWriter;
import io.github.serow.encode.RowWriter;
import io.github.serow.encode.ValueKind;
import io.github.serow.mapping.ElementsMapping;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.TypeMismatch;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Generates the {@link RowWriter} or {@link RecordWriter} of a schema: straight-line code that
 * loads each value once, checks its class and writes it to a {@link WriterTarget}.
 *
 * <p>For flat rows {@code (i64, str?)} it generates
 *
 * <pre>{@code
 * int writeRows(Object[] rows, int from, int to, FlatRows flat) {
 *   char[] text = flat.text;
 *   int at = flat.textAt;
 *   int slot = flat.slotCount;
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
 * fields of a wide row; the JIT compiler inlines small ones.
 *
 * <p><b>Capacity.</b> A method may use as much space as its type takes without sequences and text
 * ({@link WriterTarget#bound}); its caller has reserved it. A sequence reserves space for its
 * elements, and again for the rest of the enclosing row or element, because its elements may use up
 * the earlier reservation. The same holds for text in records.
 */
public final class RowWriterGenerator extends WriterCode {
  /**
   * A method to generate: it writes a value of {@code type}, within a row or element of at most
   * {@code bound} slots or bytes.
   */
  private record Task(String method, Type type, int bound) {}

  private final WriterTarget target;
  private final HiddenClass hidden;
  private final Queue<Task> tasks = new ArrayDeque<>();
  private int methods;

  private RowWriterGenerator(WriterTarget target) {
    this.target = target;
    hidden = target.begin();
  }

  /** The writer of flat rows. */
  public static RowWriter generate(Type root) {
    return generate(root, new FlatWriterTarget()).instantiate(RowWriter.class);
  }

  /** The writer of records. */
  public static RecordWriter generateForRecords(Type root) {
    return generate(root, new RecordWriterTarget()).instantiate(RecordWriter.class);
  }

  private static HiddenClass generate(Type root, WriterTarget target) {
    RowWriterGenerator generator = new RowWriterGenerator(target);
    int bound = target.bound(root);
    target.emitEntry(generator.hidden, root, code -> generator.emitWhole(code, root, bound));
    for (Task task; (task = generator.tasks.poll()) != null; ) {
      generator.emitValue(task);
    }
    return generator.hidden;
  }

  private String later(Type type, int bound) {
    String method = "value" + methods++;
    tasks.add(new Task(method, type, bound));
    return method;
  }

  private void emitValue(Task task) {
    MethodVisitor code = hidden.method(ACC_PRIVATE | ACC_STATIC, task.method, target.value);
    target.emitBegin(code, task.type);
    emitWhole(code, task.type, task.bound);
    emitEnd(code, task.type);
  }

  private void emitEnd(MethodVisitor code, Type type) {
    target.emitEnd(code, type);
    code.visitVarInsn(ILOAD, AT);
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
      target.emitNumbers(code, bound);
      return;
    }
    if (type.isFields() || type.isSequence() || type.kind == Type.Kind.UNION) {
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
        hidden.pushConstant(code, type.names, Names.class);
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
    hidden.pushConstant(code, object.type, Class.class);
    String check = "(Ljava/lang/Object;Ljava/lang/Class;)V";
    code.visitMethodInsn(
        INVOKESTATIC,
        HiddenClass.nameOf(ObjectMapping.class),
        object.isAbstract() ? "checkInstance" : "check",
        check,
        false);
    int size = type.parts.size();
    target.emitEnter(code, size);
    if (size <= HiddenClass.FIELDS_PER_METHOD) {
      emitProperties(code, type, object, 0, bound);
      return;
    }
    for (int from = 0; from < size; from += HiddenClass.FIELDS_PER_METHOD) {
      String name = "fields" + methods++;
      MethodVisitor group = hidden.method(ACC_PRIVATE | ACC_STATIC, name, target.value);
      target.emitBegin(group, type);
      emitProperties(group, type, object, from, bound);
      emitEnd(group, type);
      emitCall(code, type, INPUT, name, target.value);
    }
  }

  /** Writes the properties of one method, from {@code from} on. */
  private void emitProperties(
      MethodVisitor code, Type type, ObjectMapping object, int from, int bound) {
    int to = Math.min(from + HiddenClass.FIELDS_PER_METHOD, type.parts.size());
    for (int i = from; i < to; i++) {
      ObjectMapping.Property property = object.properties.get(i);
      if (property.type().isPrimitive()) {
        emitPrimitive(code, property);
      } else {
        emitGet(code, property);
        code.visitVarInsn(ASTORE, FIELD);
        emit(code, type.parts.get(i), FIELD, bound);
      }
    }
  }

  /** Writes a property without making an object of it. */
  private void emitPrimitive(MethodVisitor code, ObjectMapping.Property property) {
    Class<?> got = property.getter().type().returnType();
    if (got == double.class) {
      target.emitF64(
          code,
          () -> {
            emitGet(code, property);
            String bits = "doubleToRawLongBits";
            code.visitMethodInsn(INVOKESTATIC, "java/lang/Double", bits, "(D)J", false);
          });
    } else if (got == boolean.class) {
      target.emitBit(
          code,
          () -> {
            emitGet(code, property);
            code.visitInsn(I2L);
          });
    } else {
      target.emitI64(code, () -> emitGet(code, property));
    }
  }

  private void emitGet(MethodVisitor code, ObjectMapping.Property property) {
    hidden.pushConstant(code, property.getter(), MethodHandle.class);
    code.visitVarInsn(ALOAD, INPUT);
    HiddenClass.invoke(code, property.getter());
  }

  /** Converts local variable {@code value} to a plain object, if its mapping requires it. */
  private void emitUnwrap(MethodVisitor code, Type type, int value) {
    if (type.mapping == null || !type.mapping.unwraps()) {
      return;
    }
    hidden.pushConstant(code, type.mapping.unwrapping(), Mapping.Step.class);
    code.visitVarInsn(ALOAD, value);
    HiddenClass.invokeStep(code);
    code.visitVarInsn(ASTORE, value);
  }

  /**
   * Writes the fields in {@link #FIELDS}: inline if they are few, otherwise by methods for groups.
   */
  private void emitFields(MethodVisitor code, Type type, int bound) {
    target.emitEnter(code, type.parts.size());
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
      MethodVisitor group = hidden.method(ACC_PRIVATE | ACC_STATIC, name, target.group);
      move(group, ALOAD, INPUT, ASTORE, FIELDS);
      target.emitBegin(group, type);
      emitGroup(group, fields, from, to, bound);
      emitEnd(group, type);
    }
    for (String group : groups) {
      emitCall(code, type, FIELDS, group, target.group);
    }
  }

  /** Calls a method for the value, or the fields, in {@code input}. */
  private void emitCall(
      MethodVisitor code, Type type, int input, String method, String descriptor) {
    target.emitBeforeCall(code, type);
    code.visitVarInsn(ALOAD, input);
    code.visitVarInsn(ALOAD, OUT);
    code.visitVarInsn(ILOAD, AT);
    code.visitMethodInsn(INVOKESTATIC, hidden.name(), method, descriptor, false);
    code.visitVarInsn(ISTORE, AT);
    target.emitAfterCall(code, type);
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
    int each = target.bounds(type);
    boolean nested = type.parts.stream().anyMatch(target::isVariable);
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
    target.emitRoom(code, nested ? 0 : each, bound);
    target.emitCount(code);
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, INDEX);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ILOAD, LENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
    if (nested) {
      target.emitRoom(code, 0, each);
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
      target.emitRoom(code, 0, bound);
    }
  }

  /** Writes a union. The value's class selects the arm, and for tuples their length. */
  private void emitUnion(MethodVisitor code, Type type, int bound) {
    Label end = new Label();
    List<Integer> tuples = new ArrayList<>();
    for (int arm = 0; arm < type.parts.size(); arm++) {
      Type part = type.parts.get(arm);
      if (part.kind == Type.Kind.TUPLE && part.mapping == null) {
        tuples.add(arm);
        continue;
      }
      Label other = new Label();
      emitTest(code, part);
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

  /** Pushes whether the value in {@link #INPUT} is of arm {@code part}, which is no tuple. */
  private void emitTest(MethodVisitor code, Type part) {
    if (part.mapping != null) {
      hidden.pushConstant(code, part.mapping, Mapping.class);
      code.visitVarInsn(ALOAD, INPUT);
      String owner = HiddenClass.nameOf(Mapping.class);
      code.visitMethodInsn(INVOKEVIRTUAL, owner, "takes", "(Ljava/lang/Object;)Z", false);
      return;
    }
    code.visitVarInsn(ALOAD, INPUT);
    switch (part.kind) {
      case RECORD -> {
        hidden.pushConstant(code, part.names, Names.class);
        test(code, "isRecord", "(Ljava/lang/Object;L" + NAMES + ";)Z");
      }
      case ENUM -> {
        hidden.pushConstant(code, part.enumeration, Enumeration.class);
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
    target.emitArm(code, arm);
    emit(code, part, INPUT, bound);
    code.visitJumpInsn(GOTO, end);
  }

  /** Writes local variable {@code value}, if it is of type {@code type}. */
  private void emit(MethodVisitor code, Type type, int value, int bound) {
    if (type.isScalar() || type.kind == Type.Kind.OPTIONAL) {
      emitUnwrap(code, type, value);
    }
    switch (type.kind) {
      case I64 -> target.emitI64(code, () -> emitScalar(code, "i64", value));
      case F64 -> target.emitF64(code, () -> emitScalar(code, "f64", value));
      case BOOL -> target.emitBit(code, () -> emitScalar(code, "bool", value));
      case STR -> target.emitText(code, value, bound);
      case NULL -> {
        code.visitVarInsn(ALOAD, value);
        call(code, "nothing", "(Ljava/lang/Object;)V");
        target.emitNothing(code);
      }
      case NEVER -> {
        code.visitVarInsn(ALOAD, value);
        call(code, "never", "(Ljava/lang/Object;)V");
      }
      case ENUM ->
          target.emitMember(
              code,
              () -> {
                code.visitVarInsn(ALOAD, value);
                hidden.pushConstant(code, type.enumeration, Enumeration.class);
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
        target.emitBit(code, () -> code.visitInsn(LCONST_0));
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(present);
        target.emitBit(code, () -> code.visitInsn(LCONST_1));
        emit(code, type.part(), value, bound);
        code.visitLabel(end);
      }
      case LOGICAL -> target.emitLogical(code, type, value, bound);
      default -> emitCall(code, type, value, later(type, bound), target.value);
    }
  }

  /** Pushes the value in a local variable as a long, if it is of the right class. */
  private static void emitScalar(MethodVisitor code, String helper, int value) {
    code.visitVarInsn(ALOAD, value);
    call(code, helper, "(Ljava/lang/Object;)J");
  }
}
