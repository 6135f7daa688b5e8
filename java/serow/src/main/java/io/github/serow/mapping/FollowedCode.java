package io.github.serow.mapping;

import io.github.serow.mapping.FollowedValue.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Follows the code of one method along all its branches, and keeps what is known of the values. It
 * needs one pass: where branches meet, what they know is joined, and a loop must change nothing
 * that is known at its begin. Calls and fields are those of {@link KeptArguments}.
 */
class FollowedCode extends MethodVisitor {
  /** The slots that each instruction from IADD to DCMPG takes and gives. */
  private static final String ARITHMETIC =
      "2142214221422142214221422142214221422142"
          + "11221122"
          + "213221322132"
          + "214221422142"
          + "00"
          + "121112212122111212212221111111"
          + "4121214141";

  private final KeptArguments calls;
  private final Map<Label, FollowedState> pending = new HashMap<>();
  private final Map<Label, FollowedState> passed = new HashMap<>();
  private int created;

  /** What is known here; null after a jump, where only another jump leads. */
  private FollowedState state;

  /** What is known where the method returns; null if it never does. */
  FollowedState atReturn;

  /** What the method returns; null for {@code void}. */
  FollowedValue returned;

  /** Whether the code has something that is not followed, such as an exception that it catches. */
  boolean isLost;

  FollowedCode(KeptArguments calls, FollowedState begin) {
    super(Opcodes.ASM9);
    this.calls = calls;
    state = begin;
  }

  private void effect(int taken, int given) {
    state.pop(taken);
    state.push(FollowedValue.OTHER, given);
  }

  @Override
  public void visitInsn(int opcode) {
    if (state == null) {
      return;
    }
    if (opcode >= Opcodes.IADD && opcode <= Opcodes.DCMPG) {
      int at = 2 * (opcode - Opcodes.IADD);
      effect(ARITHMETIC.charAt(at) - '0', ARITHMETIC.charAt(at + 1) - '0');
      return;
    }
    switch (opcode) {
      case Opcodes.NOP -> {}
      case Opcodes.ACONST_NULL -> state.push(FollowedValue.NULL, 1);
      case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 -> effect(0, 2);
      case Opcodes.LALOAD, Opcodes.DALOAD -> effect(2, 2);
      case Opcodes.AALOAD -> {
        state.pop(1);
        state.push(FollowedValue.other(state.pop(1).parts()), 1);
      }
      case Opcodes.IALOAD, Opcodes.FALOAD, Opcodes.BALOAD, Opcodes.CALOAD, Opcodes.SALOAD ->
          effect(2, 1);
      case Opcodes.LASTORE, Opcodes.DASTORE -> store(2);
      case Opcodes.IASTORE,
          Opcodes.FASTORE,
          Opcodes.AASTORE,
          Opcodes.BASTORE,
          Opcodes.CASTORE,
          Opcodes.SASTORE ->
          store(1);
      case Opcodes.POP, Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> state.pop(1);
      case Opcodes.POP2 -> state.pop(2);
      case Opcodes.DUP -> duplicate(1, 0);
      case Opcodes.DUP_X1 -> duplicate(1, 1);
      case Opcodes.DUP_X2 -> duplicate(1, 2);
      case Opcodes.DUP2 -> duplicate(2, 0);
      case Opcodes.DUP2_X1 -> duplicate(2, 1);
      case Opcodes.DUP2_X2 -> duplicate(2, 2);
      case Opcodes.SWAP -> {
        FollowedValue top = state.pop(1);
        state.stack.add(state.stack.size() - 1, top);
      }
      case Opcodes.ARRAYLENGTH -> {
        FollowedValue array = state.pop(1);
        state.push(
            array.is(Kind.ARGUMENT)
                ? new FollowedValue(Kind.LENGTH, array.index(), 0)
                : FollowedValue.OTHER,
            1);
      }
      case Opcodes.IRETURN, Opcodes.FRETURN, Opcodes.ARETURN -> end(state.pop(1));
      case Opcodes.LRETURN, Opcodes.DRETURN -> end(state.pop(2));
      case Opcodes.RETURN -> end(null);
      case Opcodes.ATHROW -> state = null;
      // The other constants.
      default -> effect(0, 1);
    }
  }

  /** Copies the topmost slots below {@code below} others. */
  private void duplicate(int size, int below) {
    List<FollowedValue> stack = state.stack;
    List<FollowedValue> top = List.copyOf(stack.subList(stack.size() - size, stack.size()));
    stack.addAll(stack.size() - size - below, top);
  }

  /** A store to an element of an array. */
  private void store(int size) {
    FollowedValue value = state.pop(size);
    state.pop(1);
    calls.change(value.parts() | state.pop(1).parts());
  }

  private void end(FollowedValue value) {
    if (atReturn == null) {
      atReturn = state;
      returned = value;
    } else {
      // The value is joined as the only one on the stack.
      atReturn.stack.clear();
      state.stack.clear();
      if (value != null) {
        atReturn.push(returned, 1);
        state.push(value, 1);
      }
      atReturn.join(state);
      returned = value == null ? null : atReturn.stack.get(0);
    }
    state = null;
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    if (state != null) {
      effect(opcode == Opcodes.NEWARRAY ? 1 : 0, 1);
    }
  }

