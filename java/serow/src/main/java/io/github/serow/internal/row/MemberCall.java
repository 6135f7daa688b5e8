package io.github.serow.internal.row;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Emits a call of a member of a caller's class: a field, a method or a constructor.
 *
 * <p>Where the generated class may use the member, this is a plain instruction, which costs the JVM
 * no more than in the caller's own code. Elsewhere a call site invokes the method handle, for which
 * the JVM makes about four classes.
 */
public final class MemberCall implements Opcodes {
  private final Emitter to;
  private final MethodHandle handle;

  /** What the handle invokes; null if the generated class may not use it. */
  private final MethodHandleInfo member;

  /** The classes of the arguments so far, as they were on the stack. */
  private final List<Class<?>> arguments = new ArrayList<>();

  /** Begins a call; arguments follow. */
  MemberCall(Emitter to, MethodHandle handle) {
    this.to = to;
    this.handle = handle;
    member = member(handle, to.hidden.home());
    if (member != null && member.getReferenceKind() == MethodHandleInfo.REF_newInvokeSpecial) {
      to.code().visitTypeInsn(NEW, owner());
      to.code().visitInsn(DUP);
    }
  }

  /** The member of a handle if code of the lookup's class may use it; otherwise null. */
  private static MethodHandleInfo member(MethodHandle handle, Lookup home) {
    try {
      MethodHandleInfo member = home.revealDirect(handle);
      for (Class<?> parameter : handle.type().parameterList()) {
        home.accessClass(parameter);
      }
      Class<?> owner = member.getDeclaringClass();
      Class<?> nest = home.lookupClass();
      // The generated class is no subclass, which a protected member elsewhere asks for.
      boolean isForSubclasses =
          Modifier.isProtected(member.getModifiers())
              && !owner.getPackageName().equals(nest.getPackageName());
      // Names mean the same classes only for one loader, and a hidden class has none.
      boolean isNamed = owner.getClassLoader() == nest.getClassLoader() && !owner.isHidden();
      return isNamed && !isForSubclasses ? member : null;
    } catch (IllegalArgumentException | IllegalAccessException e) {
      // The handle is adapted, or the member is private elsewhere.
      return null;
    }
  }

  private String owner() {
    return ClassEmitter.nameOf(member.getDeclaringClass());
  }

  /**
   * Makes the value on the stack the next argument. The first one of a field or an instance's
   * method is the object.
   *
   * @param type its class on the stack: a primitive one, or {@code Object} for all others
   */
  public void argument(Class<?> type) {
    if (member != null) {
      convert(type, handle.type().parameterType(arguments.size()));
    }
    arguments.add(type);
  }

  /**
   * Ends the call.
   *
   * @param type the class of the result on the stack: as for arguments, or {@code void}
   */
  public void result(Class<?> type) {
    if (member == null) {
      to.hidden.invoke(to.code(), handle.asType(MethodType.methodType(type, arguments)));
      return;
    }
    emit();
    Class<?> returned = handle.type().returnType();
    if (type != void.class) {
      convert(returned, type);
    } else if (returned != void.class) {
      to.code().visitInsn(Type.getType(returned).getSize() == 2 ? POP2 : POP);
    }
  }

  private void emit() {
    String name = member.getName();
    MethodType type = member.getMethodType();
    switch (member.getReferenceKind()) {
      case MethodHandleInfo.REF_getField ->
          to.code().visitFieldInsn(GETFIELD, owner(), name, type.returnType().descriptorString());
      case MethodHandleInfo.REF_getStatic ->
          to.code().visitFieldInsn(GETSTATIC, owner(), name, type.returnType().descriptorString());
      case MethodHandleInfo.REF_putField ->
          to.code()
              .visitFieldInsn(PUTFIELD, owner(), name, type.parameterType(0).descriptorString());
      case MethodHandleInfo.REF_invokeVirtual -> emitInvoke(INVOKEVIRTUAL);
      case MethodHandleInfo.REF_invokeInterface -> emitInvoke(INVOKEINTERFACE);
      case MethodHandleInfo.REF_invokeStatic -> emitInvoke(INVOKESTATIC);
      case MethodHandleInfo.REF_newInvokeSpecial -> emitInvoke(INVOKESPECIAL);
      default -> throw new IllegalStateException("no instruction for " + member);
    }
  }

  private void emitInvoke(int instruction) {
    to.code()
        .visitMethodInsn(
            instruction,
            owner(),
            member.getName(),
            member.getMethodType().toMethodDescriptorString(),
            member.getDeclaringClass().isInterface());
  }

  /** Converts the value on the stack, as a method handle does. */
  private void convert(Class<?> from, Class<?> target) {
    if (from.isPrimitive() && target.isPrimitive()) {
      widen(from, target);
    } else if (from.isPrimitive()) {
      box(to, from);
    } else if (target.isPrimitive()) {
      Class<?> object = MethodType.methodType(target).wrap().returnType();
      to.code().visitTypeInsn(CHECKCAST, ClassEmitter.nameOf(object));
      to.callVirtual(
          ClassEmitter.nameOf(object),
          target.getName() + "Value",
          "()" + target.descriptorString());
    } else if (target != Object.class) {
      to.code().visitTypeInsn(CHECKCAST, Type.getInternalName(target));
    }
  }

  private void widen(Class<?> from, Class<?> target) {
    if (target == long.class && from != long.class) {
      to.code().visitInsn(I2L);
    } else if (target == double.class && from == float.class) {
      to.code().visitInsn(F2D);
    }
  }

  /** Makes the primitive value on the stack an object. */
  static void box(Emitter to, Class<?> primitive) {
    Class<?> object = MethodType.methodType(primitive).wrap().returnType();
    to.callStatic(
        object, "valueOf", "(" + primitive.descriptorString() + ")" + object.descriptorString());
  }
}
