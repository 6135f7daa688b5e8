package io.github.serow.internal.row;

import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.Queue;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Emits the methods of a generated class, one after another. */
public abstract class Emitter implements Opcodes {
  /** Fields per generated method. The JIT compiler ignores methods of more than 8,000 bytes. */
  public static final int FIELDS_PER_METHOD = 32;

  final ClassEmitter hidden;

  /** The method that is being emitted. */
  private MethodVisitor code;

  /** The local variable with the part that is being written or read, for errors. */
  private final int place;

  /** The name of the handler in {@link PlacedException}. */
  private final String handler;

  /** The methods that are still to be emitted. */
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  private int methods;

  Emitter(ClassEmitter hidden, int place, String handler) {
    this.hidden = hidden;
    this.place = place;
    this.handler = handler;
  }

  /** Writes the instructions of the current method. */
  public final MethodVisitor code() {
    return code;
  }

  final void begin(int access, String name, String descriptor) {
    code = hidden.method(access, name, descriptor);
  }

  final void end() {
    ClassEmitter.end(code);
  }

  /** Registers the body of a static method, and returns its name. */
  final String later(String descriptor, Runnable body) {
    String name = "part" + methods++;
    tasks.add(
        () -> {
          begin(ACC_PRIVATE | ACC_STATIC, name, descriptor);
          body.run();
          end();
        });
    return name;
  }

  final void emitTasks() {
    for (Runnable task; (task = tasks.poll()) != null; ) {
      task.run();
    }
  }

  /** Pushes a number. */
  public final void push(int value) {
    ClassEmitter.push(code, value);
  }

  /** Pushes an object that the JIT compiler treats as a constant, as its class or one above it. */
  public final void constant(Object constant, Class<?> type) {
    hidden.pushConstant(code, constant, type);
  }

  public final void callStatic(Class<?> owner, String method, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, ClassEmitter.nameOf(owner), method, descriptor, false);
  }

  final void callVirtual(String owner, String method, String descriptor) {
    code.visitMethodInsn(INVOKEVIRTUAL, owner, method, descriptor, false);
  }

  /** Begins a call of a member of a caller's class. */
  public final MemberCall member(MethodHandle handle) {
    return new MemberCall(this, handle);
  }

  /** Says which part of the value the next instructions write or read. */
  public final void place(int part) {
    push(part);
    code.visitVarInsn(ISTORE, place);
  }

  /** Says that the next instructions call a caller's code for a part of the value. */
  public final void placeOfCaller(int part) {
    place(PlacedException.ofCaller(part));
  }

  /** Says that the next instructions call a caller's code for the value as a whole. */
  public final void placeOfWhole() {
    place(PlacedException.WHOLE);
  }

  /** Emits {@code body} with a handler, which adds the place to a failure inside it. */
  public final void guarded(Node node, Runnable body) {
    Label begin = new Label();
    Label end = new Label();
    Label failed = new Label();
    Label after = new Label();
    code.visitTryCatchBlock(begin, end, failed, "java/lang/Throwable");
    place(0);
    code.visitLabel(begin);
    code.visitInsn(NOP);
    body.run();
    code.visitLabel(end);
    code.visitJumpInsn(GOTO, after);
    code.visitLabel(failed);
    constant(node, Node.class);
    code.visitVarInsn(ILOAD, place);
    String descriptor =
        "(Ljava/lang/Throwable;L"
            + ClassEmitter.nameOf(Node.class)
            + ";I)Ljava/lang/RuntimeException;";
    callStatic(PlacedException.class, handler, descriptor);
    code.visitInsn(ATHROW);
    code.visitLabel(after);
  }
}
