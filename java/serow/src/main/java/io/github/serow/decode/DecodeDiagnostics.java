package io.github.serow.decode;

import io.github.serow.DecodeException;
import io.github.serow.schema.FieldPath;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;

/**
 * Where in a frame something is that is no Java object. A {@link RowReader} only says that there is
 * such; here the frame is walked once more to find the first place.
 */
public final class DecodeDiagnostics {
  private final Type root;
  private final Columns columns;

  /** Whether native code has found parts that are those of no value, which are then looked for. */
  private final boolean wrongParts;

  private final FieldPath path = new FieldPath();

  private DecodeDiagnostics(Type root, Columns columns, boolean wrongParts) {
    this.root = root;
    this.columns = columns;
    this.wrongParts = wrongParts;
  }

  /**
   * The error for a frame, whose columns have been loaded anew.
   *
   * @param frame the frame's index in its message
   * @param count the number of its rows
   * @param wrongParts whether native code has found that some of its parts are those of no value
   */
  public static DecodeException find(
      Type root, Columns columns, int frame, int count, boolean wrongParts) {
    DecodeDiagnostics search = new DecodeDiagnostics(root, columns, wrongParts);
    int row = 0;
    try {
      for (; row < count; row++) {
        columns.window(row, 1);
        search.visit(root, 0);
      }
    } catch (DecodeException e) {
      return search.at(frame, row, e);
    }
    return new DecodeException(
        "frame " + frame + " could not be read and then could; please report it");
  }

  private DecodeException at(int frame, int row, DecodeException error) {
    DecodeException placed =
        new DecodeException(
            "frame "
                + frame
                + ", row "
                + row
                + path.described(path.in(root))
                + ": "
                + error.getMessage());
    placed.initCause(error.getCause());
    return placed;
  }

  /** The value at hand; nothing of account where parts are wrong. */
  private Object visit(Type type, int row) {
    Object plain = visitPlain(type, row);
    return type.mapped == null || wrongParts ? plain : type.mapped.wrap(plain);
  }

  private Object visitPlain(Type type, int row) {
    switch (type.kind) {
      case OPTIONAL:
        return InterpretedReader.bit(type, columns, row) ? visit(type.part(), row) : null;
      case MAYBE:
        return InterpretedReader.bit(type, columns, row) ? visit(type.part(), row) : Names.MISSING;
      case UNION:
        return visit(type.parts.get(InterpretedReader.number(type, columns, row)), row);
      case TUPLE, LIST, DICT, RECORD:
        return visitAll(type, type.parts.size(), row);
      case TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP:
        int size = InterpretedReader.number(type, columns, row);
        return visitAll(type, Math.multiplyExact(InterpretedReader.size(type), size), row);
      case LOGICAL:
        int at = type.oneARow ? row : Columns.NEXT;
        if (wrongParts) {
          type.logical.check(columns, type.column, type.bytes, at);
          return null;
        }
        return type.logical.read(columns, type.column, type.bytes, at);
      default:
        return InterpretedReader.plain(type, columns, row);
    }
  }

  private Object visitAll(Type type, int count, int row) {
    Object[] values = new Object[count];
    path.enter();
    for (int i = 0; i < count; i++) {
      path.part(type, i);
      values[i] = visit(type.parts.get(i % type.parts.size()), row);
    }
    path.leave();
    // Without the values of wrong parts, those in a set can't be told apart.
    return wrongParts ? null : InterpretedReader.made(type, values);
  }
}
