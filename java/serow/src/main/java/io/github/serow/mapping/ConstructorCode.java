package io.github.serow.mapping;

import io.github.serow.schema.Marks;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What the code of a constructor says of its parameters. Class files seldom have the names of
 * parameters, but a constructor that only keeps them says more: the field to which it assigns each
 * of them. Kotlin's {@code NotNull} is not visible by reflection either.
 *
 * @param fields for each parameter, the name of the field that is set to it; null if there is none
 * @param neverNull the indices of parameters that an annotation marks as never null
 */
record ConstructorCode(List<String> fields, Set<Integer> neverNull) {
  /** Methods that return their first argument, or an equal object. */
  private static final Set<String> KEEPING =
      Set.of(
          "java/util/Objects.requireNonNull",
          "java/util/List.copyOf",
          "java/util/Set.copyOf",
          "java/util/Map.copyOf",
          "java/util/Collections.unmodifiableCollection",
          "java/util/Collections.unmodifiableList",
          "java/util/Collections.unmodifiableMap",
          "java/util/Collections.unmodifiableSet");

  /** What makes a copy of a collection: a constructor of this package with one of these types. */
  private static final String COPYING_PACKAGE = "java/util/";

  private static final Set<String> COPIED =
      Set.of(
          "(Ljava/util/Collection;)V",
          "(Ljava/util/Map;)V",
          "(Ljava/util/SortedSet;)V",
          "(Ljava/util/SortedMap;)V",
          "(Ljava/util/EnumMap;)V");

  /** Reads the code; null if the class file can't be found or has an unknown version. */
  static ConstructorCode of(Constructor<?> constructor) {
    return of(constructor.getDeclaringClass(), Type.getConstructorDescriptor(constructor));
  }

  private static ConstructorCode of(Class<?> type, String descriptor) {
    Constructors found = new Constructors(type, descriptor);
    AssignedFields.read(type, found);
    return found.code == null ? null : found.code.result();
  }

  /** Finds the constructor in its class. */
  private static final class Constructors extends ClassVisitor {
    private final Class<?> type;
    private final String descriptor;
    private Assignments code;

    Constructors(Class<?> type, String descriptor) {
      super(Opcodes.ASM9);
      this.type = type;
      this.descriptor = descriptor;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String found, String signature, String[] exceptions) {
      if (!name.equals("<init>") || !found.equals(descriptor)) {
        return null;
      }
      code = new Assignments(type, descriptor);
      return code;
    }
  }

  /**
   * Follows statements of the forms {@code this.field = parameter} and {@code super(parameter, …)}.
   * Any other instruction ends the statement.
   */
  private static final class Assignments extends MethodVisitor {
    /** The parameter whose value is unknown. */
    private static final int UNKNOWN = -1;

    private final Class<?> type;

    /** The parameter that begins at each local variable. */
    private final int[] parameterAt;

    private final String[] fields;
    private final Set<Integer> neverNull = new HashSet<>();

    /** The parameters that the current statement has loaded, after `this`. */
    private final List<Integer> loaded = new ArrayList<>();

    private boolean hasThis;

    Assignments(Class<?> type, String descriptor) {
      super(Opcodes.ASM9);
      this.type = type;
      Type[] parameters = Type.getArgumentTypes(descriptor);
      fields = new String[parameters.length];
      parameterAt = new int[1 + 2 * parameters.length];
      java.util.Arrays.fill(parameterAt, UNKNOWN);
      int local = 1;
      for (int i = 0; i < parameters.length; i++) {
        parameterAt[local] = i;
        local += parameters[i].getSize();
      }
    }

    ConstructorCode result() {
      return new ConstructorCode(java.util.Arrays.asList(fields), neverNull);
    }

    private void end() {
      hasThis = false;
      loaded.clear();
    }

    @Override
    public AnnotationVisitor visitParameterAnnotation(
        int parameter, String descriptor, boolean isVisible) {
      String name = Type.getType(descriptor).getClassName();
      if (Marks.isNeverNull(name.substring(name.lastIndexOf('.') + 1))) {
        neverNull.add(parameter);
      }
      return null;
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
      boolean isLoad = opcode <= Opcodes.ALOAD;
      if (opcode == Opcodes.ALOAD && local == 0) {
        end();
        hasThis = true;
      } else if (isLoad && hasThis) {
        loaded.add(local < parameterAt.length ? parameterAt[local] : UNKNOWN);
      } else {
        end();
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      boolean isAssignment =
          opcode == Opcodes.PUTFIELD
              && hasThis
              && loaded.size() == 1
              && owner.equals(Type.getInternalName(type));
      if (isAssignment) {
        assign(loaded.get(0), name);
      }
      end();
    }

    private void assign(int parameter, String field) {
      if (parameter != UNKNOWN && fields[parameter] == null) {
        fields[parameter] = field;
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (opcode == Opcodes.INVOKESTATIC && KEEPING.contains(owner + "." + name)) {
        return;
      }
      boolean isCopy =
          opcode == Opcodes.INVOKESPECIAL
              && owner.startsWith(COPYING_PACKAGE)
              && COPIED.contains(descriptor);
      if (isCopy || owner.startsWith("[") && name.equals("clone")) {
        return;
      }
      Class<?> above = type.getSuperclass();
      boolean isAbove =
          opcode == Opcodes.INVOKESPECIAL
              && name.equals("<init>")
              && hasThis
              && above != Object.class
              && owner.equals(Type.getInternalName(above))
              && loaded.size() == Type.getArgumentTypes(descriptor).length;
      ConstructorCode code = isAbove ? of(above, descriptor) : null;
      for (int i = 0; code != null && i < loaded.size(); i++) {
        if (code.fields.get(i) != null) {
          assign(loaded.get(i), code.fields.get(i));
        }
      }
      end();
    }

    @Override
    public void visitTypeInsn(int opcode, String name) {
      boolean isOfCopy = opcode == Opcodes.NEW && name.startsWith(COPYING_PACKAGE);
      if (opcode != Opcodes.CHECKCAST && !isOfCopy) {
        end();
      }
    }

    @Override
    public void visitInsn(int opcode) {
      // The copy that is being made.
      if (opcode != Opcodes.DUP) {
        end();
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      end();
    }

    @Override
    public void visitLdcInsn(Object value) {
      // The message of requireNonNull, which takes it after the object.
      if (!(value instanceof String)) {
        end();
      }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      end();
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, org.objectweb.asm.Handle method, Object... arguments) {
      end();
    }

    @Override
    public void visitIincInsn(int local, int increment) {
      end();
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      end();
    }
  }
}
