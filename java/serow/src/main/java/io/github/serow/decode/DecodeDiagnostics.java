package io.github.serow.decode;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.mapping.ElementsMapping;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldPath;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Columns;
import io.github.serow.wire.DamagedRecordException;
import io.github.serow.wire.RecordIn;
import io.github.serow.wire.ValueSource;
import java.util.Arrays;
import java.util.Objects;

/**
 * Finds the place of a value that Java can't represent, or, in a record, that is invalid. A {@link
 * RowReader} or {@link RecordReader} only reports that there is one. This class reads the frame or
 * the record again, as plain values, to find the place.
 *
 * <p>It calls no constructor of the caller's again. It recognizes an object whose constructor
 * failed by how far the values had been read.
 */
public final class DecodeDiagnostics {
  /** Ends the search; the path is at the place. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Found() {
      super(null, null, false, false);
    }
  }

  /** The length of the array for a container's first values. */
  private static final int FIRST = 1024;

  private final Type root;
  private final ValueSource source;

  /** Whether to search for invalid components, which native code has reported. */
  private final boolean wrongParts;

  /** The object that could not be constructed; null for other searches. */
  private ConstructionException object;

  /** How far the values had been read at that moment. */
  private int[] progress;

  private final FieldPath path = new FieldPath();

  /** The type of the last value whose reading began. */
  private Type visited;

  private DecodeDiagnostics(Type root, ValueSource source, boolean wrongParts) {
    this.root = root;
    this.source = source;
    this.wrongParts = wrongParts;
  }

  /**
   * A frame, or other columns of rows.
   *
   * @param index its index in the message; -1 if it is no frame
   * @param offset its byte offset in the message; -1 if it is no frame
   * @param firstRow the number of rows in earlier frames
   * @param rows the number of its rows
   */
  public record Frame(int index, long offset, long firstRow, int rows) {
    private String name(int row) {
      return index < 0 ? "row " + (firstRow + row) : "frame " + index + ", row " + row;
    }
  }

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
    } catch (LimitException e) {
      throw search.beyond(frame.name(row), e);
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
    } catch (LimitException e) {
      throw search.beyond(frame.name(row), e);
    }
    if (!isFound) {
      row = failure.row();
    }
    return search.error(frame, row, isFound, message(error), error.getCause());
  }

  /**
   * The error for a record that could not be read.
   *
   * @param record the record from its begin
   * @param failed the record at the position where reading failed
   * @param error a {@link SerowException} or a {@link ConstructionException}
   * @param offset the record's byte offset in the caller's bytes
   */
  public static DecodeException ofRecord(
      Type root, RecordIn record, RecordIn failed, RuntimeException error, int offset) {
    return ofRecord(root, record, failed, error, "record", 0, offset);
  }

  /**
   * The error for a record of a frame that could not be read.
   *
   * @param record the record from its begin
   * @param failed the record at the position where reading failed
   * @param error a {@link SerowException} or a {@link ConstructionException}
   * @param name the row's name in the message
   * @param row the index of the row
   * @param offset the record's byte offset in the caller's bytes
   */
  public static DecodeException ofRecord(
      Type root,
      RecordIn record,
      RecordIn failed,
      RuntimeException error,
      String name,
      long row,
      int offset) {
    DecodeDiagnostics search = new DecodeDiagnostics(root, record, false);
    if (error instanceof ConstructionException it) {
      search.object = it;
      search.progress = failed.progress();
    }
    boolean isFound = false;
    try {
      search.visit(root, RecordIn.NEXT);
    } catch (Found | DecodeException e) {
      isFound = true;
    } catch (LimitException e) {
      throw search.beyond(name, e);
    }
    FieldPath path = search.path;
    boolean isDamaged = error instanceof DamagedRecordException;
    // The type of the whole row is no help where its bytes are damaged.
    String place = "";
    if (isFound && (path.depth() > 0 || !isDamaged)) {
      Type type = path.in(root);
      place = path.described(type == null && isDamaged ? search.visited : type);
    }
    return new DecodeException(
        name + place + ": " + message(error),
        error.getCause(),
        row,
        isFound || isDamaged ? path.steps() : null,
        offset);
  }

  /** The error for a value that exceeds a limit, in the row with this name. */
  private LimitException beyond(String name, LimitException error) {
    return new LimitException(name + path.described(path.in(root)) + ": " + error.getMessage());
  }

  private static String message(Throwable error) {
    if (error instanceof SerowException) {
      return error.getMessage();
    }
    Throwable cause = error.getCause();
    String why = cause instanceof SerowException ? cause.getMessage() : cause.toString();
    return "cannot make the object: " + why;
  }

  private DecodeException error(
      Frame frame, int row, boolean isPlaceKnown, String message, Throwable cause) {
    String place = isPlaceKnown ? path.described(path.in(root)) : "";
    return new DecodeException(
        frame.name(row) + place + ": " + message,
        cause,
        frame.firstRow + row,
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
        && Arrays.equals(progress, source.progress())) {
      throw new Found();
    }
  }

  private Object visitPlain(Type type, int row) {
    visited = type;
    switch (type.kind) {
      case OPTIONAL:
        return InterpretedReader.isPresent(type, source, row) ? visit(type.part(), row) : null;
      case MAYBE:
        return InterpretedReader.isPresent(type, source, row)
            ? visit(type.part(), row)
            : Names.MISSING;
      case UNION:
        return visit(InterpretedReader.arm(type, source, row), row);
      case TUPLE, LIST, DICT, RECORD, TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP:
        return visitAll(type, row);
      case LOGICAL:
        if (wrongParts) {
          type.logical.check(source, type.column, type.bytes, InterpretedReader.at(type, row));
          return null;
        }
        return InterpretedReader.single(type, source, row);
      default:
        return InterpretedReader.single(type, source, row);
    }
  }

  private Object visitAll(Type type, int row) {
    int count = InterpretedReader.begin(type, source, row);
    // The failed call has already made an array of this length for values that may not be there.
    Object[] values = new Object[Math.min(count, FIRST)];
    path.enter();
    for (int i = 0; i < count; i++) {
      path.part(type, i);
      if (i == values.length) {
        values = Arrays.copyOf(values, (int) Math.min(count, 2L * i));
      }
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
