/**
 * The streams of {@link io.github.serow.spark.SerowSerializer}: blocks of rows, and blocks of
 * objects that Kryo writes. {@code docs/spark-serializer.md} describes them.
 */
package io.github.serow.spark.rdd;
