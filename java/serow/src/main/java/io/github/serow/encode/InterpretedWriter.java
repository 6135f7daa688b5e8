package io.github.serow.encode;

import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import io.github.serow.wire.ValueSink;

/**
 * A {@link RowWriter} that interprets the schema's types for each row. It is slower than a
 * generated writer but needs no generated class. So it serves small numbers of rows and schemas
 * that are too wide for a class, and tests compare the generated writers with it.
 */
public final class InterpretedWriter extends RowWriter {
  private final Type root;

  public InterpretedWriter(Type root) {
    this.root = root;
  }

  @Override
  public int writeRows(Object[] rows, int from, int to, FlatRows flat)
      throws TypeMismatch, FlatRows.Full {
    int slot = flat.slotCount;
    while (from < to && flat.begin(from, slot, flat.textAt, 0)) {
      slot = value(root, rows[from++], flat, slot);
    }
    flat.end(from, slot, flat.textAt);
    return from;
  }

  /** Writes a value at {@code at}. Returns the position after it. */
  static int value(Type type, Object mapped, ValueSink out, int at)
      throws TypeMismatch, FlatRows.Full {
    Object value = mapped;
    if (type.mapping != null) {
      value = type.mapping.unwrap(mapped);
    }
    out.reserve(at);
    switch (type.kind) {
      case I64:
        return out.i64(i64(value), at);
      case F64:
        return out.f64(f64(value), at);
      case STR:
        return out.text(str(value), at);
      case BOOL:
        return out.bit(bool(value), at);
      case NULL:
        nothing(value);
        out.nothing();
        return at;
      case OPTIONAL:
        if (value == null) {
          return out.bit(0, at);
        }
        return value(type.part(), value, out, out.bit(1, at));
      case LIST:
        return fields(type, list(value, type.parts.size()), out, at);
      case TUPLE:
        return fields(type, tuple(value, type.parts.size()), out, at);
      case LIST_SEQUENCE:
        return elements(type, list(value), out, at);
      case TUPLE_SEQUENCE:
        return elements(type, tuple(value), out, at);
      case SET:
        return elements(type, set(value), out, at);
      case FROZENSET:
        return elements(type, frozenSet(value), out, at);
      case MAP:
        return elements(type, map(value), out, at);
      case DICT:
        return fields(type, dict(value, type.names), out, at);
      case RECORD:
        return fields(type, record(value, type.names), out, at);
      case MAYBE:
        if (value == Names.MISSING) {
          return out.bit(0, at);
        }
        return value(type.part(), value, out, out.bit(1, at));
      case ENUM:
        return out.member(member(value, type.enumeration), at);
      case UNION:
        int arm = arm(type, value);
        return value(type.parts.get(arm), value, out, out.arm(arm, at));
      case LOGICAL:
        return type.logical.write(value, out, at);
      default:
        throw TypeMismatch.MISMATCH;
    }
  }

  private static int fields(Type type, Object[] fields, ValueSink out, int begin)
      throws TypeMismatch, FlatRows.Full {
    out.enter(fields.length);
    int at = begin;
    for (int i = 0; i < fields.length; i++) {
      at = value(type.parts.get(i), fields[i], out, at);
    }
    return at;
  }

  /** Writes elements, or keys and values of entries in turns. */
  private static int elements(Type type, Object[] elements, ValueSink out, int begin)
      throws TypeMismatch, FlatRows.Full {
    int size = type.parts.size();
    int at = out.count(elements.length / size, begin);
    for (int i = 0; i < elements.length; i++) {
      at = value(type.parts.get(i % size), elements[i], out, at);
    }
    return at;
  }

  /** The arm of a union for {@code value}, selected by its class and length. */
  static int arm(Type union, Object value) throws TypeMismatch {
    for (int i = 0; i < union.parts.size(); i++) {
      Type part = union.parts.get(i);
      if (part.mapping != null ? part.mapping.takes(value) : ValueKind.takes(part, value)) {
        return i;
      }
    }
    throw TypeMismatch.MISMATCH;
  }
}
