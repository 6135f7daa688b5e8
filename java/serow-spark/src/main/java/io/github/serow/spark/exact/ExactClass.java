package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.mapping.ObjectMapping;
import java.util.List;

/**
 * How the objects of one exact class are written and read. A few classes of Scala's library that
 * depend on the number of elements, such as {@code Map1} to {@code Map4}, share one.
 *
 * <p>An object has <em>parts</em>: the positions in it whose objects may be of several classes, for
 * example the fields of a row that are not primitive. All elements of a collection are one part.
 */
abstract class ExactClass {
  /** Receives the objects in the parts of an object. */
  interface PartVisitor {
    void part(int index, Object value) throws MisfitException;
  }

  /** The class that a layout names. */
  final Class<?> type;

  /** The number of parts. */
  final int parts;

  /** Whether the content of an object can change, so that it matters whether two are one. */
  final boolean isMutable;

  ExactClass(Class<?> type, int parts, boolean isMutable) {
    this.type = type;
    this.parts = parts;
    this.isMutable = isMutable;
  }

  /** Whether {@code value} is of this class. */
  boolean takes(Object value) {
    return value != null && value.getClass() == type;
  }

  /** Whether objects may be of subclasses of {@link #type}. */
  boolean hasSubclasses() {
    return false;
  }

  /** Whether an object may be where all objects are instances of {@code declared}. */
  boolean isAt(Class<?> declared) {
    return declared.isAssignableFrom(type);
  }

  /** Whether a part may have several objects, such as the elements of a collection. */
  boolean hasManyParts() {
    return false;
  }

  /**
   * Visits the objects in the parts of a value of this class.
   *
   * @throws MisfitException if this value, unlike others of its class, can't be kept
   */
  void visit(Object value, PartVisitor visitor) throws MisfitException {}

  /** A class that all objects in a part are instances of. */
  Class<?> partType(int part) {
    return Object.class;
  }

  /** The mapping to a record of the same name. */
  final ObjectMapping record(List<ObjectMapping.Property> properties, ObjectMapping.Maker maker) {
    return new ObjectMapping(
        type, hasSubclasses(), type.getName(), List.of(), properties, maker, null);
  }

  /**
   * The mapping of this class at one place.
   *
   * @param of the mappings of the parts
   */
  abstract Mapping mapping(List<Mapping> of);
}
