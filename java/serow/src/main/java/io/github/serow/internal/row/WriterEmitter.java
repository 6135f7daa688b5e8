package io.github.serow.internal.row;

import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.List;
import java.util.function.IntConsumer;
import org.objectweb.asm.Label;

/**
 * Emits the methods of a writer. Each but the entry has the arguments {@link #INPUT}, {@link #OUT}
 * and {@link #AT}, the position of the next value, and returns the position after its value.
 */
public final class WriterEmitter extends Emitter {
  /** The local variable with the value; its class is unknown. */
  public static final int INPUT = 0;

  static final int OUT = 1;
  static final int AT = 2;

  /** The values of a container's fields or elements, an {@code Object[]}. */
  static final int FIELDS = 3;

  /** The local variable with the value of a field. */
  public static final int FIELD = 4;

  static final int INDEX = 5;
  static final int LENGTH = 6;
  private static final int PLACE = 7;

  private static final String RECORD = ClassEmitter.nameOf(RecordOut.class);

  WriterEmitter(ClassEmitter hidden) {
    super(hidden, PLACE, "inWrite");
  }

  /** Emits {@code write}, which writes one record. */
  void emitEntry(Node root) {
    begin(0, "write", method("Ljava/lang/Object;"));
    move(ALOAD, 1, ASTORE, INPUT);
    move(ALOAD, 2, ASTORE, OUT);
    move(ILOAD, 3, ISTORE, AT);
    code().visitVarInsn(ALOAD, OUT);
    code().visitVarInsn(ILOAD, AT);
    push(root.components());
    callVirtual(RECORD, "begin", "(II)V");
    root.emitWriteBody(this, root.components());
    returnPosition();
    end();
    emitTasks();
  }

  private void move(int load, int from, int store, int to) {
    code().visitVarInsn(load, from);
    code().visitVarInsn(store, to);
  }

  private String method(String input) {
    return "(" + input + "L" + RECORD + ";I)I";
  }

  /** Calls a method of the record with what {@code push} pushes and the position. */
  public void put(String method, String type, Runnable push) {
    code().visitVarInsn(ALOAD, OUT);
    push.run();
    code().visitVarInsn(ILOAD, AT);
    callVirtual(RECORD, method, "(" + type + "I)I");
    code().visitVarInsn(ISTORE, AT);
  }

  /** Calls a helper of {@link Values} with a value. */
  void values(String helper, int value, String result) {
    code().visitVarInsn(ALOAD, value);
    callStatic(Values.class, helper, "(Ljava/lang/Object;)" + result);
  }

  void text(int value, int rest) {
    code().visitVarInsn(ALOAD, OUT);
    values("str", value, "Ljava/lang/String;");
    code().visitVarInsn(ILOAD, AT);
    push(rest);
    callVirtual(RECORD, "text", "(Ljava/lang/String;II)I");
    code().visitVarInsn(ISTORE, AT);
  }

  void logical(CompositeType type, int value, int rest) {
    constant(type, CompositeType.class);
    code().visitVarInsn(ALOAD, value);
    code().visitVarInsn(ALOAD, OUT);
    code().visitVarInsn(ILOAD, AT);
    callVirtual(
        ClassEmitter.nameOf(CompositeType.class),
        "write",
        "(Ljava/lang/Object;L" + RECORD + ";I)I");
    code().visitVarInsn(ISTORE, AT);
    if (type.hasBytes()) {
      room(rest);
    }
  }

  /** Lets the node itself write a value. */
  void callNode(Node node, int value) {
    constant(node, Node.class);
    code().visitVarInsn(ALOAD, value);
    code().visitVarInsn(ALOAD, OUT);
    code().visitVarInsn(ILOAD, AT);
    callVirtual(ClassEmitter.nameOf(Node.class), "write", "(Ljava/lang/Object;L" + RECORD + ";I)I");
    code().visitVarInsn(ISTORE, AT);
  }

  /** Ensures room for {@code components}. */
  void room(int components) {
    code().visitVarInsn(ALOAD, OUT);
    code().visitVarInsn(ILOAD, AT);
    push(components);
    callVirtual(RECORD, "room", "(II)V");
  }

  public void enter(int fields) {
    code().visitVarInsn(ALOAD, OUT);
    push(fields);
    callVirtual(RECORD, "enter", "(I)V");
  }

  /** Calls a method that writes a value, whose body the node emits. */
  public void callMethod(Node node, int value, int rest) {
    String descriptor = method("Ljava/lang/Object;");
    String name =
        later(
            descriptor,
            () -> {
              node.emitWriteBody(this, rest);
              returnPosition();
            });
    call(name, value, descriptor);
  }

  private void returnPosition() {
    code().visitVarInsn(ILOAD, AT);
    code().visitInsn(IRETURN);
  }

  private void call(String name, int input, String descriptor) {
    code().visitVarInsn(ALOAD, input);
    code().visitVarInsn(ALOAD, OUT);
    code().visitVarInsn(ILOAD, AT);
    code().visitMethodInsn(INVOKESTATIC, hidden.name(), name, descriptor, false);
    code().visitVarInsn(ISTORE, AT);
  }

