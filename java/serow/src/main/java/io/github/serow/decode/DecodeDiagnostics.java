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
 * Finds the place in a frame of a value that Java can't represent. A {@link RowReader} only reports
 * that there is one. This class reads the frame again, as plain values, to find the place.
 *
 * <p>It calls no constructor of the caller's again. It recognizes an object whose constructor
 * failed by how far the columns had been read.
 */
public final class DecodeDiagnostics {
  /** Ends the search; the path is at the place. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Found() {
      super(null, null, false, false);
    }
  }

  private final Type root;
  private final Columns columns;

  /** Whether to search for invalid components, which native code has reported. */
  private final boolean wrongParts;

  /** The object that could not be constructed; null for other searches. */
  private ConstructionException object;

  /** How far the columns had been read at that moment. */
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
   * @param offset its byte offset in the message
   * @param firstRow the number of rows in earlier frames
   * @param rows the number of its rows
   */
  public record Frame(int index, long offset, int firstRow, int rows) {}

  /**
   * The error for a frame in which native code has found invalid components. Its columns must have
   * been loaded again.
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
    return search.error(frame, 0, false, "its components are not a valid value", null);
  }

  /**
   * The error for a frame with a row that could not be read.
   *
   * @param progress how far the columns had been read at that moment; see {@link Columns#progress}
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

  /** Reads a value; the result is meaningless if components are invalid. */
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

  /** Whether values of the type contain no objects of the caller's. */
  private static boolean isPure(Type type) {
    return type.isScalar()
        || type.mapping instanceof ElementsMapping elements && elements.isPrimitiveArray();
  }

  /**
   * Ends the search if this is the place of the object that could not be constructed.
   *
   * @param property the property within the object that was read last; null outside the object
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
    // Values with invalid components are unknown, so elements of a set can't be compared.
    return wrongParts ? null : InterpretedReader.made(type, values);
  }
}
