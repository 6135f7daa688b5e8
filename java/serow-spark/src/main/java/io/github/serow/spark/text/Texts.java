package io.github.serow.spark.text;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Gives the lines of files to Python, as strings. Spark finds the lines byte by byte, and decodes
 * each by a general decoder of charsets.
 */
public final class Texts {
  private Texts() {}

  /** Corresponds to {@code JavaSparkContext.textFile}. */
  public static JavaRDD<String> lines(JavaSparkContext sc, String path, int minPartitions) {
    return sc.hadoopFile(path, LineFormat.class, LongWritable.class, Text.class, minPartitions)
        .map(line -> string(line._2))
        .setName(path);
  }

  /** The string of a line: {@code line.toString()}, which takes longer. */
  static String string(Text line) {
    return new String(line.getBytes(), 0, line.getLength(), StandardCharsets.UTF_8);
  }
}
