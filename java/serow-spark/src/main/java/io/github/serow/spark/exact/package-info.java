/**
 * Rows whose classes nobody declares: any objects, written and read such that objects of the very
 * same classes come back. Begin at {@link io.github.serow.spark.exact.ExactRows}. The package knows
 * neither Spark nor Kryo.
 */
package io.github.serow.spark.exact;
