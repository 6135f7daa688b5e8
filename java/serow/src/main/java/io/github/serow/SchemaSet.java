package io.github.serow;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.NullMarked;

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
@NullMarked
public final class SchemaSet {
  private final ConcurrentHashMap<Long, Schema> schemas = new ConcurrentHashMap<>();

  /** Finds the schemas that the set lacks. */
  private final LongFunction<Optional<Schema>> resolver;

  /** Creates an empty set. */
  public SchemaSet() {
    this(fingerprint -> Optional.empty());
  }

  /**
   * Creates an empty set that gets the schemas that it lacks from the caller's registry of schemas.
   *
   * <pre>{@code
   * SchemaSet schemas = new SchemaSet(fingerprint -> registry.text(fingerprint).map(Schema::parse));
   * }</pre>
   *
   * <p>The set keeps each schema that it gets, so the resolver is asked once for it, or once by
   * each of the threads that need it at the same time. For a fingerprint that it does not know it
   * is asked each time. Whoever can write records can make up fingerprints, so a resolver that asks
   * another machine should remember for a while which ones are unknown.
   *
   * @param resolver gives the schema with a fingerprint, or nothing if it does not know it. Its
   *     exceptions are thrown by the method that decodes.
   */
  public SchemaSet(LongFunction<Optional<Schema>> resolver) {
    this.resolver = Objects.requireNonNull(resolver, "resolver");
  }

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
   * @return the schema, if the set has it or its resolver knows it
   * @throws SchemaException if the resolver gives a schema with another fingerprint
   */
  public Optional<Schema> find(long fingerprint) {
    Schema known = schemas.get(fingerprint);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Schema> found =
        Objects.requireNonNull(resolver.apply(fingerprint), "what the resolver gives");
    found.ifPresent(schema -> addResolved(schema, fingerprint));
    return found;
  }

  private void addResolved(Schema schema, long wanted) {
    if (schema.fingerprint() != wanted) {
      throw new SchemaException(
          String.format(
              "the resolver of the set was asked for the fingerprint 0x%016x and gave a schema with"
                  + " 0x%016x, %s; correct its registry",
              wanted, schema.fingerprint(), schema));
    }
    add(schema);
  }
}
