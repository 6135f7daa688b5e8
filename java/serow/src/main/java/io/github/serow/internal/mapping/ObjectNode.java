package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Emitter;
import io.github.serow.internal.row.FieldsNode;
import io.github.serow.internal.row.MemberCall;
import io.github.serow.internal.row.NumberNode;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.ReaderEmitter;
import io.github.serow.internal.row.WriterEmitter;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSource;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A record that is an object of a caller's class. */
public final class ObjectNode extends FieldsNode {
  private final ObjectMapping mapping;
  private final Class<?> javaClass;

  ObjectNode(Place place, ObjectMapping mapping) {
    super(place, (field, i) -> mapping.properties.get(i).mapping().node(field));
    this.mapping = mapping;
    javaClass = mapping.javaClass;
  }

  private List<ObjectMapping.Property> properties() {
    return mapping.properties;
  }

  @Override
  public Lookup home() {
    return mapping.home != null ? mapping.home : super.home();
  }

  @Override
  public Former former() {
    return mapping.former();
  }

  /** The values that fields have where a message lacks them; null for a field without one. */
  @Override
  public Object[] defaults() {
    Object[] defaults = mapping.initialValues();
    for (int i = 0; i < defaults.length; i++) {
      Object own = properties().get(i).fallback();
      defaults[i] = own == null ? defaults[i] : own;
    }
    return defaults;
  }

  @Override
  public boolean takes(Object value) {
    return mapping.hasSubclasses
        ? javaClass.isInstance(value)
        : value != null && value.getClass() == javaClass;
  }

  /**
   * Refuses an object of another class, even of a subclass, whose fields would be lost.
   *
   * @throws TypeMismatch if it is one
   */
  public static void check(Object value, Class<?> type) {
    if (value == null || value.getClass() != type) {
      throw mismatch(value, type);
    }
  }

  /** The same where objects may be of subclasses. */
  public static void checkInstance(Object value, Class<?> type) {
    if (!type.isInstance(value)) {
      throw new TypeMismatch(value);
    }
  }

  private static TypeMismatch mismatch(Object value, Class<?> type) {
    if (!type.isInstance(value)) {
      return new TypeMismatch(value);
    }
    String above = type.getSimpleName();
    return new TypeMismatch(
        value,
        ("%s, because decoding would lose what it adds to %s; make %s a sealed type, or"
                + " register a converter")
            .formatted(value.getClass().getTypeName(), above, above));
  }

  private void check(Object value) {
    if (!takes(value)) {
      throw mismatch(value, javaClass);
    }
  }

  @Override
  public int write(Object value, RecordOut out, int begin) {
    check(value);
    out.enter(properties().size());
    int at = begin;
    int place = 0;
    try {
      for (int i = 0; i < properties().size(); i++) {
        place = PlacedException.ofCaller(i);
        Object field = properties().get(i).of(value);
        place = i;
        out.reserve(at);
        at = part(i).write(field, out, at);
      }
    } catch (Throwable e) {
      throw PlacedException.inWrite(e, this, place);
    }
    return at;
  }

  @Override
  public Object read(ValueSource in, int row) {
    int size = properties().size();
    beginRead(in);
    Object[] values = new Object[size];
    int place = PlacedException.WHOLE;
    try {
      Object made = mapping.maker.bySetters() ? mapping.maker.constructor().invoke() : null;
      for (int i = 0; i < size; i++) {
        place = i;
        values[i] = part(i).read(in, row);
        if (mapping.maker.bySetters()) {
          place = PlacedException.ofCaller(i);
          properties().get(i).setter().invoke(made, values[i]);
        }
      }
      place = PlacedException.WHOLE;
      return checked(built(made, values), values);
    } catch (Throwable e) {
      throw PlacedException.inRead(e, this, place);
    }
  }

  private Object built(Object made, Object[] values) throws Throwable {
    if (!mapping.maker.bySetters()) {
      Object[] arguments = new Object[values.length];
      for (int i = 0; i < values.length; i++) {
        arguments[i] = values[mapping.maker.argument(i)];
      }
      return mapping.maker.constructor().invokeWithArguments(arguments);
    }
    return mapping.maker.build() == null ? made : mapping.maker.build().invoke(made);
  }

  private Object checked(Object made, Object[] values) throws Throwable {
    for (int i = 0; mapping.maker.isChecked() && i < values.length; i++) {
      KeptValue.check(properties().get(i).of(made), values[i], mapping, i);
    }
    return made;
  }

  @Override
  public void emitWriteBody(WriterEmitter to, int rest) {
    to.code().visitVarInsn(Opcodes.ALOAD, WriterEmitter.INPUT);
    to.constant(javaClass, Class.class);
    to.callStatic(
        ObjectNode.class,
        mapping.hasSubclasses ? "checkInstance" : "check",
        "(Ljava/lang/Object;Ljava/lang/Class;)V");
    to.enter(properties().size());
    to.groups(this, properties().size(), WriterEmitter.INPUT, i -> emitWriteProperty(to, i, rest));
  }

  private void emitWriteProperty(WriterEmitter to, int i, int rest) {
    ObjectMapping.Property property = properties().get(i);
    if (property.type().isPrimitive()) {
      ((NumberNode) part(i)).emitWritePrimitive(to, () -> emitGet(to, i));
    } else {
      emitGet(to, i);
      to.code().visitVarInsn(Opcodes.ASTORE, WriterEmitter.FIELD);
      part(i).emitWrite(to, WriterEmitter.FIELD, rest);
    }
  }

