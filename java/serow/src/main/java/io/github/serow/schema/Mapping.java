package io.github.serow.schema;

import io.github.serow.Schema;
import io.github.serow.wire.TypeMismatch;

/**
 * What a Java type is in a schema, and how its values differ from the plain objects of that schema.
 * {@code Mapper} makes one of a class, and so the caller's own objects are written and read.
 *
 * <p>Most values are plain objects themselves; a class whose values differ overrides a question and
 * its answer, {@link #unwraps} with {@link #unwrap} or {@link #wraps} with {@link #wrap}.
 *
 * <p>Each place in the schema's {@link Type} has its own, which sees to that place alone: what is
 * in a list, say, is another's. Generated code asks no more of it than it must, and calls getters
 * and constructors itself; what walks the types goes by {@link #unwrap} and {@link #wrap}.
 */
public abstract class Mapping {
  /** What is done to one value. */
  public interface Step {
    Object of(Object value) throws TypeMismatch;
  }

  /** Append the type list of the type that this is. */
  public abstract void describe(TypeList list);

  /** The schema of values of this Java type. */
  public final Schema schema() {
    TypeList list = new TypeList();
    describe(list);
    return list.schema();
  }

  /** Stand at {@code type}, which was parsed of what {@link #describe} has appended. */
  public void bind(Type type) {
    type.mapping = this;
  }

  /** Whether values can be elements of sets and keys of maps: they can't be changed. */
  public boolean isFixed() {
    return true;
  }

  /** Whether null is among the values of the type in the schema. */
  public boolean isOptional() {
    return false;
  }

  /** False if {@link #unwrap} gives what it is given. */
  public boolean unwraps() {
    return false;
  }

  /** False if {@link #wrap} gives what it is given. */
  public boolean wraps() {
    return false;
  }

  /**
   * The plain object. The values in it are left as they are.
   *
   * @throws TypeMismatch if {@code value} is not of this Java type
   */
  public Object unwrap(Object value) throws TypeMismatch {
    return value;
  }

  /**
   * The value of a plain object. The values in the object already are of their Java types.
   *
   * @throws DecodeException if the Java type can't hold it; the message says why, and not where
   */
  public Object wrap(Object plain) {
    return plain;
  }

  /** What a {@link ConstructionException} names this place in the schema by. */
  public Object site() {
    return this;
  }

  /** What generated code calls in place of {@link #unwrap}. */
  public Step unwrapping() {
    return this::unwrap;
  }

  /** What generated code calls in place of {@link #wrap}. */
  public Step wrapping() {
    return this::wrap;
  }
}
