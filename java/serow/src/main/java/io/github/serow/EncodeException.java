package io.github.serow;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A row cannot be encoded. The message contains the row, the path to the field and the class of the
 * value, for example {@code row 17, field 3 (str): cannot encode java.util.Date}.
 */
@NullMarked
public class EncodeException extends RowException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an error without a position.
   *
   * @param message what went wrong, where, and what to do
   */
  public EncodeException(String message) {
    this(message, null, -1, null, -1);
  }

  /**
   * Creates an error with a position.
   *
   * @param message what went wrong, where, and what to do
   * @param cause the cause, or null
   * @param row the index of the row, or -1 if it is unknown
   * @param path the steps of {@link #path}, or null if they are unknown
   * @param offset the value of {@link #offset}, or -1 if it is unknown
   */
  public EncodeException(
      String message, @Nullable Throwable cause, long row, @Nullable List<?> path, long offset) {
    super(message, cause, row, path, offset);
  }
}
