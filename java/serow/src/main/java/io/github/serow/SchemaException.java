package io.github.serow;

/**
 * A schema is wrong, or is not the one that was asked for: a mistake in a text given to {@link
 * Schema#parse}, with a pointer to its place, or a message of another schema given to a {@link
 * Codec}.
 */
public class SchemaException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public SchemaException(String message) {
    super(message);
  }
}
