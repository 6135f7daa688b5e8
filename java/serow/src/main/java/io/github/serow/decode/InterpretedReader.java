package io.github.serow.decode;

import io.github.serow.encode.InterpretedWriter;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import java.util.ArrayList;
import java.util.List;

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

  static Object value(Type type, Columns columns, int row) {
    Object plain = plain(type, columns, row);
    return type.mapping == null ? plain : type.mapping.wrap(plain);
  }

  /** Reads a value before its mapping is applied. */
  static Object plain(Type type, Columns columns, int row) {
    int column = type.column;
    boolean oneARow = type.oneARow;
    return switch (type.kind) {
      case I64 -> oneARow ? (Long) columns.intWindows[column][row] : columns.nextI64(column);
      case F64 ->
          oneARow
              ? (Double) Double.longBitsToDouble(columns.floatWindows[column][row])
              : columns.nextF64(column);
      case STR -> oneARow ? columns.strs[column].inWindow(row) : columns.nextStr(column);
      case BOOL -> bit(type, columns, row);
      case NULL -> null;
      case NEVER -> Columns.never();
      case OPTIONAL -> bit(type, columns, row) ? value(type.part(), columns, row) : null;
      case MAYBE -> bit(type, columns, row) ? value(type.part(), columns, row) : Names.MISSING;
      case TUPLE, LIST, DICT, RECORD -> made(type, fields(type.parts, columns, row));
      case TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP ->
          made(type, elements(type, columns, row));
      case ENUM -> member(number(type, columns, row), type.enumeration);
      case UNION -> value(type.parts.get(number(type, columns, row)), columns, row);
      case LOGICAL -> type.logical.read(columns, column, type.bytes, oneARow ? row : Columns.NEXT);
    };
  }

  static boolean bit(Type type, Columns columns, int row) {
    return type.oneARow ? columns.bitWindows[type.column][row] != 0 : columns.nextBit(type.column);
  }

  static int number(Type type, Columns columns, int row) {
    return type.oneARow
        ? Math.toIntExact(columns.intWindows[type.column][row])
        : columns.nextNumber(type.column);
  }

  private static Object[] fields(List<Type> types, Columns columns, int row) {
    Object[] fields = new Object[types.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = value(types.get(i), columns, row);
    }
    return fields;
  }

  private static Object[] elements(Type type, Columns columns, int row) {
    Object[] elements = new Object[Math.multiplyExact(size(type), number(type, columns, row))];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = value(type.parts.get(i % size(type)), columns, row);
    }
    return elements;
  }

  /** The number of values of an element: two in a map (key and value), otherwise one. */
  static int size(Type sequence) {
    return sequence.parts.size();
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