  @Override
  public void visitLdcInsn(Object value) {
    if (state != null) {
      effect(0, value instanceof Long || value instanceof Double ? 2 : 1);
    }
  }

  @Override
  public void visitVarInsn(int opcode, int local) {
    if (state == null) {
      return;
    }
    switch (opcode) {
      case Opcodes.ILOAD, Opcodes.FLOAD, Opcodes.ALOAD -> load(local, 1);
      case Opcodes.LLOAD, Opcodes.DLOAD -> load(local, 2);
      case Opcodes.LSTORE, Opcodes.DSTORE -> state.locals.put(local, state.pop(2));
      case Opcodes.ISTORE, Opcodes.FSTORE, Opcodes.ASTORE -> state.locals.put(local, state.pop(1));
      default -> isLost = true;
    }
  }

  private void load(int local, int size) {
    state.push(state.locals.getOrDefault(local, FollowedValue.OTHER), size);
  }

  @Override
  public void visitIincInsn(int local, int increment) {
    if (state != null) {
      state.locals.put(local, FollowedValue.OTHER);
    }
  }

  @Override
  public void visitTypeInsn(int opcode, String name) {
    if (state == null) {
      return;
    }
    switch (opcode) {
      case Opcodes.NEW -> state.push(new FollowedValue(Kind.NEW, created++, 0), 1);
      case Opcodes.CHECKCAST -> {
        FollowedValue value = state.pop(1);
        boolean isPart = value.is(Kind.OTHER) && !calls.isImmutable(Type.getObjectType(name));
        state.push(value.is(Kind.OTHER) && !isPart ? FollowedValue.OTHER : value, 1);
      }
      default -> effect(1, 1);
    }
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    if (state == null) {
      return;
    }
    Type type = Type.getType(descriptor);
    switch (opcode) {
      case Opcodes.GETSTATIC -> state.push(FollowedValue.OTHER, type.getSize());
      case Opcodes.PUTSTATIC -> calls.change(state.pop(type.getSize()).parts());
      case Opcodes.GETFIELD ->
          state.push(calls.field(state, state.pop(1), owner, name, type), type.getSize());
      default -> {
        FollowedValue value = state.pop(type.getSize());
        calls.setField(state, state.pop(1), owner, name, value);
      }
    }
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    if (state == null) {
      return;
    }
    FollowedValue[] values = popped(descriptor, opcode == Opcodes.INVOKESTATIC ? 0 : 1);
    KeptArguments.Call call =
        new KeptArguments.Call(opcode, owner, name, descriptor, List.of(values));
    FollowedValue result = calls.call(state, call);
    if (result == null) {
      // The method never returns.
      state = null;
    } else if (name.equals("<init>") && values[0].is(Kind.NEW)) {
      state.replace(values[0], result);
    } else {
      state.push(result, Type.getReturnType(descriptor).getSize());
    }
  }

  /** The arguments of a call, after {@code receivers} values before them. */
  private FollowedValue[] popped(String descriptor, int receivers) {
    Type[] types = Type.getArgumentTypes(descriptor);
    FollowedValue[] values = new FollowedValue[types.length + receivers];
    for (int i = values.length - 1; i >= 0; i--) {
      values[i] = state.pop(i < receivers ? 1 : types[i - receivers].getSize());
    }
    return values;
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... constants) {
    if (state == null) {
      return;
    }
    FollowedValue[] values = popped(descriptor, 0);
    // A text of its arguments does not change them; a lambda may.
    if (!bootstrap.getOwner().equals("java/lang/invoke/StringConcatFactory")) {
      calls.change(FollowedValue.parts(List.of(values)));
    }
    state.push(FollowedValue.OTHER, Type.getReturnType(descriptor).getSize());
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    if (state != null) {
      effect(dimensions, 1);
    }
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    if (state == null) {
      return;
    }
    switch (opcode) {
      case Opcodes.GOTO -> {
        jump(label, state);
        state = null;
      }
      case Opcodes.IFNULL, Opcodes.IFNONNULL -> {
        FollowedValue value = state.pop(1);
        FollowedState jumped = state.copy();
        if (value.is(Kind.ARGUMENT)) {
          (opcode == Opcodes.IFNULL ? jumped : state).nulls.add(value.index());
        }
        jump(label, jumped);
      }
      case Opcodes.JSR -> isLost = true;
      default -> {
        state.pop(opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE ? 2 : 1);
        jump(label, state.copy());
      }
    }
  }

  /** {@code from}: what is known at the jump; it belongs to the label from now on. */
  private void jump(Label label, FollowedState from) {
    if (passed.containsKey(label)) {
      FollowedState begin = passed.get(label);
      isLost |= begin == null || !begin.covers(from);
    } else {
      pending.merge(label, from, FollowedCode::joined);
    }
  }

  private static FollowedState joined(FollowedState one, FollowedState other) {
    one.join(other);
    return one;
  }

  @Override
  public void visitLabel(Label label) {
    FollowedState jumped = pending.remove(label);
    if (jumped != null) {
      state = state == null ? jumped : joined(state, jumped);
    }
    passed.put(label, state == null ? null : state.copy());
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
    visitLookupSwitchInsn(otherwise, null, labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    if (state == null) {
      return;
    }
    state.pop(1);
    for (Label label : labels) {
      jump(label, state.copy());
    }
    jump(otherwise, state);
    state = null;
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
    isLost = true;
  }
}
