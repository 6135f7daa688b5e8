package io.github.serow.mapping;

import java.util.List;

/**
 * What {@link FollowedCode} knows of a value.
 *
 * @param kind what it is
 * @param index the index of the argument, or the identity of a new object; otherwise 0
 * @param parts a bit for each argument that a call may change if it gets the value, and {@link
 *     #OBJECT}. Immutable arguments have no bits
 */
record FollowedValue(Kind kind, int index, long parts) {
  enum Kind {
    /** The object whose code is followed. */
    THIS,
    NULL,
    /** An argument, or an equal copy of it. */
    ARGUMENT,
    /** The length of an array that is an argument. */
    LENGTH,
    /** An object whose constructor has not been called. */
    NEW,
    OTHER
  }

  /** The bit of the object itself. */
  static final long OBJECT = 1L << 63;

  static final FollowedValue THIS = new FollowedValue(Kind.THIS, 0, OBJECT);
  static final FollowedValue NULL = new FollowedValue(Kind.NULL, 0, 0);
  static final FollowedValue OTHER = other(0);

  static FollowedValue other(long parts) {
    return new FollowedValue(Kind.OTHER, 0, parts);
  }

  static FollowedValue argument(int index, boolean isImmutable) {
    return new FollowedValue(Kind.ARGUMENT, index, isImmutable ? 0 : bit(index));
  }

  /** The bit of an argument. More than 63 arguments share bits. */
  static long bit(int argument) {
    return 1L << argument % 63;
  }

  boolean is(Kind of) {
    return kind == of;
  }

  boolean isArgument(int argument) {
    return kind == Kind.ARGUMENT && index == argument;
  }

  /** The generated method of a record keeps the record's class loader reachable. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FollowedValue value
        && kind == value.kind
        && index == value.index
        && parts == value.parts;
  }

  @Override
  public int hashCode() {
    return index;
  }

  static long parts(List<FollowedValue> values) {
    return values.stream().mapToLong(FollowedValue::parts).reduce(0, (a, b) -> a | b);
  }
}
