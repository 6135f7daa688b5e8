package io.github.serow.schema;

/**
 * An object of the caller's could not be made, since its constructor or a setter has thrown
 * something. It is caught within serow, which makes an error of it that says where the object is.
 */
public final class ConstructionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Object site;
  private final String property;
  private final boolean isBeforeParts;

  /**
   * An error.
   *
   * @param site what {@link Mapping#site} gives for the place in the schema
   * @param property the property whose setter failed, right after it was read; null otherwise
   * @param isBeforeParts whether the object is made before its parts are read, as a bean may be
   * @param cause what was thrown
   */
  public ConstructionException(
      Object site, String property, boolean isBeforeParts, Throwable cause) {
    super(null, cause, false, false);
    this.site = site;
    this.property = property;
    this.isBeforeParts = isBeforeParts;
  }

  /** An error of an object that is made of parts that have all been read. */
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
