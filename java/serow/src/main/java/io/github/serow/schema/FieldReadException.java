package io.github.serow.schema;

/**
 * A value of a caller's object could not be read, because a getter or a converter threw an
 * exception. serow catches this and reports where the object is.
 */
public final class FieldReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String culprit;

  private FieldReadException(String field, String culprit, Throwable cause) {
    super(null, cause, false, false);
    this.field = field;
    this.culprit = culprit;
  }

  /** The getter of {@code field} failed. */
  public FieldReadException(String field, Throwable cause) {
    this(field, "the getter", cause);
  }

  /** The converter of a value of class {@code type} failed. */
  public static FieldReadException ofConverter(Class<?> type, Throwable cause) {
    return new FieldReadException(null, "the converter for " + type.getName(), cause);
  }

  /** The field whose getter failed; null if it was the converter of the value itself. */
  public String field() {
    return field;
  }

  /** What failed, for an error message. */
  public String culprit() {
    return culprit;
  }
}
