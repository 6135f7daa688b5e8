package io.github.serow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An error about the rows of a message. Its message tells people where the error is, and the
 * methods here tell programs, as far as it is known.
 */
public abstract class RowException extends SerowException {
  private static final long serialVersionUID = 1L;

  /** The same as a number where nothing is known. */
  private static final int UNKNOWN = -1;

  private final int row;
  private final ArrayList<Object> path;
  private final int offset;

  /** {@code row} and {@code offset} may be negative and {@code path} null: they are not known. */
  RowException(String message, Throwable cause, long row, List<?> path, long offset) {
    super(message, cause);
    this.row = known(row);
    this.path = path == null ? null : new ArrayList<>(path);
    this.offset = known(offset);
  }

  private static int known(long number) {
    return number == (int) number ? (int) number : UNKNOWN;
  }

  private static OptionalInt optional(int number) {
    return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /**
   * The row at fault.
   *
   * @return its index among the rows that were given, or among those of the message
   */
  public OptionalInt row() {
    return optional(row);
  }

  /**
   * The way from the row to the value at fault, from outside in: an {@link Integer} for the place
   * in a tuple, a list or a set, a {@link String} for the name of a field, and {@code "key 3"} or
   * {@code "value 3"} for the entry of a map.
   *
   * @return the steps, which can't be changed; none lead to the row itself
   */
  public Optional<List<Object>> path() {
    return Optional.ofNullable(path).map(Collections::unmodifiableList);
  }

  /**
   * Where in a message the smallest part begins that is known to be wrong, a frame or a record.
   *
   * @return the number of bytes before it
   */
  public OptionalInt offset() {
    return optional(offset);
  }
}
