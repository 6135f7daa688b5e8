package io.github.serow.wire;

/**
 * Thrown by a {@code RowWriter} at a value that does not have its schema's type. It contains
 * nothing: {@link FlatRows} knows the row, and {@code EncodeDiagnostics} finds the place in it.
 */
public final class TypeMismatch extends Exception {
  private static final long serialVersionUID = 1L;

  public static final TypeMismatch MISMATCH = new TypeMismatch();

  private TypeMismatch() {
    super("a value is not of its schema's type", null, false, false);
  }
}
