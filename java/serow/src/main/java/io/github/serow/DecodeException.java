package io.github.serow;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Bytes are not a message, or the message is cut, damaged, of another version, or inconsistent. */
@NullMarked
public class DecodeException extends RowException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an error without a position.
   *
   * @param message what went wrong, where, and what to do
   */
  public DecodeException(String message) {
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
  public DecodeException(
      String message, @Nullable Throwable cause, long row, @Nullable List<?> path, long offset) {
    super(message, cause, row, path, offset);
  }
}
