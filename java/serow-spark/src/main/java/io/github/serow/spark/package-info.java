/**
 * A serializer for Spark's RDDs, which writes objects of data classes as serow's rows. Users name
 * {@link io.github.serow.spark.SerowSerializer} in the configuration; the classes of the packages
 * below are for serow alone.
 */
package io.github.serow.spark;
