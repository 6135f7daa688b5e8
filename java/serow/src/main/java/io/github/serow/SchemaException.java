package io.github.serow;

/**
 * A schema is wrong: a text for {@link Schema#parse} has a mistake, whose position the error shows,
 * or the schema of a message can't be converted to that of a {@link Codec}, or a class has no
 * schema.
 */
public class SchemaException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an error.
   *
   * @param message what went wrong, where, and what to do
   */
  public SchemaException(String message) {
    super(message);
  }
}
