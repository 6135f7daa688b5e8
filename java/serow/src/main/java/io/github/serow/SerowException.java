package io.github.serow;

/**
 * What every error of serow is.
 *
 * <p>The kinds are {@link SchemaException}, {@link EncodeException}, {@link DecodeException},
 * {@link BufferTooSmallException} and {@link LimitException}. An exception of this class itself
 * says that the native library could not be loaded, or that serow has a fault of its own.
 *
 * <pre>{@code
 * try {
 *   rows = Serow.loads(bytes);
 * } catch (DecodeException e) {
 *   log.warning("not a message: " + e.getMessage());
 * }
 * }</pre>
 */
public class SerowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public SerowException(String message) {
    super(message);
  }

  /**
   * An error that says {@code message}, with what brought it about.
   *
   * @param message what went wrong, where, and what to do
   * @param cause the error beneath
   */
  public SerowException(String message, Throwable cause) {
    super(message, cause);
  }
}
