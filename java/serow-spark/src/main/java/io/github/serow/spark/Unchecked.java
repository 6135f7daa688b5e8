package io.github.serow.spark;

/** Throws checked exceptions in methods that override Scala's, because Scala declares none. */
public final class Unchecked {
  private Unchecked() {}

  /** Throws {@code error} itself. Callers write {@code throw unchanged(error)} for the compiler. */
  public static RuntimeException unchanged(Throwable error) {
    throw Unchecked.<RuntimeException>cast(error);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E cast(Throwable error) throws E {
    throw (E) error;
  }
}
