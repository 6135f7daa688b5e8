package io.github.serow.schema;

/**
 * An object of a caller's class could not be constructed, because its constructor or a setter threw
 * an exception. serow catches this and reports where the object is.
 */
public final class ConstructionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Object site;
  private final String property;
  private final boolean isBeforeParts;

  /**
   * Creates an exception.
   *
   * @param site the result of {@link Mapping#site} for the place in the schema
   * @param property the property whose setter failed, right after it was read; otherwise null
   * @param isBeforeParts whether the object is constructed before its parts are read, as a bean may
   *     be
   * @param cause the exception
   */
  public ConstructionException(
      Object site, String property, boolean isBeforeParts, Throwable cause) {
    super(null, cause, false, false);
    this.site = site;
    this.property = property;
    this.isBeforeParts = isBeforeParts;
  }

  /** For an object whose parts have all been read. */
  public ConstructionException(Object site, Throwable cause) {
    this(site, null, false, cause);
  }

  public Object site() {
    return site;
  }

  public String property() {
    return property;
  }

  public boolean isBeforeParts() {
    return isBeforeParts;
  }
}
