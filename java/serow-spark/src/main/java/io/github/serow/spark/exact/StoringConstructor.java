package io.github.serow.spark.exact;

import io.github.serow.mapping.AssignedFields;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A constructor that sets each field to a parameter of its own and does nothing else, also by the
 * constructors of superclasses. Its bytecode proves this.
 *
 * @param constructor the constructor
 * @param fieldOfParameter for each parameter, the index of its field
 */
record StoringConstructor(Constructor<?> constructor, int[] fieldOfParameter) {
  /** The constructor of a class for all these fields; null if there is none. */
  static StoringConstructor of(Class<?> type, List<Field> fields) {
    if (hasTransient(type)) {
      return null;
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() != fields.size()) {
        continue;
      }
      Stores stores = stores(type, Type.getConstructorDescriptor(constructor));
      int[] places = stores == null ? null : stores.places(fields);
      if (places != null && haveTypes(constructor, fields, places)) {
        return new StoringConstructor(constructor, places);
      }
    }
    return null;
  }

  private static boolean haveTypes(
      Constructor<?> constructor, List<Field> fields, int[] fieldOfParameter) {
    Class<?>[] parameters = constructor.getParameterTypes();
    for (int i = 0; i < parameters.length; i++) {
      if (fields.get(fieldOfParameter[i]).getType() != parameters[i]) {
        return false;
      }
    }
    return true;
  }

  /** A constructor may set a field that is no part of the value. */
  private static boolean hasTransient(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (Modifier.isTransient(modifiers) && !Modifier.isStatic(modifiers)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What a constructor stores; null if it does anything else. */
  private static Stores stores(Class<?> type, String descriptor) {
    if (type == Object.class || type == Record.class) {
      return new Stores(0);
    }
    Code code = new Code(type, descriptor);
    read(type, "<init>", descriptor, code);
    return code.isRefused || !code.isEnded ? null : code.stores;
  }

  /** Reads the code of a method. */
  private static void read(Class<?> type, String name, String descriptor, MethodVisitor code) {
    AssignedFields.read(
        type,
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String found, String of, String signature, String[] exceptions) {
            return found.equals(name) && of.equals(descriptor) ? code : null;
          }
        });
  }

  /** A field to which a parameter is stored. */
  private record Store(Class<?> owner, String field, int parameter) {}

  /** The fields that a constructor stores, in no order. */
  private static final class Stores {
    private final int parameters;
    private final List<Store> all = new ArrayList<>();

    Stores(int parameters) {
      this.parameters = parameters;
    }

    /**
     * For each parameter, the index of the field to which it is stored. Null unless each field gets
     * one parameter, and each parameter is for one field.
     */
    int[] places(List<Field> fields) {
      if (all.size() != fields.size() || parameters != fields.size()) {
        return null;
      }
      int[] places = new int[parameters];
      Arrays.fill(places, -1);
      for (Store store : all) {
        int field = index(store, fields);
        if (field < 0 || places[store.parameter] >= 0) {
          return null;
        }
        places[store.parameter] = field;
      }
      return Arrays.stream(places).distinct().count() == parameters ? places : null;
    }

    private static int index(Store store, List<Field> fields) {
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        if (field.getDeclaringClass() == store.owner && field.getName().equals(store.field)) {
          return i;
        }
      }
      return -1;
    }
  }

  /** Whether a method does nothing. */
  private static final class Nothing extends Refusing {
    @Override
    public void visitInsn(int opcode) {
      isEnded = opcode == Opcodes.RETURN;
      isRefused |= !isEnded;
    }
  }

  /**
   * Follows statements of the forms {@code this.field = parameter}, {@code super(parameter, …)} and
   * {@code Trait.$init$(this)}.
   */
  private static final class Code extends Refusing {
    private final Class<?> type;

    /** The parameter that begins at each local variable; -1 if there is none. */
    private final int[] parameterAt;

    final Stores stores;

    /** The parameters that the statement has loaded after `this`. */
    private final List<Integer> loaded = new ArrayList<>();

    private boolean hasThis;

    Code(Class<?> type, String descriptor) {
      this.type = type;
      Type[] parameters = Type.getArgumentTypes(descriptor);
      stores = new Stores(parameters.length);
      parameterAt = new int[1 + 2 * parameters.length];
      Arrays.fill(parameterAt, -1);
      int local = 1;
      for (int i = 0; i < parameters.length; i++) {
        parameterAt[local] = i;
        local += parameters[i].getSize();
      }
    }

    private void end() {
      hasThis = false;
      loaded.clear();
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
      boolean isThis = opcode == Opcodes.ALOAD && local == 0;
      if (isThis && !hasThis) {
        hasThis = true;
      } else if (!isThis && hasThis && opcode <= Opcodes.ALOAD && parameterAt[local] >= 0) {
        loaded.add(parameterAt[local]);
      } else {
        isRefused = true;
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      boolean isStore =
          opcode == Opcodes.PUTFIELD
              && hasThis
              && loaded.size() == 1
              && owner.equals(Type.getInternalName(type));
      if (isStore) {
        stores.all.add(new Store(type, name, loaded.get(0)));
        end();
      } else {
        isRefused = true;
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean isUnderstood =
          hasThis
              && (opcode == Opcodes.INVOKESPECIAL && name.equals("<init>")
                  ? follow(owner, descriptor)
                  : opcode == Opcodes.INVOKESTATIC
                      && name.equals("$init$")
                      && loaded.isEmpty()
                      && doesNothing(owner, descriptor));
      isRefused |= !isUnderstood;
      end();
    }

    /** Adds what the constructor of the superclass stores. */
    private boolean follow(String owner, String descriptor) {
      Class<?> above = type.getSuperclass();
      int parameters = Type.getArgumentTypes(descriptor).length;
      if (!owner.equals(Type.getInternalName(above)) || loaded.size() != parameters) {
        return false;
      }
      Stores ofAbove = StoringConstructor.stores(above, descriptor);
      if (ofAbove == null) {
        return false;
      }
      for (Store store : ofAbove.all) {
        stores.all.add(new Store(store.owner, store.field, loaded.get(store.parameter)));
      }
      return true;
    }

    /** Whether the initializer of a Scala trait does nothing. */
    private boolean doesNothing(String owner, String descriptor) {
      Nothing code = new Nothing();
      try {
        Class<?> trait = Class.forName(owner.replace('/', '.'), false, type.getClassLoader());
        read(trait, "$init$", descriptor, code);
      } catch (ClassNotFoundException e) {
        return false;
      }
      return code.isEnded && !code.isRefused;
    }

    @Override
    public void visitInsn(int opcode) {
      isEnded = opcode == Opcodes.RETURN && !hasThis;
      isRefused |= !isEnded;
    }
  }

  /** Refuses all instructions that a subclass does not understand. */
  private abstract static class Refusing extends MethodVisitor {
    boolean isRefused;
    boolean isEnded;

    Refusing() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
      isRefused = true;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      isRefused = true;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      isRefused = true;
    }

    @Override
    public void visitTypeInsn(int opcode, String name) {
      isRefused = true;
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      isRefused = true;
    }

    @Override
    public void visitLdcInsn(Object value) {
      isRefused = true;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      isRefused = true;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle method, Object... arguments) {
      isRefused = true;
    }

    @Override
    public void visitIincInsn(int local, int increment) {
      isRefused = true;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
      isRefused = true;
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
      isRefused = true;
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      isRefused = true;
    }
  }
}
