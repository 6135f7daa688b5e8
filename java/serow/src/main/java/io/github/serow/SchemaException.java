package io.github.serow;

import java.util.OptionalLong;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A schema is wrong: a text for {@link Schema#parse} has a mistake, whose position the error shows,
 * or the schema of a message can't be converted to that of a {@link Codec}, or a class has no
 * schema, or a codec lacks the schema of a single record.
 */
@NullMarked
public class SchemaException extends SerowException {
  private static final long serialVersionUID = 1L;

  /** Null if the error is another than that a schema is missing. */
  private final @Nullable Long fingerprint;

  /**
   * Creates an error.
   *
   * @param message what went wrong, where, and what to do
   */
  public SchemaException(String message) {
    super(message);
    fingerprint = null;
  }

  /**
   * Creates an error for a single record whose schema the codec lacks.
   *
   * @param message what went wrong, where, and what to do
   * @param fingerprint the value of {@link #fingerprint}
   */
  public SchemaException(String message, long fingerprint) {
    super(message);
    this.fingerprint = fingerprint;
  }

  /**
   * The fingerprint of a single record's schema that the codec lacks. A program may look the schema
   * up, add it to the codec's {@link SchemaSet}, and decode the record again.
   *
   * @return the {@link Schema#fingerprint}; empty for all other errors
   */
  public OptionalLong fingerprint() {
    return fingerprint == null ? OptionalLong.empty() : OptionalLong.of(fingerprint);
  }
}
