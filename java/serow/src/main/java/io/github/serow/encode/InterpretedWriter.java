package io.github.serow.encode;

import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;

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
    int slot = 0;
    while (from < to && flat.begin(from, slot, flat.textAt, 0)) {
      slot = value(root, rows[from++], flat, slot);
    }
    flat.end(from, slot, flat.textAt);
    return from;
  }

  private static int value(Type type, Object mapped, FlatRows flat, int slot)
      throws TypeMismatch, FlatRows.Full {
    Object value = type.mapping == null ? mapped : type.mapping.unwrap(mapped);
    switch (type.kind) {
      case I64:
        return put(i64(value), flat, slot);
      case F64:
        return put(f64(value), flat, slot);
      case STR:
        return put(flat.text(str(value)), flat, slot);
      case BOOL:
        return put(bool(value), flat, slot);
      case NULL:
        nothing(value);
        return slot;
      case OPTIONAL:
        if (value == null) {
          return put(0, flat, slot);
        }
        return value(type.part(), value, flat, put(1, flat, slot));
      case LIST:
        return fields(type, list(value, type.parts.size()), flat, slot);
      case TUPLE:
        return fields(type, tuple(value, type.parts.size()), flat, slot);
      case LIST_SEQUENCE:
        return elements(type, list(value), flat, slot);
      case TUPLE_SEQUENCE:
        return elements(type, tuple(value), flat, slot);
      case SET:
        return elements(type, set(value), flat, slot);
      case FROZENSET:
        return elements(type, frozenSet(value), flat, slot);
      case MAP:
        return entries(type, map(value), flat, slot);
      case DICT:
        return fields(type, dict(value, type.names), flat, slot);
      case RECORD:
        return fields(type, record(value, type.names), flat, slot);
      case MAYBE:
        if (value == Names.MISSING) {
          return put(0, flat, slot);
        }
        return value(type.part(), value, flat, put(1, flat, slot));
      case ENUM:
        return put(member(value, type.enumeration), flat, slot);
      case UNION:
        int arm = arm(type, value);
        return value(type.parts.get(arm), value, flat, put(arm, flat, slot));
      case LOGICAL:
        flat.room(slot, 1, type.logical.slots(), 0);
        return type.logical.write(value, flat, slot);
      default:
        throw TypeMismatch.MISMATCH;
    }
  }

  private static int put(long value, FlatRows flat, int slot) {
    flat.room(slot, 1, 1, 0)[slot] = value;
    return slot + 1;
  }

  private static int fields(Type type, Object[] fields, FlatRows flat, int slot)
      throws TypeMismatch, FlatRows.Full {
    int at = slot;
    for (int i = 0; i < fields.length; i++) {
      at = value(type.parts.get(i), fields[i], flat, at);
    }
    return at;
  }

  private static int elements(Type type, Object[] elements, FlatRows flat, int slot)
      throws TypeMismatch, FlatRows.Full {
    int at = put(elements.length, flat, slot);
    for (Object element : elements) {
      at = value(type.part(), element, flat, at);
    }
    return at;
  }

  private static int entries(Type type, Object[] entries, FlatRows flat, int slot)
      throws TypeMismatch, FlatRows.Full {
    int at = put(entries.length / 2, flat, slot);
    for (int i = 0; i < entries.length; i++) {
      at = value(type.parts.get(i % 2), entries[i], flat, at);
    }
    return at;
  }

  /** The arm of a union for {@code value}, selected by its class and length. */
  static int arm(Type union, Object value) throws TypeMismatch {
    for (int i = 0; i < union.parts.size(); i++) {
      if (ValueKind.takes(union.parts.get(i), value)) {
        return i;
      }
    }
    throw TypeMismatch.MISMATCH;
  }
}
