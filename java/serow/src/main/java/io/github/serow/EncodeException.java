package io.github.serow;

/**
 * A row cannot be encoded. The message names the row, the path to the field and the class of the
 * value, such as {@code row 17, field 3 (str): cannot encode java.util.Date}.
 */
public class EncodeException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public EncodeException(String message) {
    super(message);
  }
}
