package io.github.serow.internal.mapping;

import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.types.TypeForms;

/**
 * What a Java type is in a schema: its type there, and the nodes that write and read its values.
 * {@link Mapper} makes the mapping of a class, and of each place inside it.
 */
public abstract class Mapping {
  /** The type in the schema. */
  public abstract Type type();

  /** The node of a place with this type. */
  public abstract Node node(Place place);

  /** The schema of rows with this type. */
  public final Schema schema() {
    return SharedSecrets.schema(TypeForms.ofTree(type()));
  }

  /** Whether values are immutable, so that they can be elements of sets and keys of maps. */
  public boolean isFixed() {
    return true;
  }

  /** Whether the type in the schema includes null. */
  public final boolean isOptional() {
    return type().code() == TypeCodes.OPTIONAL;
  }

  /** Whether a value is an object of the class, so that it can't be a collection of such. */
  public boolean isRow(Object value) {
    return false;
  }

  /**
   * The value that the text of a default means.
   *
   * @throws SchemaException if it means none; the message continues a sentence about the default
   */
  Object ofDefault(String text) {
    throw new SchemaException(
        "is only possible for texts, numbers, dates and the like, enums, and empty collections");
  }
}
