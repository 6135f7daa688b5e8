package io.github.serow.spark.text;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;

/**
 * The lines of a split: those that start inside it or right at its end, except the first one if the
 * split before completes it. A line ends with {@code \n}, {@code \r} or both.
 */
final class LineReader implements RecordReader<LongWritable, Text> {
  /** Reads the {@code long} of eight bytes at an index of a {@code byte[]}. */
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The highest bit of each byte. */
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long FEEDS = ONES * '\n';
  private static final long RETURNS = ONES * '\r';

  private final FSDataInputStream in;
  private final long start;
  private final long end;

  /** The position in the file of the next line. */
  private long position;

  /** Bytes of the file; those from {@code at} to {@code filled} have not been read as lines. */
  private final byte[] buffer;

  private int at;
  private int filled;

  LineReader(FileSplit split, JobConf job) throws IOException {
    Path path = split.getPath();
    start = split.getStart();
    end = start + split.getLength();
    buffer = new byte[Math.max(1, job.getInt("io.file.buffer.size", 1 << 16))];
    in = path.getFileSystem(job).open(path);
    try {
      in.seek(start);
      position = start;
      if (start != 0) {
        position += read(new Text());
      }
    } catch (IOException | RuntimeException error) {
      in.close();
      throw error;
    }
  }

  @Override
  public boolean next(LongWritable key, Text line) throws IOException {
    if (position > end) {
      return false;
    }
    key.set(position);
    long taken = read(line);
    if (position == 0 && beginsWithMark(line)) {
      position = 3;
      taken -= 3;
      line.set(line.copyBytes(), 3, line.getLength() - 3);
    }
    position += taken;
    return taken > 0;
  }

  /** Reads a line. Returns its number of bytes in the file. */
  private long read(Text line) throws IOException {
    line.clear();
    long taken = 0;
    while (at < filled || fill()) {
      int stop = endOfLine();
      append(line, stop);
      taken += stop - at;
      at = stop;
      if (stop < filled) {
        return taken + readEnd();
      }
      if (taken > Integer.MAX_VALUE) {
        throw new IOException("Too many bytes before newline: " + taken);
      }
    }
    return taken;
  }

  private void append(Text line, int stop) {
    if (line.getLength() == 0) {
      line.set(buffer, at, stop - at);
    } else {
      line.append(buffer, at, stop - at);
    }
  }

  /** Skips the end of a line. Returns its number of bytes. */
  private int readEnd() throws IOException {
    if (buffer[at++] == '\n' || at == filled && !fill() || buffer[at] != '\n') {
      return 1;
    }
    at++;
    return 2;
  }

  private boolean fill() throws IOException {
    at = 0;
    filled = Math.max(0, in.read(buffer, 0, buffer.length));
    return filled > 0;
  }

  /** The position in the buffer of the end of the line; {@code filled} if it is not read yet. */
  private int endOfLine() {
    int i = at;
    while (i <= filled - Long.BYTES && !hasEnd((long) WORD.get(buffer, i))) {
      i += Long.BYTES;
    }
    while (i < filled && buffer[i] != '\n' && buffer[i] != '\r') {
      i++;
    }
    return i;
  }

  /** Whether one of these eight bytes ends a line. */
  private static boolean hasEnd(long word) {
    return (zeros(word ^ FEEDS) | zeros(word ^ RETURNS)) != 0;
  }

  /** Zero if and only if no byte is zero. */
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGH_BITS;
  }

  private static boolean beginsWithMark(Text line) {
    byte[] bytes = line.getBytes();
    return line.getLength() >= 3
        && bytes[0] == (byte) 0xEF
        && bytes[1] == (byte) 0xBB
        && bytes[2] == (byte) 0xBF;
  }

  @Override
  public LongWritable createKey() {
    return new LongWritable();
  }

  @Override
  public Text createValue() {
    return new Text();
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public float getProgress() {
    return start == end ? 0 : Math.min(1, (position - start) / (float) (end - start));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
