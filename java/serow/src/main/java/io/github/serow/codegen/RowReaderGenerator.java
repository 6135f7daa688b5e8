package io.github.serow.codegen;

import io.github.serow.decode.RecordReader;
import io.github.serow.decode.RowReader;
import io.github.serow.mapping.ElementsMapping;
import io.github.serow.mapping.EnumMapping;
import io.github.serow.mapping.KeptValue;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Generates the {@link RowReader} or {@link RecordReader} of a schema: the counterpart of {@link
 * RowWriterGenerator}.
 *
 * <p>For columns of rows {@code (i64, str?)} it generates
 *
 * <pre>{@code
 * void readWindow(Columns columns, Object[] rows) {
 *   long[] ints0 = columns.intWindows[0];
 *   byte[] bits0 = columns.bitWindows[0];
 *   for (int row = 0; row < rows.length; row++) {
 *     Object value0 = Long.valueOf(ints0[row]);
 *     Object value1 = bits0[row] != 0 ? columns.nextStr(0) : null;
 *     rows[row] = new Object[] {value0, value1};
 *   }
 * }
 * }</pre>
 *
 * <p>Each container and union within a row has a method of its own, and so has each group of fields
 * of a wide row.
 */
public final class RowReaderGenerator extends ReaderCode {
  /** A method to generate: it reads a value of {@code type}. */
  private record Task(String method, Type type) {}

  private final ReaderTarget target;
  private final HiddenClass hidden;
  private final Queue<Task> tasks = new ArrayDeque<>();
  private int methods;

  private RowReaderGenerator(ReaderTarget target) {
    this.target = target;
    hidden = target.begin();
  }

  /** The reader of columns. */
  public static RowReader generate(Type root) {
    return generate(root, new ColumnsReaderTarget()).instantiate(RowReader.class);
  }

  /** The reader of records. */
  public static RecordReader generateForRecords(Type root) {
    return generate(root, new RecordReaderTarget()).instantiate(RecordReader.class);
  }

  private static HiddenClass generate(Type root, ReaderTarget target) {
    RowReaderGenerator generator = new RowReaderGenerator(target);
    target.emitEntry(generator.hidden, root, code -> generator.emitRow(code, root));
    for (Task task; (task = generator.tasks.poll()) != null; ) {
      generator.emitValue(task);
    }
    return generator.hidden;
  }

  private String later(Type type) {
    String method = "value" + methods++;
    tasks.add(new Task(method, type));
    return method;
  }

  private void emitRow(MethodVisitor code, Type root) {
    if (ReaderTarget.isFlat(root)) {
      emitFields(code, root);
    } else {
      emit(code, root);
    }
  }

  private void emitValue(Task task) {
    MethodVisitor code = hidden.method(ACC_PRIVATE | ACC_STATIC, task.method, target.value);
    switch (task.type.kind) {
      case TUPLE, LIST, DICT, RECORD -> emitFields(code, task.type);
      case TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP -> emitSequence(code, task.type);
      case UNION -> emitUnion(code, task.type);
      default -> emit(code, task.type);
    }
    code.visitInsn(ARETURN);
    HiddenClass.end(code);
  }

  /** Pushes a tuple or list of fixed shape, a dict or a record. */
  private void emitFields(MethodVisitor code, Type type) {
    target.emitEnter(code, type);
    if (type.mapping instanceof ObjectMapping object) {
      emitObject(code, type, object);
      return;
    }
    emitFieldsAsTheyAre(code, type);
    emitMade(code, type);
  }

  /** Pushes an array or list of fields. Wide ones are read by methods for groups of fields. */
  private void emitFieldsAsTheyAre(MethodVisitor code, Type type) {
    int size = type.parts.size();
    if (size <= HiddenClass.FIELDS_PER_METHOD && !type.isList()) {
      emitTuple(code, type.parts);
      return;
    }
    HiddenClass.push(code, size);
    emitNew(code, type);
    if (size <= HiddenClass.FIELDS_PER_METHOD) {
      emitGroup(code, type, 0, size);
    } else {
      for (int from = 0; from < size; from += HiddenClass.FIELDS_PER_METHOD) {
        String name = "fields" + methods++;
        groupMethod(name, type, from, Math.min(from + HiddenClass.FIELDS_PER_METHOD, size));
        code.visitVarInsn(ALOAD, SOURCE);
        code.visitVarInsn(ILOAD, ROW);
        code.visitVarInsn(ALOAD, FIELDS);
        code.visitMethodInsn(INVOKESTATIC, hidden.name(), name, target.group(type), false);
      }
    }
    code.visitVarInsn(ALOAD, FIELDS);
  }

