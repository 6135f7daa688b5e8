package io.github.serow.codegen;

import io.github.serow.decode.RowReader;
import io.github.serow.mapping.ElementsMapping;
import io.github.serow.mapping.EnumMapping;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.PrimitiveArray;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Generates the {@link RowReader} of a schema: the counterpart of {@link RowWriterGenerator}.
 *
 * <p>For rows {@code (i64, str?)} it generates
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

  private final HiddenClass target = new HiddenClass("RowReaderOfSchema", RowReader.class);
  private final Queue<Task> tasks = new ArrayDeque<>();
  private int methods;

  /** The local variables with windows. Only the loop over rows has any. */
  private final Map<Type, Integer> windows = new IdentityHashMap<>();

  private RowReaderGenerator() {}

  public static RowReader generate(Type root) {
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
    MethodVisitor code = target.method(0, "readWindow", "(L" + COLUMNS + ";[Ljava/lang/Object;)V");
    // Move the parameters to the local variables that all methods use.
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ASTORE, ROWS);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ASTORE, COLUMNS_OF_FRAME);
    emitWindows(code, root);
    Label next = new Label();
    Label end = new Label();
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, ROW);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, ROW);
    code.visitVarInsn(ALOAD, ROWS);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
    code.visitVarInsn(ALOAD, ROWS);
    code.visitVarInsn(ILOAD, ROW);
    if (isFlat(root)) {
      emitFields(code, root);
    } else {
      emit(code, root);
    }
    code.visitInsn(AASTORE);
    code.visitIincInsn(ROW, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    code.visitInsn(RETURN);
    HiddenClass.end(code);
    windows.clear();
  }

  /** Whether the loop over rows reads the row's fields itself. */
  private static boolean isFlat(Type root) {
    return root.isFields() && !root.isList();
  }

  /** Loads the windows of the row's own fields into local variables, unless there are too many. */
  private void emitWindows(MethodVisitor code, Type root) {
    if (!isFlat(root) || root.parts.size() > HiddenClass.FIELDS_PER_METHOD) {
      return;
    }
    for (Type field : root.parts) {
      if (field.column >= 0 && field.kind != Type.Kind.LOGICAL) {
        emitWindow(code, field);
        code.visitVarInsn(ASTORE, FIRST_WINDOW + windows.size());
        windows.put(field, FIRST_WINDOW + windows.size());
      }
    }
  }

  /** Pushes the window of {@code type}'s column. */
  private void emitWindow(MethodVisitor code, Type type) {
    Integer local = windows.get(type);
    if (local != null) {
      code.visitVarInsn(ALOAD, local);
      return;
    }
    code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
    switch (type.kind) {
      case F64 -> code.visitFieldInsn(GETFIELD, COLUMNS, "floatWindows", "[[J");
      case BOOL, OPTIONAL, MAYBE -> code.visitFieldInsn(GETFIELD, COLUMNS, "bitWindows", "[[B");
      case STR -> code.visitFieldInsn(GETFIELD, COLUMNS, "strs", "[L" + STRINGS + ";");
      default -> code.visitFieldInsn(GETFIELD, COLUMNS, "intWindows", "[[J");
    }
    HiddenClass.push(code, type.column);
    code.visitInsn(AALOAD);
  }

  private void emitValue(Task task) {
    MethodVisitor code = target.method(ACC_PRIVATE | ACC_STATIC, task.method, VALUE);
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
        code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
        code.visitVarInsn(ILOAD, ROW);
        code.visitVarInsn(ALOAD, FIELDS);
        code.visitMethodInsn(INVOKESTATIC, target.name(), name, groupOf(type), false);
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

  /** Pushes an object of a caller's class, made by its constructor and its setters. */
  private void emitObject(MethodVisitor code, Type type, ObjectMapping object) {
    target.pushConstant(code, object.constructor, MethodHandle.class);
    if (object.isBean()) {
      HiddenClass.invoke(code, object.constructor);
    }
    for (int i = 0; i < type.parts.size(); i++) {
      ObjectMapping.Property property = object.properties.get(i);
      if (object.isBean()) {
        code.visitInsn(DUP);
        target.pushConstant(code, property.setter(), MethodHandle.class);
        code.visitInsn(SWAP);
      }
      if (property.type().isPrimitive()) {
        emitPrimitive(code, type.parts.get(i), property.type());
      } else {
        emit(code, type.parts.get(i));
      }
      if (object.isBean()) {
        HiddenClass.invoke(code, property.setter());
      }
    }
    if (!object.isBean()) {
      HiddenClass.invoke(code, object.constructor);
    }
  }

  /** Pushes a value of primitive class {@code primitive}. */
  private void emitPrimitive(MethodVisitor code, Type type, Class<?> primitive) {
    switch (type.kind) {
      case I64 -> {
        if (type.oneARow) {
          emitElement(code, type, LALOAD);
        } else {
          emitNext(code, type, "nextI64", "Ljava/lang/Long;");
          code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Long", "longValue", "()J", false);
        }
        if (primitive == int.class) {
          narrow(code, "toInt", "(J)I");
        } else if (primitive == short.class) {
          narrow(code, "toShort", "(J)S");
        } else if (primitive == byte.class) {
          narrow(code, "toByte", "(J)B");
        }
      }
      case F64 -> {
        if (type.oneARow) {
          emitElement(code, type, LALOAD);
          code.visitMethodInsn(INVOKESTATIC, "java/lang/Double", "longBitsToDouble", "(J)D", false);
        } else {
          emitNext(code, type, "nextF64", "Ljava/lang/Double;");
          code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Double", "doubleValue", "()D", false);
        }
        if (primitive == float.class) {
          narrow(code, "toFloat", "(D)F");
        }
      }
      default -> emitBit(code, type);
    }
  }

  /** Pushes the elements of a sequence as a primitive array. */
  private void emitNumbers(MethodVisitor code, Type type, ElementsMapping elements) {
    code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
    HiddenClass.push(code, type.part().column);
    emitNumber(code, type);
    target.pushConstant(code, elements.type.getComponentType(), Class.class);
    code.visitMethodInsn(
        INVOKESTATIC,
        HiddenClass.nameOf(PrimitiveArray.class),
        "read",
        "(L" + COLUMNS + ";IILjava/lang/Class;)Ljava/lang/Object;",
        false);
  }

  /** Converts the plain object on the stack to a value of its Java type. */
  private void emitWrap(MethodVisitor code, Type type) {
    if (type.mapping == null || !type.mapping.wraps()) {
      return;
    }
    target.pushConstant(code, type.mapping.wrapping(), Mapping.Step.class);
    code.visitInsn(SWAP);
    HiddenClass.invokeStep(code);
  }

  private void emitSequence(MethodVisitor code, Type type) {
    if (type.mapping instanceof ElementsMapping elements && elements.isPrimitiveArray()) {
      emitNumbers(code, type, elements);
      return;
    }
    Label next = new Label();
    Label end = new Label();
    emitNumber(code, type);
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
        target.pushConstant(code, type.names, Names.class);
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
    emitNumber(code, type);
    code.visitTableSwitchInsn(0, arms.size() - 1, none, arms.toArray(Label[]::new));
    for (int arm = 0; arm < arms.size(); arm++) {
      code.visitLabel(arms.get(arm));
      emit(code, type.parts.get(arm));
      code.visitInsn(ARETURN);
    }
    code.visitLabel(none);
    emitNever(code);
  }

  /** Pushes a value of {@code type}. */
  private void emit(MethodVisitor code, Type type) {
    emitPlain(code, type);
    boolean isEnum = type.kind == Type.Kind.ENUM;
    if (type.isScalar() && !isEnum || type.kind == Type.Kind.OPTIONAL) {
      emitWrap(code, type);
    }
  }

  /** Pushes a value of {@code type} before its mapping is applied. */
  private void emitPlain(MethodVisitor code, Type type) {
    switch (type.kind) {
      case I64 -> {
        if (type.oneARow) {
          emitElement(code, type, LALOAD);
          box(code, "java/lang/Long", "J");
        } else {
          emitNext(code, type, "nextI64", "Ljava/lang/Long;");
        }
      }
      case F64 -> {
        if (type.oneARow) {
          emitElement(code, type, LALOAD);
          code.visitMethodInsn(INVOKESTATIC, "java/lang/Double", "longBitsToDouble", "(J)D", false);
          box(code, "java/lang/Double", "D");
        } else {
          emitNext(code, type, "nextF64", "Ljava/lang/Double;");
        }
      }
      case STR -> {
        if (type.oneARow) {
          emitWindow(code, type);
          code.visitVarInsn(ILOAD, ROW);
          String value = "(I)Ljava/lang/String;";
          code.visitMethodInsn(INVOKEVIRTUAL, STRINGS, "inWindow", value, false);
        } else {
          emitNext(code, type, "nextStr", "Ljava/lang/String;");
        }
      }
      case BOOL -> {
        emitBit(code, type);
        box(code, "java/lang/Boolean", "Z");
      }
      case NULL -> code.visitInsn(ACONST_NULL);
      case NEVER -> emitNever(code);
      case ENUM -> {
        if (type.mapping instanceof EnumMapping constants) {
          target.pushConstant(code, constants.constants, Object[].class);
          emitNumber(code, type);
          code.visitInsn(AALOAD);
          return;
        }
        emitNumber(code, type);
        target.pushConstant(code, type.enumeration, Enumeration.class);
        call(code, "member", "(IL" + ENUMERATION + ";)Ljava/lang/Object;");
      }
      case OPTIONAL, MAYBE -> {
        Label absent = new Label();
        Label end = new Label();
        emitBit(code, type);
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
      case LOGICAL -> emitLogical(code, type);
      default -> {
        code.visitVarInsn(ALOAD, COLUMNS_OF_FRAME);
        code.visitVarInsn(ILOAD, ROW);
        code.visitMethodInsn(INVOKESTATIC, target.name(), later(type), VALUE, false);
      }
    }
  }

  /** Pushes a bool, or the presence of an optional value. */
  private void emitBit(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, BALOAD);
    } else {
      emitNext(code, type, "nextBit", "Z");
    }
  }

  /** Pushes the length of a sequence, the arm of a union, or the index of an enum's member. */
  private void emitNumber(MethodVisitor code, Type type) {
    if (type.oneARow) {
      emitElement(code, type, LALOAD);
      code.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "toIntExact", "(J)I", false);
    } else {
      emitNext(code, type, "nextNumber", "I");
    }
  }

  /** Pushes the row's element of the window of {@code type}'s column. */
  private void emitElement(MethodVisitor code, Type type, int load) {
    emitWindow(code, type);
    code.visitVarInsn(ILOAD, ROW);
    code.visitInsn(load);
  }
}
