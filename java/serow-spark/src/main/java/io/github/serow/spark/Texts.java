package io.github.serow.spark;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Gives the lines of files to Python. Spark converts each line to a string and back to bytes; this
 * class passes the file's bytes on.
 */
public final class Texts {
  private Texts() {}

  /** Corresponds to {@code JavaSparkContext.textFile}; each line is its UTF-8. */
  public static JavaRDD<byte[]> lines(JavaSparkContext sc, String path, int minPartitions) {
    return sc.hadoopFile(path, LineFormat.class, LongWritable.class, Text.class, minPartitions)
        .map(line -> utf8(line._2))
        .setName(path);
  }

  /** The bytes of a line for Python. Invalid UTF-8 is replaced as Java does. */
  static byte[] utf8(Text line) {
    if (isAscii(line.getBytes(), line.getLength())) {
      return Arrays.copyOf(line.getBytes(), line.getLength());
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isAscii(byte[] bytes, int length) {
    int i = 0;
    long seen = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      seen |= (long) Words.IN_BYTES.get(bytes, i);
    }
    for (; i < length; i++) {
      seen |= bytes[i];
    }
    return (seen & Words.HIGH_BITS) == 0;
  }
}
