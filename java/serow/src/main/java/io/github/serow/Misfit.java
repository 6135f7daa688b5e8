package io.github.serow;

/**
 * Thrown by a {@link RowWriter} at a value that is not of the type its schema says. It carries
 * nothing: the row is found in the {@link FlatRows}, and {@link Mismatch} looks for the place in
 * it.
 */
final class Misfit extends Exception {
  private static final long serialVersionUID = 1L;

  static final Misfit MISFIT = new Misfit();

  private Misfit() {
    super("a value is not of its schema's type", null, false, false);
  }
}
