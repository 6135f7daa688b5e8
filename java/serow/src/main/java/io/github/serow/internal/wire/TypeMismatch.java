package io.github.serow.internal.wire;

/** A value does not have the type that the schema has at its place. */
public final class TypeMismatch extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Object value;

  public TypeMismatch(Object value) {
    this(value, null);
  }

  /**
   * Creates one.
   *
   * @param description what the value is and why it does not fit; null if its class says it
   */
  public TypeMismatch(Object value, String description) {
    super(description, null, false, false);
    this.value = value;
  }

  public Object value() {
    return value;
  }
}
