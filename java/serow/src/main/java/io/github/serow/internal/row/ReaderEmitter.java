package io.github.serow.internal.row;

import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.Columns;
import io.github.serow.internal.wire.StringColumn;
import io.github.serow.internal.wire.ValueSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Type;

/**
 * Emits the methods of a reader. Each but the entry has the arguments {@link #SOURCE} and {@link
 * #ROW}, the row of the window, and returns the value.
 *
 * <p>Columns have the values of some rows in arrays, windows, at places with one value a row. So
 * their readers load these values without a call.
 */
public final class ReaderEmitter extends Emitter {
  static final int SOURCE = 0;
  static final int ROW = 1;

  /** The list or array of a sequence's elements. */
  private static final int ELEMENTS = 2;

  private static final int INDEX = 3;
  private static final int LENGTH = 4;
  private static final int PLACE = 5;

  /** The array of rows that the entry fills. */
  private static final int ROWS = 6;

  /** The first local variable for windows and for {@link #local}. */
  private static final int FREE = 7;

  private static final String LIST = "java/util/ArrayList";
  private static final String STRINGS = ClassEmitter.nameOf(StringColumn.class);

  /** The arrays of {@link Columns} with the values of a window. */
  enum Window {
    INTS("intWindows", "[[J"),
    FLOATS("floatWindows", "[[J"),
    BITS("bitWindows", "[[B"),
    STRS("strs", "[L" + STRINGS + ";");

    private final String field;
    private final String type;

    Window(String field, String type) {
      this.field = field;
      this.type = type;
    }
  }

  private final String source;
  private final boolean hasWindows;

  /**
   * The local variables in which the entry has the windows of columns, since it reads them for each
   * row.
   */
  private final Map<Window, Map<Integer, Integer>> windows = new EnumMap<>(Window.class);

  /** The next local variable that is free. */
  private int free;

  ReaderEmitter(ClassEmitter hidden, Class<? extends ValueSource> source) {
    super(hidden, PLACE, "inRead");
    this.source = ClassEmitter.nameOf(source);
    hasWindows = source == Columns.class;
  }

  private String method() {
    return "(L" + source + ";I)Ljava/lang/Object;";
  }

  /** Emits {@code readWindow}: a loop over the rows of a window. */
  void emitWindowEntry(Node root) {
    begin(0, "readWindow", "(L" + source + ";[Ljava/lang/Object;)V");
    code().visitVarInsn(ALOAD, 2);
    code().visitVarInsn(ASTORE, ROWS);
    code().visitVarInsn(ALOAD, 1);
    code().visitVarInsn(ASTORE, SOURCE);
    free = FREE;
    if (root instanceof FieldsNode fields && fields.parts.size() <= FIELDS_PER_METHOD) {
      fields.parts.forEach(part -> part.emitWindow(this));
    }
    Label next = new Label();
    Label end = new Label();
    push(0);
    code().visitVarInsn(ISTORE, ROW);
    code().visitLabel(next);
    code().visitVarInsn(ILOAD, ROW);
    code().visitVarInsn(ALOAD, ROWS);
    code().visitInsn(ARRAYLENGTH);
    code().visitJumpInsn(IF_ICMPGE, end);
    code().visitVarInsn(ALOAD, ROWS);
    code().visitVarInsn(ILOAD, ROW);
    root.emitReadInline(this);
    code().visitInsn(AASTORE);
    code().visitIincInsn(ROW, 1);
    code().visitJumpInsn(GOTO, next);
    code().visitLabel(end);
    code().visitInsn(RETURN);
    end();
    windows.clear();
    emitTasks();
  }

  /** Emits {@code read}, which reads one record. */
  void emitRecordEntry(Node root) {
    begin(0, "read", "(L" + source + ";)Ljava/lang/Object;");
    code().visitVarInsn(ALOAD, 1);
    code().visitVarInsn(ASTORE, SOURCE);
    push(ValueSource.NEXT);
    code().visitVarInsn(ISTORE, ROW);
    free = FREE;
    root.emitReadInline(this);
    code().visitInsn(ARETURN);
    end();
    emitTasks();
  }

  /**
   * Calls a method of its own with the arguments on the stack.
   *
   * @param body emits the method, whose first argument is local variable 0
   */
  public void callOwn(String descriptor, Runnable body) {
    String name = later(descriptor, body);
    code().visitMethodInsn(INVOKESTATIC, hidden.name(), name, descriptor, false);
  }

  /** A local variable that nothing else uses in this method. */
  public int local(Type type) {
    int local = free;
    free += type.getSize();
    return local;
  }

