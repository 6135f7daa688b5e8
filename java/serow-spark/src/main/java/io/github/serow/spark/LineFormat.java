package io.github.serow.spark;

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
 * The lines that Hadoop's {@code TextInputFormat} gives, in the same splits. That one looks for the
 * end of a line a byte at a time, this a word; compressed files, other ends of lines, limits of
 * their length and special ways to open a file are left to it.
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
