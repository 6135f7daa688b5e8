package io.github.serow.schema;

/**
 * A field of a caller's object could not be read, because the getter threw an exception. serow
 * catches this and reports where the object is.
 */
public final class FieldReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;

  public FieldReadException(String field, Throwable cause) {
    super(null, cause, false, false);
    this.field = field;
  }

  public String field() {
    return field;
  }
}
