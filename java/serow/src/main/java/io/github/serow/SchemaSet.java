package io.github.serow;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Schemas that a reader of single records knows, besides the codec's own. A record names the schema
 * of its writer only by its fingerprint, so the reader must have the schema already. A set is
 * thread-safe, and several codecs may share one.
 *
 * <pre>{@code
 * SchemaSet schemas = new SchemaSet().add(Schema.parse("Part{key: i64}"));
 * Codec<Part> codec = Codec.of(Part.class).withSchemas(schemas);
 * }</pre>
 */
public final class SchemaSet {
  private final ConcurrentHashMap<Long, Schema> schemas = new ConcurrentHashMap<>();

  /** Creates an empty set. */
  public SchemaSet() {}

  /**
   * Adds a schema, also for the codecs that already use the set.
   *
   * @param schema the schema
   * @return this set
   * @throws SchemaException if the set has another schema with the same fingerprint
   */
  public SchemaSet add(Schema schema) {
    Objects.requireNonNull(schema, "schema");
    Schema known = schemas.putIfAbsent(schema.fingerprint(), schema);
    if (known != null && !known.equals(schema)) {
      throw new SchemaException(
          String.format(
              "the set has another schema with the fingerprint 0x%016x", schema.fingerprint()));
    }
    return this;
  }

  /**
   * The schema with a fingerprint.
   *
   * @param fingerprint a {@link Schema#fingerprint}
   * @return the schema, if the set has it
   */
  public Optional<Schema> find(long fingerprint) {
    return Optional.ofNullable(schemas.get(fingerprint));
  }
}