  /** Loads a window into a local variable before the loop over rows. */
  void keepWindow(Window window, int column) {
    window(window, column);
    int local = local(OBJECT);
    windows.computeIfAbsent(window, ignored -> new HashMap<>()).put(column, local);
    code().visitVarInsn(ASTORE, local);
  }

  private void window(Window window, int column) {
    Integer local = windows.getOrDefault(window, Map.of()).get(column);
    if (local != null) {
      code().visitVarInsn(ALOAD, local);
      return;
    }
    code().visitVarInsn(ALOAD, SOURCE);
    code().visitFieldInsn(GETFIELD, source, window.field, window.type);
    push(column);
    code().visitInsn(AALOAD);
  }

  /** Pushes what the source gives for a column at its next position, or the row's. */
  private void next(String method, String result, int column, boolean isRowAligned) {
    code().visitVarInsn(ALOAD, SOURCE);
    push(column);
    row(isRowAligned);
    callVirtual(source, method, "(II)" + result);
  }

  private void row(boolean isRowAligned) {
    if (isRowAligned) {
      code().visitVarInsn(ILOAD, ROW);
    } else {
      push(ValueSource.NEXT);
    }
  }

  void i64(int column, boolean isRowAligned) {
    if (hasWindows && isRowAligned) {
      window(Window.INTS, column);
      code().visitVarInsn(ILOAD, ROW);
      code().visitInsn(LALOAD);
    } else {
      next("i64", "J", column, isRowAligned);
    }
  }

  void f64(int column, boolean isRowAligned) {
    if (hasWindows && isRowAligned) {
      window(Window.FLOATS, column);
      code().visitVarInsn(ILOAD, ROW);
      code().visitInsn(LALOAD);
      callStatic(Double.class, "longBitsToDouble", "(J)D");
    } else {
      next("f64", "D", column, isRowAligned);
    }
  }

  void bit(int column, boolean isRowAligned) {
    if (hasWindows && isRowAligned) {
      window(Window.BITS, column);
      code().visitVarInsn(ILOAD, ROW);
      code().visitInsn(BALOAD);
    } else {
      next("bit", "Z", column, isRowAligned);
    }
  }

  void str(int column, boolean isRowAligned) {
    if (hasWindows && isRowAligned) {
      window(Window.STRS, column);
      code().visitVarInsn(ILOAD, ROW);
      callVirtual(STRINGS, "inWindow", "(I)Ljava/lang/String;");
    } else {
      next("str", "Ljava/lang/String;", column, isRowAligned);
    }
  }

  void arm(int column, boolean isRowAligned, int arms) {
    count("arm", column, isRowAligned, arms);
  }

  /** Pushes a number that the source checks by {@code limit}. */
  void count(String method, int column, boolean isRowAligned, int limit) {
    code().visitVarInsn(ALOAD, SOURCE);
    push(column);
    row(isRowAligned);
    push(limit);
    callVirtual(source, method, "(III)I");
  }

  void logical(CompositeType type, int numbers, int bytes, boolean isRowAligned) {
    constant(type, CompositeType.class);
    code().visitVarInsn(ALOAD, SOURCE);
    push(numbers);
    push(bytes);
    row(isRowAligned);
    callVirtual(
        ClassEmitter.nameOf(CompositeType.class),
        "read",
        "(L" + ClassEmitter.nameOf(ValueSource.class) + ";III)Ljava/lang/Object;");
  }

  /** Lets the node itself read the value. */
  void callNode(Node node) {
    constant(node, Node.class);
    code().visitVarInsn(ALOAD, SOURCE);
    code().visitVarInsn(ILOAD, ROW);
    callVirtual(
        ClassEmitter.nameOf(Node.class),
        "read",
        "(L" + ClassEmitter.nameOf(ValueSource.class) + ";I)Ljava/lang/Object;");
  }

  void never() {
    code().visitVarInsn(ALOAD, SOURCE);
    callVirtual(source, "never", "()Ljava/lang/Object;");
    code().visitInsn(ARETURN);
  }

  public void enter(int fields) {
    code().visitVarInsn(ALOAD, SOURCE);
    push(fields);
    callVirtual(source, "enter", "(I)V");
  }

  /** Calls a method that reads a value, whose body the node emits. */
  public void callMethod(Node node) {
    code().visitVarInsn(ALOAD, SOURCE);
    code().visitVarInsn(ILOAD, ROW);
    callOwn(
        method(),
        () -> {
          free = FREE;
          node.emitReadBody(this);
          code().visitInsn(ARETURN);
        });
  }

  /** Pushes an object of a primitive type's class. */
  void box(Class<?> primitive) {
    MemberCall.box(this, primitive);
  }

