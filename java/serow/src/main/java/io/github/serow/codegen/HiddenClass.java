package io.github.serow.codegen;

import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.logical.CompositeType;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Mapping;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class that is written at run time and then defined as a hidden class: it can't be found by
 * name, and it goes when the last object of it does.
 */
public final class HiddenClass implements Opcodes {
  /**
   * Methods longer than 8,000 bytes are never compiled, so fields are cut into groups of this many.
   */
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

  /** What the class has from {@link #pushConstant}. */
  private final List<Object> constants = new ArrayList<>();

  private final Map<Object, Integer> constantsSoFar = new IdentityHashMap<>();

  /** A class {@code simpleName} in this package that extends {@code superClass}. */
  HiddenClass(String simpleName, Class<?> superClass) {
    writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS) {
          /** Objects only meet as objects here; the inherited method would load classes to see. */
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

  /** The class's own name, for calls of its own methods. */
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

  /** Push a constant by its shortest instruction. */
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

  /** Push a type of values that are made of parts: a constant of {@link CompositeTypes}. */
  static void pushLogical(MethodVisitor method, CompositeType type) {
    String constant = type.name().toUpperCase(Locale.ROOT);
    method.visitFieldInsn(GETSTATIC, nameOf(CompositeTypes.class), constant, "L" + LOGICAL + ";");
  }

  /**
   * Push an object, which the JIT compiler takes for a constant. {@code type} is its class or one
   * above it.
   */
  void pushConstant(MethodVisitor method, Object constant, Class<?> type) {
    int index = constantsSoFar.computeIfAbsent(constant, ignored -> constantsSoFar.size());
    if (index == constants.size()) {
      constants.add(constant);
    }
    method.visitLdcInsn(new ConstantDynamic("_", type.descriptorString(), CLASS_DATA_AT, index));
  }

  /** Invoke a method handle, which stands below its arguments. */
  static void invoke(MethodVisitor method, MethodHandle handle) {
    method.visitMethodInsn(
        INVOKEVIRTUAL,
        nameOf(MethodHandle.class),
        "invokeExact",
        handle.type().toMethodDescriptorString(),
        false);
  }

  /** Call a {@link Mapping.Step}, which stands below its argument. */
  static void invokeStep(MethodVisitor method) {
    method.visitMethodInsn(
        INVOKEINTERFACE,
        nameOf(Mapping.Step.class),
        "of",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        true);
  }

  /** Define the class and make its one object. */
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
          "the schema has more parts than a Java class can have; use fewer fields or sequences");
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new SerowException("serow made a class that Java does not take; please report it", e);
    }
  }
}
