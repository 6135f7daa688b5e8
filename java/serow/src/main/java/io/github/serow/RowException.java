package io.github.serow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * An error in the rows of a message. The text tells humans where the error is; the methods tell
 * programs, as far as the position is known.
 */
@NullMarked
public abstract class RowException extends SerowException {
  private static final long serialVersionUID = 1L;

  private final long row;
  private final @Nullable ArrayList<Object> path;
  private final long offset;

  /** {@code row} and {@code offset} may be negative and {@code path} null if they are unknown. */
  RowException(
      String message, @Nullable Throwable cause, long row, @Nullable List<?> path, long offset) {
    super(message, cause);
    this.row = row;
    this.path = path == null ? null : new ArrayList<>(path);
    this.offset = offset;
  }

  private static OptionalLong optional(long number) {
    return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /**
   * The index of the faulty row.
   *
   * @return its index among the given rows, or among the rows of the message
   */
  public OptionalLong row() {
    return optional(row);
  }

  /**
   * The path from the row to the faulty value, outermost step first. A step is an {@link Integer}
   * for the index in a tuple, a list or a set, a {@link String} for the name of a field, and {@code
   * "key 3"} or {@code "value 3"} for an entry of a map.
   *
   * @return the unmodifiable steps; an empty list for the row itself
   */
  public Optional<List<Object>> path() {
    return Optional.ofNullable(path).map(Collections::unmodifiableList);
  }

  /**
   * The byte offset in the message of the smallest part that is known to be wrong: a frame or a
   * record.
   *
   * @return the number of bytes before it
   */
  public OptionalLong offset() {
    return optional(offset);
  }
}