  /**
   * Pushes an array of the values of fields. Few are read before there is an array, because the JIT
   * compiler then knows that nothing else has it.
   */
  void array(Node node, List<Node> parts) {
    if (parts.isEmpty()) {
      newArray(0);
    } else if (parts.size() <= FIELDS_PER_METHOD) {
      List<Integer> values = new ArrayList<>();
      guarded(
          node,
          () -> {
            for (int i = 0; i < parts.size(); i++) {
              place(i);
              parts.get(i).emitRead(this);
              values.add(local(OBJECT));
              code().visitVarInsn(ASTORE, values.get(i));
            }
          });
      newArray(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        code().visitInsn(DUP);
        push(i);
        code().visitVarInsn(ALOAD, values.get(i));
        code().visitInsn(AASTORE);
      }
    } else {
      newArray(parts.size());
      code().visitVarInsn(ASTORE, ELEMENTS);
      for (int from = 0; from < parts.size(); from += FIELDS_PER_METHOD) {
        callGroup(node, parts, from);
      }
      code().visitVarInsn(ALOAD, ELEMENTS);
    }
  }

  private static final Type OBJECT = Type.getType(Object.class);

  private void newArray(int length) {
    push(length);
    code().visitTypeInsn(ANEWARRAY, "java/lang/Object");
  }

  /** Calls a method that sets some of the fields in {@link #ELEMENTS}. */
  private void callGroup(Node node, List<Node> parts, int from) {
    int to = Math.min(from + FIELDS_PER_METHOD, parts.size());
    code().visitVarInsn(ALOAD, SOURCE);
    code().visitVarInsn(ILOAD, ROW);
    code().visitVarInsn(ALOAD, ELEMENTS);
    callOwn(
        "(L" + source + ";I[Ljava/lang/Object;)V",
        () -> {
          free = FREE;
          guarded(
              node,
              () -> {
                for (int i = from; i < to; i++) {
                  place(i);
                  code().visitVarInsn(ALOAD, ELEMENTS);
                  push(i);
                  parts.get(i).emitRead(this);
                  code().visitInsn(AASTORE);
                }
              });
          code().visitInsn(RETURN);
        });
  }

  /** Pushes a list or an array of the elements of a sequence, whose number {@code count} pushes. */
  void elements(Node node, Runnable count, List<Node> parts, boolean isList) {
    count.run();
    if (parts.size() == 2) {
      code().visitInsn(ICONST_2);
      callStatic(Math.class, "multiplyExact", "(II)I");
    }
    code().visitInsn(DUP);
    code().visitVarInsn(ISTORE, LENGTH);
    if (isList) {
      callStatic(Columns.class, "newList", "(I)L" + LIST + ";");
    } else {
      code().visitTypeInsn(ANEWARRAY, "java/lang/Object");
    }
    code().visitVarInsn(ASTORE, ELEMENTS);
    guarded(node, () -> element(parts, isList));
    code().visitVarInsn(ALOAD, ELEMENTS);
  }

  private void element(List<Node> parts, boolean isList) {
    Label next = new Label();
    Label end = new Label();
    push(0);
    code().visitVarInsn(ISTORE, INDEX);
    code().visitLabel(next);
    code().visitVarInsn(ILOAD, INDEX);
    code().visitVarInsn(ILOAD, LENGTH);
    code().visitJumpInsn(IF_ICMPGE, end);
    for (Node part : parts) {
      code().visitVarInsn(ILOAD, INDEX);
      code().visitVarInsn(ISTORE, PLACE);
      code().visitVarInsn(ALOAD, ELEMENTS);
      if (isList) {
        part.emitRead(this);
        callVirtual(LIST, "add", "(Ljava/lang/Object;)Z");
        code().visitInsn(POP);
      } else {
        code().visitVarInsn(ILOAD, INDEX);
        part.emitRead(this);
        code().visitInsn(AASTORE);
      }
      code().visitIincInsn(INDEX, 1);
    }
    code().visitJumpInsn(GOTO, next);
    code().visitLabel(end);
  }

  /** Calls a helper of {@link Values} that makes a container of the array on the stack. */
  void named(String helper, Names names) {
    constant(names, Names.class);
    String descriptor =
        "([Ljava/lang/Object;L" + ClassEmitter.nameOf(Names.class) + ";)Ljava/lang/Object;";
    callStatic(Values.class, helper, descriptor);
  }

  /** Replaces the value on the stack by what a conversion makes of it. */
  void step(WrappedNode.Step step) {
    constant(step, WrappedNode.Step.class);
    code().visitInsn(SWAP);
    code()
        .visitMethodInsn(
            INVOKEINTERFACE,
            ClassEmitter.nameOf(WrappedNode.Step.class),
            "of",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            true);
  }
}