  /**
   * Creates all fields before their array. Stores to a new array then need neither clearing of its
   * memory nor a write barrier.
   */
  private void emitTuple(MethodVisitor code, List<Type> fields) {
    for (int i = 0; i < fields.size(); i++) {
      emit(code, fields.get(i));
      code.visitVarInsn(ASTORE, FIRST_VALUE + i);
    }
    HiddenClass.push(code, fields.size());
    code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
    for (int i = 0; i < fields.size(); i++) {
      code.visitInsn(DUP);
      HiddenClass.push(code, i);
      code.visitVarInsn(ALOAD, FIRST_VALUE + i);
      code.visitInsn(AASTORE);
    }
  }

  /** The parameters are the local variables of methods for values. */
  private void groupMethod(String name, Type type, int from, int to) {
    MethodVisitor code = hidden.method(ACC_PRIVATE | ACC_STATIC, name, target.group(type));
    emitGroup(code, type, from, to);
    code.visitInsn(RETURN);
    HiddenClass.end(code);
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

  /** Pushes an object of a caller's class, made by its constructor, its setters and its builder. */
  private void emitObject(MethodVisitor code, Type type, ObjectMapping object) {
    ObjectMapping.Maker maker = object.maker;
    int[] values = new int[type.parts.size()];
    int next = FIRST_VALUE;
    hidden.pushConstant(code, maker.constructor(), MethodHandle.class);
    if (maker.bySetters()) {
      HiddenClass.invoke(code, maker.constructor());
    }
    for (int i = 0; i < values.length; i++) {
      ObjectMapping.Property property = object.properties.get(i);
      if (maker.bySetters()) {
        code.visitInsn(DUP);
        hidden.pushConstant(code, property.setter(), MethodHandle.class);
        code.visitInsn(SWAP);
      }
      if (property.type().isPrimitive()) {
        emitPrimitive(code, type.parts.get(i), property.type());
      } else {
        emit(code, type.parts.get(i));
      }
      if (maker.isChecked()) {
        org.objectweb.asm.Type value = valueType(object, i);
        values[i] = next;
        next += value.getSize();
        code.visitInsn(value.getSize() == 2 ? DUP2 : DUP);
        code.visitVarInsn(value.getOpcode(ISTORE), values[i]);
      }
      if (maker.bySetters()) {
        HiddenClass.invoke(code, property.setter());
      }
    }
    if (!maker.bySetters()) {
      HiddenClass.invoke(code, maker.constructor());
    }
    if (maker.build() != null) {
      hidden.pushConstant(code, maker.build(), MethodHandle.class);
      code.visitInsn(SWAP);
      HiddenClass.invoke(code, maker.build());
    }
    if (maker.isChecked()) {
      emitCheck(code, object, values, next);
    }
  }

  /**
   * Compares the properties of the object on the stack with the values that it got, which are in
   * local variables {@code values}. The JIT compiler removes it for an object that keeps them. It
   * gives up on long methods, so those of a wide object are compared by methods for groups.
   */
  private void emitCheck(MethodVisitor code, ObjectMapping object, int[] values, int made) {
    code.visitVarInsn(ASTORE, made);
    if (values.length <= HiddenClass.FIELDS_PER_METHOD) {
      emitCheck(code, object, 0, values, made);
    } else {
      for (int from = 0; from < values.length; from += HiddenClass.FIELDS_PER_METHOD) {
        int to = Math.min(from + HiddenClass.FIELDS_PER_METHOD, values.length);
        code.visitVarInsn(ALOAD, made);
        int[] parameters = new int[to - from];
        StringBuilder types = new StringBuilder("(Ljava/lang/Object;");
        int next = 1;
        for (int i = from; i < to; i++) {
          org.objectweb.asm.Type value = valueType(object, i);
          code.visitVarInsn(value.getOpcode(ILOAD), values[i]);
          types.append(value.getDescriptor());
          parameters[i - from] = next;
          next += value.getSize();
        }
        String name = "kept" + methods++;
        String descriptor = types.append(")V").toString();
        code.visitMethodInsn(INVOKESTATIC, hidden.name(), name, descriptor, false);
        MethodVisitor group = hidden.method(ACC_PRIVATE | ACC_STATIC, name, descriptor);
        emitCheck(group, object, from, parameters, 0);
        group.visitInsn(RETURN);
        HiddenClass.end(group);
      }
    }
    code.visitVarInsn(ALOAD, made);
  }

  private static org.objectweb.asm.Type valueType(ObjectMapping object, int property) {
    return org.objectweb.asm.Type.getType(object.properties.get(property).type());
  }

  /** Compares the properties from {@code first} with the values in local variables. */
  private void emitCheck(
      MethodVisitor code, ObjectMapping object, int first, int[] values, int made) {
    for (int i = 0; i < values.length; i++) {
      MethodHandle reader = KeptValue.reader(object, first + i);
      hidden.pushConstant(code, reader, MethodHandle.class);
      code.visitVarInsn(ALOAD, made);
      HiddenClass.invoke(code, reader);
      org.objectweb.asm.Type value = valueType(object, first + i);
      code.visitVarInsn(value.getOpcode(ILOAD), values[i]);
      String read = reader.type().returnType().descriptorString();
      if (read.equals("J") && value.getSize() == 1) {
        code.visitInsn(I2L);
      } else if (read.equals("D") && value.getSize() == 1) {
        code.visitInsn(F2D);
      }
      hidden.pushConstant(code, object, ObjectMapping.class);
      HiddenClass.push(code, first + i);
      String check = "(" + read + read + "L" + HiddenClass.nameOf(ObjectMapping.class) + ";I)V";
      String owner = HiddenClass.nameOf(KeptValue.class);
      code.visitMethodInsn(INVOKESTATIC, owner, "check", check, false);
    }
  }

  /** Pushes a value of primitive class {@code primitive}. */
  private void emitPrimitive(MethodVisitor code, Type type, Class<?> primitive) {
    switch (type.kind) {
      case I64 -> {
        target.emitI64(code, type);
        if (primitive == int.class) {
          narrow(code, "toInt", "(J)I");
        } else if (primitive == short.class) {
          narrow(code, "toShort", "(J)S");
        } else if (primitive == byte.class) {
          narrow(code, "toByte", "(J)B");
        }
      }
      case F64 -> {
        target.emitF64(code, type);
        if (primitive == float.class) {
          narrow(code, "toFloat", "(D)F");
        }
      }
      default -> target.emitBit(code, type);
    }
  }

  /** Converts the plain object on the stack to a value of its Java type. */
  private void emitWrap(MethodVisitor code, Type type) {
    if (type.mapping == null || !type.mapping.wraps()) {
      return;
    }
    hidden.pushConstant(code, type.mapping.wrapping(), Mapping.Step.class);
    code.visitInsn(SWAP);
    HiddenClass.invokeStep(code);
  }

  private void emitSequence(MethodVisitor code, Type type) {
    if (type.mapping instanceof ElementsMapping elements && elements.isPrimitiveArray()) {
      Class<?> element = elements.type.getComponentType();
      target.emitNumbers(code, type, () -> hidden.pushConstant(code, element, Class.class));
      return;
    }
    Label next = new Label();
    Label end = new Label();
    target.emitCount(code, type);
    if (type.kind == Type.Kind.MAP) {
      code.visitInsn(ICONST_2);
      code.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "multiplyExact", "(II)I", false);
    }
    code.visitInsn(DUP);
    code.visitVarInsn(ISTORE, LENGTH);
    emitNew(code, type);
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, INDEX);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ILOAD, LENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
    for (Type part : type.parts) {
      code.visitVarInsn(ALOAD, FIELDS);
      if (!type.isList()) {
        code.visitVarInsn(ILOAD, INDEX);
      }
      emit(code, part);
      emitStore(code, type);
      code.visitIincInsn(INDEX, 1);
    }
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    code.visitVarInsn(ALOAD, FIELDS);
    emitMade(code, type);
  }

  /** Converts the array on the stack to a set, map, dict or record. */
  private void emitMade(MethodVisitor code, Type type) {
    switch (type.kind) {
      case SET, FROZENSET, MAP -> {
        HiddenClass.push(code, type.parts.get(0).hasArrays ? 1 : 0);
        String helper =
            type.kind == Type.Kind.SET ? "set" : type.kind == Type.Kind.MAP ? "map" : "frozenSet";
        call(code, helper, "([Ljava/lang/Object;Z)Ljava/lang/Object;");
      }
      case DICT, RECORD -> {
        hidden.pushConstant(code, type.names, Names.class);
        String helper = type.kind == Type.Kind.DICT ? "dict" : "record";
        call(code, helper, "([Ljava/lang/Object;L" + NAMES + ";)Ljava/lang/Object;");
      }
      default -> {
        // A tuple is the array itself, and a list is made already.
      }
    }
    emitWrap(code, type);
  }

  private void emitUnion(MethodVisitor code, Type type) {
    List<Label> arms = new ArrayList<>();
    type.parts.forEach(arm -> arms.add(new Label()));
    Label none = new Label();
    target.emitArm(code, type);
    code.visitTableSwitchInsn(0, arms.size() - 1, none, arms.toArray(Label[]::new));
    for (int arm = 0; arm < arms.size(); arm++) {
      code.visitLabel(arms.get(arm));
      emit(code, type.parts.get(arm));
      emitWrap(code, type);
      code.visitInsn(ARETURN);
    }
    code.visitLabel(none);
    target.emitNever(code);
  }

  /** Pushes a value of {@code type}. */
  private void emit(MethodVisitor code, Type type) {
    emitPlain(code, type);
    boolean isConstant = type.mapping instanceof EnumMapping;
    if (type.isScalar() && !isConstant || type.kind == Type.Kind.OPTIONAL) {
      emitWrap(code, type);
    }
  }

  /** Pushes a value of {@code type} before its mapping is applied. */
  private void emitPlain(MethodVisitor code, Type type) {
    switch (type.kind) {
      case I64 -> target.emitLong(code, type);
      case F64 -> target.emitDouble(code, type);
      case STR -> target.emitStr(code, type);
      case BOOL -> {
        target.emitBit(code, type);
        box(code, "java/lang/Boolean", "Z");
      }
      case NULL -> {
        target.emitNothing(code);
        code.visitInsn(ACONST_NULL);
      }
      case NEVER -> target.emitNever(code);
      case ENUM -> {
        if (type.mapping instanceof EnumMapping constants) {
          hidden.pushConstant(code, constants.constants, Object[].class);
          target.emitMember(code, type);
          code.visitInsn(AALOAD);
          return;
        }
        target.emitMember(code, type);
        hidden.pushConstant(code, type.enumeration, Enumeration.class);
        call(code, "member", "(IL" + ENUMERATION + ";)Ljava/lang/Object;");
      }
      case OPTIONAL, MAYBE -> {
        Label absent = new Label();
        Label end = new Label();
        target.emitBit(code, type);
        code.visitJumpInsn(IFEQ, absent);
        emit(code, type.part());
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(absent);
        if (type.kind == Type.Kind.OPTIONAL) {
          code.visitInsn(ACONST_NULL);
        } else {
          code.visitFieldInsn(GETSTATIC, NAMES, "MISSING", "Ljava/lang/Object;");
        }
        code.visitLabel(end);
      }
      case LOGICAL -> target.emitLogical(code, type);
      default -> {
        code.visitVarInsn(ALOAD, SOURCE);
        code.visitVarInsn(ILOAD, ROW);
        code.visitMethodInsn(INVOKESTATIC, hidden.name(), later(type), target.value, false);
      }
    }
  }
}
