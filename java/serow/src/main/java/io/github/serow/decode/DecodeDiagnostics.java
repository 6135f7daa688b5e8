package io.github.serow.decode;

import io.github.serow.DecodeException;
import io.github.serow.SerowException;
import io.github.serow.mapping.ElementsMapping;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldPath;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import java.util.Arrays;
import java.util.Objects;

/**
 * Where in a frame a value is that Java can't make. A {@link RowReader} only says that there is
 * one; here the frame is read once more, as plain values, to find the place.
 *
 * <p>No constructor of the caller's is called again. The place of an object whose constructor has
 * thrown something is found by what had been read of the columns when it did.
 */
public final class DecodeDiagnostics {
  /** Ends the search at the place where the path stands. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Found() {
      super(null, null, false, false);
    }
  }

  private final Type root;
  private final Columns columns;

  /** Whether to look for parts that make no valid value, since native code has found some. */
  private final boolean wrongParts;

  /** The object that could not be made; null if something else is looked for. */
  private ConstructionException object;

  /** What had been read of the columns then. */
  private int[] progress;

  private final FieldPath path = new FieldPath();

  private DecodeDiagnostics(Type root, Columns columns, boolean wrongParts) {
    this.root = root;
    this.columns = columns;
    this.wrongParts = wrongParts;
  }

  /**
   * A frame.
   *
   * @param index its index in the message
   * @param offset where in the message it begins
   * @param firstRow how many rows the frames before it have
   * @param rows how many rows it has
   */
  public record Frame(int index, long offset, int firstRow, int rows) {}

  /**
   * The error for a frame in which native code has found parts that make no valid value. Its
   * columns have been loaded anew.
   */
  public static DecodeException ofWrongParts(Type root, Columns columns, Frame frame) {
    DecodeDiagnostics search = new DecodeDiagnostics(root, columns, true);
    int row = 0;
    try {
      for (; row < frame.rows; row++) {
        columns.window(row, 1);
        search.visit(root, 0);
      }
    } catch (DecodeException e) {
      return search.error(frame, row, true, e.getMessage(), e.getCause());
    }
    return search.error(frame, 0, false, "its parts make no valid value", null);
  }

  /**
   * The error for a frame in which a row could not be made.
   *
   * @param progress what had been read of the columns then; see {@link Columns#progress}
   */
  public static DecodeException ofRow(
      Type root, Columns columns, Frame frame, RowReadException failure, int[] progress) {
    DecodeDiagnostics search = new DecodeDiagnostics(root, columns, false);
    Throwable error = failure.getCause();
    int row = 0;
    boolean isFound = false;
    try {
      for (; row < frame.rows; row++) {
        columns.window(row, 1);
        if (row == failure.row() && error instanceof ConstructionException it) {
          search.object = it;
          search.progress = progress;
        }
        search.visit(root, 0);
        if (row >= failure.row() && !(error instanceof DecodeException)) {
          break;
        }
      }
    } catch (Found | DecodeException e) {
      isFound = true;
    }
    if (!isFound) {
      row = failure.row();
    }
    if (error instanceof SerowException) {
      return search.error(frame, row, isFound, error.getMessage(), error.getCause());
    }
    Throwable cause = error.getCause();
    return search.error(frame, row, isFound, "cannot make the object: " + cause, cause);
  }

  private DecodeException error(
      Frame frame, int row, boolean isPlaceKnown, String message, Throwable cause) {
    String place = isPlaceKnown ? path.described(path.in(root)) : "";
    return new DecodeException(
        "frame " + frame.index + ", row " + row + place + ": " + message,
        cause,
        (long) frame.firstRow + row,
        isPlaceKnown ? path.steps() : null,
        frame.offset);
  }

  /** The value at hand; nothing of account where parts are wrong. */
  private Object visit(Type type, int row) {
    if (object != null && object.isBeforeParts()) {
      endIfAt(type, null);
    }
    Object plain = visitPlain(type, row);
    if (object != null && !object.isBeforeParts()) {
      endIfAt(type, null);
    }
    if (type.mapping == null || wrongParts || !isPure(type)) {
      return plain;
    }
    return type.mapping.wrap(plain);
  }

  /** Whether what is made of a plain value is none of the caller's own objects, nor has any. */
  private static boolean isPure(Type type) {
    return type.isScalar()
        || type.mapping instanceof ElementsMapping elements && elements.isPrimitiveArray();
  }

  /**
   * End the search if this is where the object could not be made.
   *
   * @param property the property that was read just before, within the object; null outside of it
   */
  private void endIfAt(Type type, String property) {
    if (type.mapping != null
        && type.mapping.site() == object.site()
        && Objects.equals(property, object.property())
        && Arrays.equals(progress, columns.progress())) {
      throw new Found();
    }
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
      if (object != null && type.kind == Type.Kind.RECORD) {
        endIfAt(type, type.names.fields.get(i));
      }
    }
    path.leave();
    // Without the values of wrong parts, those in a set can't be told apart.
    return wrongParts ? null : InterpretedReader.made(type, values);
  }
}
