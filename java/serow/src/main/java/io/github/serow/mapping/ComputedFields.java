package io.github.serow.mapping;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The final fields of a class that each new object has again: constants, and fields that one
 * constructor computes from its parameters by methods that always give the same result for them.
 *
 * <p>This reads the class file. Whatever it does not understand counts as different in each object.
 */
final class ComputedFields extends ClassVisitor {
  /** Classes whose methods give the same result for the same values. */
  private static final Set<String> PURE =
      Set.of(
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/Math",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double",
          "java/math/BigInteger",
          "java/math/BigDecimal",
          "java/time/Duration");

  /** Methods of these classes that depend on more: on chance, the process or the locale. */
  private static final Set<String> IMPURE =
      Set.of(
          "java/lang/Math.random",
          "java/lang/Boolean.getBoolean",
          "java/lang/Integer.getInteger",
          "java/lang/Long.getLong",
          "java/lang/String.format",
          "java/lang/String.formatted",
          "java/lang/String.getBytes",
          "java/lang/String.toLowerCase",
          "java/lang/String.toUpperCase");

  /** Returns its argument. */
  private static final String KEEPING = "java/util/Objects.requireNonNull";

  private static final String CONCATENATION = "java/lang/invoke/StringConcatFactory";

  private final String name;
  private String superclass;
  private final Set<String> constants = new HashSet<>();

  /** For each field that a constructor assigns, the number of constructors that do. */
  private final Map<String, Integer> assigned = new HashMap<>();

  private final Set<String> different = new HashSet<>();

  /** The fields whose values depend on parameters or other fields. */
  private final Set<String> dependent = new HashSet<>();

  private final Set<String> mutable = new HashSet<>();
  private boolean hasUnknownArguments;

  private ComputedFields(Class<?> type) {
    super(Opcodes.ASM9);
    name = Type.getInternalName(type);
  }

  /** The fields that {@code declaring} declares and each new object of {@code type} has again. */
  static Set<String> of(Class<?> declaring, Class<?> type) {
    ComputedFields found = read(declaring);
    Set<String> fields = new HashSet<>(found.constants);
    boolean hasMutable = found.assignsMutable();
    for (Class<?> below = type; below != declaring; below = below.getSuperclass()) {
      ComputedFields ofBelow = read(below);
      hasMutable |= ofBelow.assignsMutable();
      found.hasUnknownArguments |= ofBelow.hasUnknownArguments;
    }
    for (Map.Entry<String, Integer> field : found.assigned.entrySet()) {
      String name = field.getKey();
      boolean isSame =
          field.getValue() == 1
              && !found.hasUnknownArguments
              && !found.different.contains(name)
              && !(hasMutable && found.dependent.contains(name));
      if (isSame) {
        fields.add(name);
      }
    }
    return fields;
  }

  /** Whether a constructor sets a field that may change before the object is encoded. */
  private boolean assignsMutable() {
    return assigned.keySet().stream().anyMatch(mutable::contains);
  }

  private static ComputedFields read(Class<?> type) {
    ComputedFields found = new ComputedFields(type);
    AssignedFields.read(type, found);
    return found;
  }

  @Override
  public void visit(
      int version,
      int access,
      String internalName,
      String signature,
      String superName,
      String[] interfaces) {
    superclass = superName;
  }

  @Override
  public FieldVisitor visitField(
      int access, String field, String descriptor, String signature, Object constant) {
    if (constant != null) {
      constants.add(field);
    }
    if ((access & (Opcodes.ACC_FINAL | Opcodes.ACC_STATIC)) == 0) {
      mutable.add(field);
    }
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    return method.equals("<init>") ? new Code(descriptor) : null;
  }

  /**
   * Follows the code of a constructor. Between two assignments the stack is empty, so each of them
   * depends on the instructions since the last one, and on the branches before it.
   */
  private final class Code extends MethodVisitor {
    private final Set<String> fields = new HashSet<>();
    private final int endOfParameters;

    /** Whether an instruction since the last assignment may give another result next time. */
    private boolean isUnknown;

    /** The same before the last branch, where the code goes on if the branch throws. */
    private boolean wasUnknown;

    /** Whether a branch depends on such a result, so that all after it does. */
    private boolean isLost;

    /** Whether an instruction since the last assignment has read a parameter or a field. */
    private boolean isDependent;

    /** Whether a branch may depend on a parameter. */
    private boolean hasBranch;

    Code(String descriptor) {
      super(Opcodes.ASM9);
      // The sizes include that of `this`.
      endOfParameters = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
      if (opcode == Opcodes.PUTFIELD) {
        if (fields.add(field)) {
          assigned.merge(field, 1, Integer::sum);
        }
        if (isUnknown || isLost) {
          different.add(field);
        }
        if (isDependent || hasBranch) {
          dependent.add(field);
        }
        isUnknown = false;
        isDependent = false;
        return;
      }
      isDependent |= opcode == Opcodes.GETFIELD;
      boolean isOwn = opcode == Opcodes.GETFIELD && owner.equals(name);
      boolean isConstant =
          opcode == Opcodes.GETSTATIC && descriptor.equals(Type.getObjectType(owner).toString());
      isUnknown |= !isOwn && !isConstant;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean isInterface) {
      boolean isPure =
          PURE.contains(owner)
                  && !IMPURE.contains(owner + "." + method)
                  && (method.equals("equals") || takesValues(descriptor))
              || KEEPING.equals(owner + "." + method);
      boolean isOfThis =
          method.equals("<init>") && (owner.equals(name) || owner.equals(superclass));
      if (isOfThis) {
        hasUnknownArguments |= isUnknown || isLost;
      } else {
        isUnknown |= !isPure;
      }
    }

    /** Whether all parameters are primitive or of the classes that are {@link #PURE}. */
    private static boolean takesValues(String descriptor) {
      return Arrays.stream(Type.getArgumentTypes(descriptor))
          .allMatch(
              type ->
                  type.getSort() < Type.ARRAY
                      || type.getSort() == Type.OBJECT && PURE.contains(type.getInternalName()));
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ATHROW) {
        isUnknown = wasUnknown;
      }
      // An element of an array, which may change later.
      isUnknown |= opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String method, String descriptor, Handle bootstrap, Object... arguments) {
      isUnknown |= !bootstrap.getOwner().equals(CONCATENATION) || !takesValues(descriptor);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      isUnknown |= opcode != Opcodes.CHECKCAST && !PURE.contains(type);
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
      boolean isLoad = opcode <= Opcodes.ALOAD;
      if (!isLoad || local >= endOfParameters) {
        isUnknown = true;
        // A parameter may have another value from now on.
        isLost |= !isLoad && local < endOfParameters;
      }
      isDependent |= local > 0;
    }

    @Override
    public void visitIincInsn(int local, int increment) {
      isLost |= local < endOfParameters;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      isLost |= isUnknown && opcode != Opcodes.GOTO;
      wasUnknown = isUnknown;
      hasBranch = true;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
      isLost |= isUnknown;
      wasUnknown = isUnknown;
      hasBranch = true;
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
      isLost |= isUnknown;
      wasUnknown = isUnknown;
      hasBranch = true;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      isLost = true;
    }
  }
}
