/** The serializers and objects of the benchmark that Scala can't express outside of Spark. */
package io.github.serow.sparkbench;
