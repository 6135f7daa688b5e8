package io.github.serow;

import java.util.List;

/**
 * Bytes are not a message: they are cut, damaged, of another version, or say something impossible.
 */
public class DecodeException extends RowException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public DecodeException(String message) {
    this(message, null, -1, null, -1);
  }

  /**
   * An error that programs can ask where it is.
   *
   * @param message what went wrong, where, and what to do
   * @param cause the error beneath, or null
   * @param row the index of the row, or -1 if it is not known
   * @param path the steps that {@link #path} gives, or null if they are not known
   * @param offset what {@link #offset} gives, or -1 if it is not known
   */
  public DecodeException(String message, Throwable cause, long row, List<?> path, long offset) {
    super(message, cause, row, path, offset);
  }
}
