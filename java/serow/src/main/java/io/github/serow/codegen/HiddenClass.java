package io.github.serow.codegen;

import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.logical.CompositeType;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Mapping;
import io.github.serow.wire.ValueSink;
import io.github.serow.wire.ValueSource;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Builder of a class that is defined as a hidden class: it can't be found by name, and is unloaded
 * with its last instance.
 */
public final class HiddenClass implements Opcodes {
  /** Fields per generated method. The JIT compiler ignores methods of more than 8,000 bytes. */
  static final int FIELDS_PER_METHOD = 32;

  static final String LOGICAL = nameOf(CompositeType.class);

  private static final Handle CLASS_DATA_AT =
      new Handle(
          H_INVOKESTATIC,
          nameOf(MethodHandles.class),
          "classDataAt",
          MethodType.methodType(
                  Object.class, MethodHandles.Lookup.class, String.class, Class.class, int.class)
              .toMethodDescriptorString(),
          false);

  private final ClassWriter writer;
  private final String name;
  private final String superName;

  /** The constants of {@link #pushConstant}. */
  private final List<Object> constants = new ArrayList<>();

  private final Map<Object, Integer> constantsSoFar = new IdentityHashMap<>();

  /** Starts a class {@code simpleName} in this package that extends {@code superClass}. */
  HiddenClass(String simpleName, Class<?> superClass) {
    writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS) {
          /**
           * Always Object: generated code needs nothing more specific, and the inherited method
           * would load classes.
           */
          @Override
          protected String getCommonSuperClass(String type1, String type2) {
            return "java/lang/Object";
          }
        };
    name = nameOf(HiddenClass.class).replace("HiddenClass", simpleName);
    superName = nameOf(superClass);
    writer.visit(V17, ACC_FINAL | ACC_SUPER, name, null, superName, null);
    MethodVisitor constructor = method(0, "<init>", "()V");
    constructor.visitVarInsn(ALOAD, 0);
    constructor.visitMethodInsn(INVOKESPECIAL, superName, "<init>", "()V", false);
    constructor.visitInsn(RETURN);
    end(constructor);
  }

  static String nameOf(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** The internal name of the class, for calls of its own methods. */
  String name() {
    return name;
  }

  MethodVisitor method(int access, String name, String descriptor) {
    MethodVisitor method = writer.visitMethod(access, name, descriptor, null, null);
    method.visitCode();
    return method;
  }

  static void end(MethodVisitor method) {
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  /** Pushes a constant with its shortest instruction. */
  static void push(MethodVisitor method, int value) {
    if (value >= -1 && value <= 5) {
      method.visitInsn(ICONST_0 + value);
    } else if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      method.visitIntInsn(BIPUSH, value);
    } else if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
      method.visitIntInsn(SIPUSH, value);
    } else {
      method.visitLdcInsn(value);
    }
  }

  /** Pushes a composite type: a constant of {@link CompositeTypes}. */
  static void pushLogical(MethodVisitor method, CompositeType type) {
    String owner = nameOf(CompositeTypes.class);
    method.visitFieldInsn(GETSTATIC, owner, type.constant(), "L" + LOGICAL + ";");
  }

  /**
   * Writes the components of the value in local variable {@code value} at the position in {@code
   * at}, which moves on.
   */
  static void emitWriteLogical(
      MethodVisitor method, CompositeType type, int value, int out, int at) {
    pushLogical(method, type);
    method.visitVarInsn(ALOAD, value);
    method.visitVarInsn(ALOAD, out);
    method.visitVarInsn(ILOAD, at);
    String write = "(Ljava/lang/Object;L" + nameOf(ValueSink.class) + ";I)I";
    method.visitMethodInsn(INVOKEVIRTUAL, LOGICAL, "write", write, false);
    method.visitVarInsn(ISTORE, at);
  }

  /** Calls {@link CompositeType#read} with its arguments on the stack. */
  static void emitReadLogical(MethodVisitor method) {
    String read = "(L" + nameOf(ValueSource.class) + ";III)Ljava/lang/Object;";
    method.visitMethodInsn(INVOKEVIRTUAL, LOGICAL, "read", read, false);
  }

  /**
   * Pushes an object that the JIT compiler treats as a constant. {@code type} is its class or a
   * superclass.
   */
  void pushConstant(MethodVisitor method, Object constant, Class<?> type) {
    int index = constantsSoFar.computeIfAbsent(constant, ignored -> constantsSoFar.size());
    if (index == constants.size()) {
      constants.add(constant);
    }
    method.visitLdcInsn(new ConstantDynamic("_", type.descriptorString(), CLASS_DATA_AT, index));
  }

  /** Invokes a method handle, which is on the stack below its arguments. */
  static void invoke(MethodVisitor method, MethodHandle handle) {
    method.visitMethodInsn(
        INVOKEVIRTUAL,
        nameOf(MethodHandle.class),
        "invokeExact",
        handle.type().toMethodDescriptorString(),
        false);
  }

  /** Calls a {@link Mapping.Step}, which is on the stack below its argument. */
  static void invokeStep(MethodVisitor method) {
    method.visitMethodInsn(
        INVOKEINTERFACE,
        nameOf(Mapping.Step.class),
        "of",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        true);
  }

  /** Defines the class and creates its only instance. */
  <T> T instantiate(Class<T> superClass) {
    writer.visitEnd();
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> hidden =
          lookup
              .defineHiddenClassWithClassData(writer.toByteArray(), List.copyOf(constants), true)
              .lookupClass();
      return superClass.cast(hidden.getDeclaredConstructor().newInstance());
    } catch (ClassTooLargeException | MethodTooLargeException e) {
      throw new LimitException(
          "the schema is too large for a Java class; use fewer fields or sequences");
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new SerowException("Java rejected a class that serow generated; please report it", e);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Error e) {
      // A native image makes no classes at run time, and says so by an Error of its own.
      throw new LimitException("this program makes no classes at run time: " + e);
    }
  }
}
