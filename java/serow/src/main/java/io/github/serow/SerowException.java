package io.github.serow;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Base class of serow's exceptions.
 *
 * <p>The kinds are {@link SchemaException}, {@link EncodeException}, {@link DecodeException},
 * {@link BufferTooSmallException} and {@link LimitException}. An exception of this class itself
 * means that the native library could not be loaded, or that serow has a bug.
 *
 * <pre>{@code
 * try {
 *   rows = Serow.loads(bytes);
 * } catch (DecodeException e) {
 *   log.warning("not a message: " + e.getMessage());
 * }
 * }</pre>
 */
@NullMarked
public class SerowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an error.
   *
   * @param message what went wrong, where, and what to do
   */
  public SerowException(String message) {
    super(message);
  }

  /**
   * Creates an error with a cause.
   *
   * @param message what went wrong, where, and what to do
   * @param cause the cause
   */
  public SerowException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
