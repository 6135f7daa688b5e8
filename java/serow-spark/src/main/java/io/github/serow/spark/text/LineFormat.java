package io.github.serow.spark.text;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;

/**
 * Reads the same lines as Hadoop's {@code TextInputFormat}, in the same splits. That class searches
 * for the end of a line byte by byte, this one word by word. Compressed files, other line ends,
 * length limits and special ways to open a file are left to Hadoop's class.
 */
public final class LineFormat extends TextInputFormat {
  @Override
  public RecordReader<LongWritable, Text> getRecordReader(
      InputSplit split, JobConf job, Reporter reporter) throws IOException {
    if (!isPlain(job, ((FileSplit) split).getPath())) {
      return super.getRecordReader(split, job, reporter);
    }
    reporter.setStatus(split.toString());
    return new LineReader((FileSplit) split, job);
  }

  private static boolean isPlain(JobConf job, Path path) {
    return job.get("textinputformat.record.delimiter") == null
        && job.get("mapreduce.input.linerecordreader.line.maxlength") == null
        && job.getPropsWithPrefix("mapreduce.job.input.file.").isEmpty()
        && new CompressionCodecFactory(job).getCodec(path) == null;
  }
}