  /** Pushes a property of the object. */
  private void emitGet(WriterEmitter to, int i) {
    to.placeOfCaller(i);
    MemberCall getter = to.member(properties().get(i).getter());
    to.code().visitVarInsn(Opcodes.ALOAD, WriterEmitter.INPUT);
    getter.argument(Object.class);
    getter.result(properties().get(i).widest());
    to.place(i);
  }

  @Override
  public void emitReadBody(ReaderEmitter from) {
    from.enter(properties().size());
    from.guarded(this, () -> emitObject(from));
  }

  /** Pushes an object, made by its constructor, or by its setters and its builder. */
  private void emitObject(ReaderEmitter from) {
    ObjectMapping.Maker maker = mapping.maker;
    MethodVisitor code = from.code();
    int object = from.local(Type.getType(Object.class));
    int[] values = new int[properties().size()];
    if (maker.bySetters()) {
      from.placeOfWhole();
      from.member(maker.constructor()).result(Object.class);
      code.visitVarInsn(Opcodes.ASTORE, object);
    }
    for (int i = 0; i < values.length; i++) {
      Type type = Type.getType(properties().get(i).type());
      values[i] = from.local(type);
      from.place(i);
      emitReadProperty(from, i);
      code.visitVarInsn(type.getOpcode(Opcodes.ISTORE), values[i]);
      if (maker.bySetters()) {
        from.placeOfCaller(i);
        MemberCall setter = from.member(properties().get(i).setter());
        code.visitVarInsn(Opcodes.ALOAD, object);
        setter.argument(Object.class);
        code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), values[i]);
        setter.argument(properties().get(i).type());
        setter.result(void.class);
      }
    }
    from.placeOfWhole();
    if (!maker.bySetters()) {
      MemberCall constructor = from.member(maker.constructor());
      for (int i = 0; i < values.length; i++) {
        int property = maker.argument(i);
        emitLoad(from, property, values[property]);
        constructor.argument(properties().get(property).type());
      }
      constructor.result(Object.class);
      code.visitVarInsn(Opcodes.ASTORE, object);
    } else if (maker.build() != null) {
      MemberCall build = from.member(maker.build());
      code.visitVarInsn(Opcodes.ALOAD, object);
      build.argument(Object.class);
      build.result(Object.class);
      code.visitVarInsn(Opcodes.ASTORE, object);
    }
    if (maker.isChecked()) {
      emitChecks(from, object, values);
    }
    code.visitVarInsn(Opcodes.ALOAD, object);
  }

  private void emitReadProperty(ReaderEmitter from, int i) {
    if (properties().get(i).type().isPrimitive()) {
      ((NumberNode) part(i)).emitReadPrimitive(from);
    } else {
      part(i).emitRead(from);
    }
  }

  private void emitLoad(ReaderEmitter from, int i, int value) {
    Type type = Type.getType(properties().get(i).type());
    from.code().visitVarInsn(type.getOpcode(Opcodes.ILOAD), value);
  }

  /** Few are compared at once, because the JIT compiler does not compile a long method. */
  private void emitChecks(ReaderEmitter from, int object, int[] values) {
    int most = Emitter.FIELDS_PER_METHOD;
    for (int first = 0; values.length > most && first < values.length; first += most) {
      int[] group = Arrays.copyOfRange(values, first, Math.min(first + most, values.length));
      emitChecksOf(from, first, object, group);
    }
    for (int i = 0; values.length <= most && i < values.length; i++) {
      emitCheck(from, object, i, values[i]);
    }
  }

  /** Calls a method that compares the properties from {@code first} on. */
  private void emitChecksOf(ReaderEmitter from, int first, int object, int[] values) {
    from.code().visitVarInsn(Opcodes.ALOAD, object);
    StringBuilder types = new StringBuilder("(Ljava/lang/Object;");
    int[] parameters = new int[values.length];
    int next = 1;
    for (int i = 0; i < values.length; i++) {
      Type type = Type.getType(properties().get(first + i).type());
      emitLoad(from, first + i, values[i]);
      types.append(type.getDescriptor());
      parameters[i] = next;
      next += type.getSize();
    }
    from.callOwn(
        types.append(")V").toString(),
        () -> {
          for (int i = 0; i < parameters.length; i++) {
            emitCheck(from, 0, first + i, parameters[i]);
          }
          from.code().visitInsn(Opcodes.RETURN);
        });
  }

  /**
   * Compares a property of the object with the value that it got. The JIT compiler removes this for
   * an object that plainly keeps it.
   */
  private void emitCheck(ReaderEmitter from, int object, int i, int value) {
    Class<?> type = properties().get(i).type();
    Class<?> read = properties().get(i).widest();
    MemberCall getter = from.member(properties().get(i).getter());
    from.code().visitVarInsn(Opcodes.ALOAD, object);
    getter.argument(Object.class);
    getter.result(read);
    emitLoad(from, i, value);
    if (read == long.class && type != long.class) {
      from.code().visitInsn(Opcodes.I2L);
    } else if (read == double.class && type != double.class) {
      from.code().visitInsn(Opcodes.F2D);
    }
    from.constant(mapping, ObjectMapping.class);
    from.push(i);
    String name = read.descriptorString();
    from.callStatic(
        KeptValue.class,
        "check",
        "(" + name + name + ObjectMapping.class.descriptorString() + "I)V");
  }
}
