package io.github.serow.codec;

import io.github.serow.SchemaException;

/** Records of other schemas than the codec's. */
final class OtherVersions {
  private OtherVersions() {}

  /** The error for a record with a fingerprint that nobody has named. */
  static SchemaException unknown(long named, Binding own) {
    return new SchemaException(
        "the record has a schema with the fingerprint "
            + hex(named)
            + ", which is neither the codec's ("
            + hex(own.fingerprint())
            + ") nor in its set of schemas; add the schema of the record's writer to a SchemaSet,"
            + " and give the set to the codec");
  }

  static String hex(long fingerprint) {
    return String.format("0x%016x", fingerprint);
  }
}
