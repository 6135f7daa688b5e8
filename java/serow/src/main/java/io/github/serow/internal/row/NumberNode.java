package io.github.serow.internal.row;

import io.github.serow.internal.logical.Integers;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.Narrow;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;

/** An integer, a float or a bool, as Java's object or primitive. */
public final class NumberNode extends Node {
  private final int column;

  /** The primitive type of the values in Java. */
  private final Class<?> primitive;

  NumberNode(Place place) {
    this(
        place,
        switch (place.type().code()) {
          case TypeCodes.I64 -> long.class;
          case TypeCodes.F64 -> double.class;
          default -> boolean.class;
        });
  }

  /** For values of this primitive type, or of its class. */
  public NumberNode(Place place, Class<?> primitive) {
    super(place);
    this.primitive = primitive;
    column =
        switch (type.code()) {
          case TypeCodes.I64 -> place.columns().add(ColumnLayout.Kind.INTS, isRowAligned);
          case TypeCodes.F64 -> place.columns().add(ColumnLayout.Kind.FLOATS, isRowAligned);
          default -> place.columns().add(ColumnLayout.Kind.BITS, isRowAligned);
        };
  }

  /** The column of the values. */
  int column() {
    return column;
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    return switch (type.code()) {
      case TypeCodes.I64 -> out.i64(Values.i64(value), at);
      case TypeCodes.F64 -> out.f64(f64(value), at);
      default -> out.bit(Values.bool(value), at);
    };
  }

  private long f64(Object value) {
    return primitive == float.class ? Values.f32(value) : Values.f64(value);
  }

  @Override
  public Object read(ValueSource in, int row) {
    if (type.code() != TypeCodes.BOOL) {
      in.take(ObjectSizes.NUMBER);
    }
    return switch (type.code()) {
      case TypeCodes.I64 -> boxed(in.i64(column, at(row)));
      case TypeCodes.F64 -> boxed(in.f64(column, at(row)));
      default -> in.bit(column, at(row));
    };
  }

  private Object boxed(long number) {
    if (primitive == int.class) {
      return Narrow.toInt(number);
    }
    if (primitive == short.class) {
      return Narrow.toShort(number);
    }
    return primitive == byte.class ? (Object) Narrow.toByte(number) : (Object) number;
  }

  private Object boxed(double number) {
    return primitive == float.class ? (Object) Narrow.toFloat(number) : (Object) number;
  }

  @Override
  public boolean takes(Object value) {
    return switch (type.code()) {
      case TypeCodes.I64 -> Integers.isI64(value);
      case TypeCodes.F64 ->
          value instanceof Double || primitive == float.class && value instanceof Float;
      default -> value instanceof Boolean;
    };
  }

  @Override
  public int leastBytes() {
    return type.code() == TypeCodes.F64 ? Double.BYTES : 1;
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    switch (type.code()) {
      case TypeCodes.I64 -> to.put("i64", "J", () -> to.values("i64", value, "J"));
      case TypeCodes.F64 ->
          to.put("f64", "J", () -> to.values(primitive == float.class ? "f32" : "f64", value, "J"));
      default -> to.put("bit", "J", () -> to.values("bool", value, "J"));
    }
  }

  /** Emits code that writes what {@code get} leaves on the stack: a long, a double or a boolean. */
  public void emitWritePrimitive(WriterEmitter to, Runnable get) {
    switch (type.code()) {
      case TypeCodes.I64 -> to.put("i64", "J", get);
      case TypeCodes.F64 ->
          to.put(
              "f64",
              "J",
              () -> {
                get.run();
                to.callStatic(Double.class, "doubleToRawLongBits", "(D)J");
              });
      default ->
          to.put(
              "bit",
              "J",
              () -> {
                get.run();
                to.code().visitInsn(WriterEmitter.I2L);
              });
    }
  }

  /** Emits code that leaves the value on the stack as its primitive type. */
  public void emitReadPrimitive(ReaderEmitter from) {
    switch (type.code()) {
      case TypeCodes.I64 -> {
        from.i64(column, isRowAligned);
        if (primitive != long.class) {
          String name = primitive.getName();
          String narrow = "to" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
          from.callStatic(Narrow.class, narrow, "(J)" + primitive.descriptorString());
        }
      }
      case TypeCodes.F64 -> {
        from.f64(column, isRowAligned);
        if (primitive == float.class) {
          from.callStatic(Narrow.class, "toFloat", "(D)F");
        }
      }
      default -> from.bit(column, isRowAligned);
    }
  }

  @Override
  void emitWindow(ReaderEmitter from) {
    if (isRowAligned) {
      from.keepWindow(
          switch (type.code()) {
            case TypeCodes.I64 -> ReaderEmitter.Window.INTS;
            case TypeCodes.F64 -> ReaderEmitter.Window.FLOATS;
            default -> ReaderEmitter.Window.BITS;
          },
          column);
    }
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    emitReadPrimitive(from);
    from.box(primitive);
  }
}
