package io.github.serow.internal.schema;

/** A caller's constructor, setter, builder or converter failed. The cause is what it threw. */
public final class ConstructionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConstructionException(Throwable cause) {
    super(null, cause, false, false);
  }
}
