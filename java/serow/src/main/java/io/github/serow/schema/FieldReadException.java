package io.github.serow.schema;

/**
 * A field of a caller's object could not be read, since the getter has thrown something. It is
 * caught within serow, which makes an error of it that says where the object is.
 */
public final class FieldReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;

  public FieldReadException(String field, Throwable cause) {
    super(null, cause, false, false);
    this.field = field;
  }

  /** The name of the field. */
  public String field() {
    return field;
  }
}
