package io.github.serow.decode;

import io.github.serow.encode.InterpretedWriter;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import io.github.serow.wire.ValueSource;
import java.util.ArrayList;

/**
 * A {@link RowReader} that interprets the schema's types for each row; see {@link
 * InterpretedWriter}.
 */
public final class InterpretedReader extends RowReader {
  private final Type root;

  public InterpretedReader(Type root) {
    this.root = root;
  }

  @Override
  public void readWindow(Columns columns, Object[] rows) {
    for (int row = 0; row < rows.length; row++) {
      rows[row] = value(root, columns, row);
    }
  }

  static Object value(Type type, ValueSource in, int row) {
    Object plain = plain(type, in, row);
    return type.mapping == null ? plain : type.mapping.wrap(plain);
  }

  /** Reads a value before its mapping is applied. */
  private static Object plain(Type type, ValueSource in, int row) {
    return switch (type.kind) {
      case OPTIONAL -> isPresent(type, in, row) ? value(type.part(), in, row) : null;
      case MAYBE -> isPresent(type, in, row) ? value(type.part(), in, row) : Names.MISSING;
      case TUPLE, LIST, DICT, RECORD, TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP ->
          made(type, all(type, in, row));
      case UNION -> value(arm(type, in, row), in, row);
      default -> single(type, in, row);
    };
  }

  /** Reads a value that contains no other. */
  static Object single(Type type, ValueSource in, int row) {
    int column = type.column;
    int at = at(type, row);
    return switch (type.kind) {
      case I64 -> in.i64(column, at);
      case F64 -> in.f64(column, at);
      case STR -> in.str(column, at);
      case BOOL -> in.bit(column, at);
      case NULL -> {
        in.nothing();
        yield null;
      }
      case ENUM -> member(in.member(column, at, type.enumeration.members.size()), type.enumeration);
      case LOGICAL -> type.logical.read(in, column, type.bytes, at);
      default -> in.never();
    };
  }

  static int at(Type type, int row) {
    return type.oneARow ? row : ValueSource.NEXT;
  }

  static boolean isPresent(Type type, ValueSource in, int row) {
    return in.bit(type.column, at(type, row));
  }

  static Type arm(Type union, ValueSource in, int row) {
    return union.parts.get(in.arm(union.column, at(union, row), union.parts.size()));
  }

  private static Object[] all(Type type, ValueSource in, int row) {
    Object[] values = new Object[begin(type, in, row)];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(type.parts.get(i % type.parts.size()), in, row);
    }
    return values;
  }

  /** Begins a container. Returns the number of its values, counting keys and values of a map. */
  static int begin(Type type, ValueSource in, int row) {
    int size = type.parts.size();
    if (type.isFields()) {
      in.enter(size);
      return size;
    }
    int at = at(type, row);
    int least = type.leastOfElement();
    return switch (type.kind) {
      case MAP -> Math.multiplyExact(size, in.entries(type.column, at, least));
      case SET, FROZENSET -> in.distinct(type.column, at, least);
      default -> in.count(type.column, at, least);
    };
  }

  /**
   * Makes a container from its fields or elements.
   *
   * @throws DecodeException if a set contains an element twice or a map a key
   */
  static Object made(Type type, Object[] values) {
    return switch (type.kind) {
      case LIST, LIST_SEQUENCE -> list(values);
      case SET -> set(values, type.part().hasArrays);
      case FROZENSET -> frozenSet(values, type.part().hasArrays);
      case MAP -> map(values, type.parts.get(0).hasArrays);
      case DICT -> dict(values, type.names);
      case RECORD -> record(values, type.names);
      default -> values;
    };
  }

  private static ArrayList<Object> list(Object[] elements) {
    ArrayList<Object> list = Columns.newList(elements.length);
    for (Object element : elements) {
      list.add(element);
    }
    return list;
  }
}
