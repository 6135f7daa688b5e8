package io.github.serow.internal.types;

import java.util.List;

/**
 * The values at one place that have types of one kind, such as all lists, or the records of one
 * name. It is immutable.
 */
abstract class Arm {
  /** Joins with an arm of the same kind. */
  abstract Arm join(Arm other);

  /** See {@link Shape#settle}. */
  abstract Arm settle(boolean soon);

  abstract List<Type> types();

  /** The number of {@link #types}. */
  int count() {
    return 1;
  }

  /** The shapes that may be unions in the types, each joined of others where these are one type. */
  abstract List<Shape> parts();

  /** What distinguishes this arm from others of its kind. */
  abstract List<?> content();

  @Override
  public final boolean equals(Object other) {
    return other instanceof Arm it && content().equals(it.content());
  }

  @Override
  public final int hashCode() {
    return content().hashCode();
  }
}
