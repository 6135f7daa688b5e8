package io.github.serow.internal.row;

import io.github.serow.LimitException;
import io.github.serow.SerowException;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Builder of a class that is defined as a hidden class: it can't be found by name, and is unloaded
 * with its last instance.
 *
 * <p>Where a caller's class allows it, the class becomes its nestmate, so it may use private
 * members of the caller's class by plain instructions ({@link MemberCall}).
 */
public final class ClassEmitter implements Opcodes {
  private static final Handle CALL_SITE =
      new Handle(
          H_INVOKESTATIC,
          nameOf(ClassEmitter.class),
          "callSite",
          MethodType.methodType(
                  CallSite.class, Lookup.class, String.class, MethodType.class, int.class)
              .toMethodDescriptorString(),
          false);

  /** The lookup of the class whose nestmate the class becomes. */
  private final Lookup home;

  private final ClassWriter writer;
  private final String name;
  private final String superName;

  /**
   * The constants of {@link #pushConstant}, and the classes that they are pushed as; null for a
   * method handle of a call site.
   */
  private final List<Object> constants = new ArrayList<>();

  private final List<Class<?>> types = new ArrayList<>();

  private final Map<Class<?>, Map<Object, Integer>> indices = new HashMap<>();

  /** Starts a class {@code simpleName} of a root's nest that extends {@code superClass}. */
  ClassEmitter(String simpleName, Class<?> superClass, Node root) {
    Lookup ofRoot = root.home();
    home = ofRoot == null ? MethodHandles.lookup() : ofRoot;
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
    String nest = nameOf(home.lookupClass());
    name = nest.substring(0, nest.lastIndexOf('/') + 1) + simpleName;
    superName = nameOf(superClass);
    writer.visit(V17, ACC_FINAL | ACC_SUPER, name, null, superName, null);
    MethodVisitor constructor = method(ACC_PRIVATE, "<init>", "()V");
    constructor.visitVarInsn(ALOAD, 0);
    constructor.visitMethodInsn(INVOKESPECIAL, superName, "<init>", "()V", false);
    constructor.visitInsn(RETURN);
    end(constructor);
  }

  static String nameOf(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** The lookup of the class whose nestmate the class becomes. */
  Lookup home() {
    return home;
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

  /**
   * Pushes an object that the JIT compiler treats as a constant. {@code type} is its class or a
   * superclass.
   *
   * <p>Constants are static final fields. Dynamic constants would not do: the JIT compiler of Java
   * 17 gives up on a method with one that was not used yet, such as that of an error's handler.
   */
  void pushConstant(MethodVisitor method, Object constant, Class<?> type) {
    int index =
        indices
            .computeIfAbsent(type, ignored -> new IdentityHashMap<>())
            .computeIfAbsent(constant, ignored -> constants.size());
    if (index == constants.size()) {
      constants.add(constant);
      types.add(type);
      writer.visitField(
          ACC_PRIVATE | ACC_STATIC | ACC_FINAL, "C" + index, type.descriptorString(), null, null);
    }
    method.visitFieldInsn(GETSTATIC, name, "C" + index, type.descriptorString());
  }

  /**
   * Emits the initialization of the constants from the class data, whose last element becomes the
   * only instance. So nobody needs access to the constructor.
   */
  private void emitConstants() {
    MethodVisitor method = method(ACC_STATIC, "<clinit>", "()V");
    method.visitMethodInsn(
        INVOKESTATIC,
        nameOf(MethodHandles.class),
        "lookup",
        "()Ljava/lang/invoke/MethodHandles$Lookup;",
        false);
    method.visitLdcInsn("_");
    method.visitLdcInsn(Type.getType(Object[].class));
    method.visitMethodInsn(
        INVOKESTATIC,
        nameOf(MethodHandles.class),
        "classData",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)"
            + "Ljava/lang/Object;",
        false);
    method.visitTypeInsn(CHECKCAST, "[Ljava/lang/Object;");
    method.visitVarInsn(ASTORE, 0);
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i) != null) {
        method.visitVarInsn(ALOAD, 0);
        push(method, i);
        method.visitInsn(AALOAD);
        method.visitTypeInsn(CHECKCAST, nameOf(types.get(i)));
        method.visitFieldInsn(PUTSTATIC, name, "C" + i, types.get(i).descriptorString());
      }
    }
    method.visitVarInsn(ALOAD, 0);
    push(method, types.size());
    method.visitTypeInsn(NEW, name);
    method.visitInsn(DUP);
    method.visitMethodInsn(INVOKESPECIAL, name, "<init>", "()V", false);
    method.visitInsn(AASTORE);
    method.visitInsn(RETURN);
    end(method);
  }

  /**
   * Invokes a method handle with the arguments on the stack.
   *
   * <p>Each has a call site of its own, which the JVM links at the first call. A handle that is
   * invoked by {@code invokeExact} would get a class of its own after some calls.
   */
  void invoke(MethodVisitor method, MethodHandle handle) {
    constants.add(handle);
    types.add(null);
    method.visitInvokeDynamicInsn(
        "_", handle.type().toMethodDescriptorString(), CALL_SITE, constants.size() - 1);
  }

  /** Links a call site to the method handle at an index of the class data. */
  public static CallSite callSite(Lookup caller, String name, MethodType type, int index)
      throws IllegalAccessException {
    Object[] data = MethodHandles.classData(caller, name, Object[].class);
    return new ConstantCallSite((MethodHandle) data[index]);
  }

  /** Defines the class. Returns its only instance. */
  <T> T instantiate(Class<T> superClass) {
    emitConstants();
    writer.visitEnd();
    try {
      Object[] data = constants.toArray(new Object[constants.size() + 1]);
      home.defineHiddenClassWithClassData(
          writer.toByteArray(), data, true, Lookup.ClassOption.NESTMATE);
      return superClass.cast(data[constants.size()]);
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