  /** Sets {@link #FIELDS} to the values of a container of fixed shape. */
  void fields(String helper, int count) {
    code().visitVarInsn(ALOAD, INPUT);
    push(count);
    callStatic(Values.class, helper, "(Ljava/lang/Object;I)[Ljava/lang/Object;");
    code().visitVarInsn(ASTORE, FIELDS);
  }

  void fields(String helper, Names names) {
    code().visitVarInsn(ALOAD, INPUT);
    constant(names, Names.class);
    callStatic(
        Values.class,
        helper,
        "(Ljava/lang/Object;L" + ClassEmitter.nameOf(Names.class) + ";)[Ljava/lang/Object;");
    code().visitVarInsn(ASTORE, FIELDS);
  }

  void loadElement(int i) {
    code().visitVarInsn(ALOAD, FIELDS);
    push(i);
    code().visitInsn(AALOAD);
    code().visitVarInsn(ASTORE, FIELD);
  }

  /**
   * Emits {@code each} for all fields, in methods of their own if they are many.
   *
   * @param input the local variable that the fields are taken from, {@link #FIELDS} or {@link
   *     #INPUT}
   */
  public void groups(Node node, int count, int input, IntConsumer each) {
    if (count <= FIELDS_PER_METHOD) {
      group(node, 0, count, each);
      return;
    }
    String descriptor = method(input == FIELDS ? "[Ljava/lang/Object;" : "Ljava/lang/Object;");
    for (int first = 0; first < count; first += FIELDS_PER_METHOD) {
      int from = first;
      String name =
          later(
              descriptor,
              () -> {
                if (input == FIELDS) {
                  code().visitVarInsn(ALOAD, INPUT);
                  code().visitVarInsn(ASTORE, FIELDS);
                }
                group(node, from, Math.min(from + FIELDS_PER_METHOD, count), each);
                returnPosition();
              });
      call(name, input, descriptor);
    }
  }

  private void group(Node node, int from, int to, IntConsumer each) {
    if (from == to) {
      return;
    }
    guarded(
        node,
        () -> {
          for (int i = from; i < to; i++) {
            place(i);
            each.accept(i);
          }
        });
  }

  /** Emits the elements of a sequence, which {@code helper} gives as an array. */
  void elements(Node node, String helper, List<Node> parts, int rest) {
    int each = parts.stream().mapToInt(Node::components).sum();
    values(helper, INPUT, "[Ljava/lang/Object;");
    code().visitInsn(DUP);
    code().visitVarInsn(ASTORE, FIELDS);
    code().visitInsn(ARRAYLENGTH);
    code().visitVarInsn(ISTORE, LENGTH);
    put("count", "I", () -> pushCount(parts));
    guarded(
        node,
        () -> {
          Label next = new Label();
          Label end = new Label();
          push(0);
          code().visitVarInsn(ISTORE, INDEX);
          code().visitLabel(next);
          code().visitVarInsn(ILOAD, INDEX);
          code().visitVarInsn(ILOAD, LENGTH);
          code().visitJumpInsn(IF_ICMPGE, end);
          room(each);
          for (Node part : parts) {
            code().visitVarInsn(ILOAD, INDEX);
            code().visitVarInsn(ISTORE, PLACE);
            code().visitVarInsn(ALOAD, FIELDS);
            code().visitVarInsn(ILOAD, INDEX);
            code().visitInsn(AALOAD);
            code().visitVarInsn(ASTORE, FIELD);
            part.emitWrite(this, FIELD, each);
            code().visitIincInsn(INDEX, 1);
          }
          code().visitJumpInsn(GOTO, next);
          code().visitLabel(end);
        });
    room(rest);
  }

  /** Pushes the number of elements or entries. */
  private void pushCount(List<Node> parts) {
    code().visitVarInsn(ILOAD, LENGTH);
    if (parts.size() == 2) {
      code().visitInsn(ICONST_1);
      code().visitInsn(ISHR);
    }
  }

  /** Pushes whether a node takes the value in a local variable. */
  void test(Node node, int value) {
    constant(node, Node.class);
    code().visitVarInsn(ALOAD, value);
    callVirtual(ClassEmitter.nameOf(Node.class), "takes", "(Ljava/lang/Object;)Z");
  }

  void mismatch(int value) {
    String mismatch = ClassEmitter.nameOf(TypeMismatch.class);
    code().visitTypeInsn(NEW, mismatch);
    code().visitInsn(DUP);
    code().visitVarInsn(ALOAD, value);
    code().visitMethodInsn(INVOKESPECIAL, mismatch, "<init>", "(Ljava/lang/Object;)V", false);
    code().visitInsn(ATHROW);
  }

  /** Replaces the value in a local variable by what a conversion makes of it. */
  void step(WrappedNode.Step step, int value) {
    constant(step, WrappedNode.Step.class);
    code().visitVarInsn(ALOAD, value);
    code()
        .visitMethodInsn(
            INVOKEINTERFACE,
            ClassEmitter.nameOf(WrappedNode.Step.class),
            "of",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            true);
    code().visitVarInsn(ASTORE, value);
  }
}
