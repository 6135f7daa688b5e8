package io.github.serow.wire;

/**
 * Thrown by a {@code RowWriter} at a value that is not of the type its schema says. It carries
 * nothing: the row is found in the {@link FlatRows}, and {@code EncodeDiagnostics} looks for the
 * place in it.
 */
public final class TypeMismatch extends Exception {
  private static final long serialVersionUID = 1L;

  public static final TypeMismatch MISMATCH = new TypeMismatch();

  private TypeMismatch() {
    super("a value is not of its schema's type", null, false, false);
  }
}
