package io.github.serow.internal.schema;

/**
 * A value of a caller's object can't be read: a getter or a converter threw an exception, or
 * decoding could not make the value again. serow catches this and reports where the value is.
 */
public final class FieldReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String reason;

  private FieldReadException(String field, String reason, Throwable cause) {
    super(null, cause, false, false);
    this.field = field;
    this.reason = reason;
  }

  /** The getter of a field of the value failed. */
  public static FieldReadException ofField(String field, Throwable cause) {
    return new FieldReadException(field, ofGetter(cause).reason, cause);
  }

  /** The getter of the place failed. */
  public static FieldReadException ofGetter(Throwable cause) {
    return new FieldReadException(null, "the getter failed: " + cause, cause);
  }

  /** The converter of a value of class {@code type} failed. */
  public static FieldReadException ofConverter(Class<?> type, Throwable cause) {
    return new FieldReadException(
        null, "the converter for " + type.getName() + " failed: " + cause, cause);
  }

  /** The value can't be encoded, for this reason. */
  public static FieldReadException refused(String reason) {
    return new FieldReadException(null, reason, null);
  }

  /** The field whose getter failed, inside the place; null if the place itself is known. */
  public String field() {
    return field;
  }

  /** The reason, for an error message. */
  public String reason() {
    return reason;
  }
}
