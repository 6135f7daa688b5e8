package io.github.serow.schema;

import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.wire.TypeMismatch;

/**
 * Maps a Java type to a type of a schema, and its values to plain objects and back. {@code Mapper}
 * creates the mapping of a class, so that the caller's own objects can be written and read.
 *
 * <p>Most values are plain objects themselves. A mapping whose values differ overrides {@link
 * #unwraps} and {@link #unwrap}, or {@link #wraps} and {@link #wrap}.
 *
 * <p>Each place in the schema's {@link Type} has its own mapping for this place alone; the elements
 * of a list have another one. Generated code calls a mapping only where necessary, and calls
 * getters and constructors itself. Interpreted code uses {@link #unwrap} and {@link #wrap}.
 */
public abstract class Mapping {
  /** A conversion of one value. */
  public interface Step {
    Object of(Object value) throws TypeMismatch;
  }

  /** Appends the type list of this type. */
  public abstract void describe(TypeList list);

  public final Schema schema() {
    TypeList list = new TypeList();
    describe(list);
    return list.schema();
  }

  /** Attaches this mapping to {@code type}, which was parsed from the list of {@link #describe}. */
  public void bind(Type type) {
    type.mapping = this;
  }

  /** Whether values are immutable, so that they can be elements of sets and keys of maps. */
  public boolean isFixed() {
    return true;
  }

  /** Whether the type in the schema includes null. */
  public boolean isOptional() {
    return false;
  }

  /** False if {@link #unwrap} returns its argument. */
  public boolean unwraps() {
    return false;
  }

  /** False if {@link #wrap} returns its argument. */
  public boolean wraps() {
    return false;
  }

  /**
   * Converts a value to the plain object. Values inside it are not converted.
   *
   * @throws TypeMismatch if {@code value} is not of this Java type
   */
  public Object unwrap(Object value) throws TypeMismatch {
    return value;
  }

  /**
   * Converts a plain object to the value. Values inside the object already have their Java types.
   *
   * @throws DecodeException if the Java type can't represent it; the message says why, but not
   *     where
   */
  public Object wrap(Object plain) {
    return plain;
  }

  /**
   * Parses the text of a default.
   *
   * @return the plain object
   * @throws SchemaException if there are no defaults of this type, or the text is not one; it says
   *     why, but not where
   */
  protected Object parse(String text) {
    throw new SchemaException(
        "is only possible for texts, numbers, dates and the like, enums, and empty collections");
  }

  /**
   * The value of the Java type for the text of a default.
   *
   * @throws SchemaException as {@link #parse}
   */
  public Object ofDefault(String text) {
    return wrap(parse(text));
  }

  /**
   * Whether {@code value} is of this Java type. Only arms of unions are asked, which are of classes
   * of the caller's.
   */
  public boolean takes(Object value) {
    throw new IllegalStateException("serow has asked a mapping that is not an arm of a union");
  }

  /** The identity of this place in a {@link ConstructionException}. */
  public Object site() {
    return this;
  }

  /** Called by generated code in place of {@link #unwrap}. */
  public Step unwrapping() {
    return this::unwrap;
  }

  /** Called by generated code in place of {@link #wrap}. */
  public Step wrapping() {
    return this::wrap;
  }
}
