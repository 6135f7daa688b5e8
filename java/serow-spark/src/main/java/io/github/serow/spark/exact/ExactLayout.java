package io.github.serow.spark.exact;

import io.github.serow.Compression;
import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.SerowException;
import io.github.serow.Wire;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.wire.Format;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The classes at all places of a row, and what writes and reads rows that have exactly these
 * classes. It is immutable and safe for many threads.
 *
 * <p>A row is an object, or a pair: an {@code Object[2]} that stands for its two elements alone. So
 * a caller may use one array for all pairs that it writes. Its elements may share objects, which
 * come back as two.
 */
public final class ExactLayout {
  /** The size in bytes of rows that are small, however often they repeat an object. */
  private static final int SMALL = 1 << 16;

  /** How much larger a row is that is checked although smaller ones were. */
  private static final int LARGER = 4;

  /** The most memory in bytes that the rows of several frames may take when they are read. */
  private static final long MOST_MEMORY = 1 << 28;

  /** Where a message has the flags of its first frame, and the flag of the last frame. */
  private static final int FLAGS = 9;

  private static final int LAST = 1;

  /** The number by which native code knows a compression by the caller. */
  private static final int BY_CALLER = 3;

  /** Frames with small text, because Spark compresses them. */
  private static final Format FRAMES =
      new Format(Wire.FRAME, Compression.none(), Wire.FRAME.ordinal() | BY_CALLER << Byte.SIZE);

  final Position root;
  private final byte[] bytes;
  private final boolean isPair;
  private final boolean isMutable;
  private final Binding binding;
  private final ExactClasses classes;

  /** For each graph of a row: the row, or the two elements of a pair. */
  private final SharedObjects[] shared;

  /** The size in bytes of the rows that need no check. Lost updates do no harm. */
  private long unchecked = SMALL;

  /**
   * Creates a layout.
   *
   * @param bytes what {@link LayoutWriter} makes of it
   * @throws SerowException if its schema would be too large
   */
  ExactLayout(Position root, byte[] bytes, ExactClasses classes) {
    this.classes = classes;
    this.root = root;
    this.bytes = bytes;
    isPair = root.arm(PairClass.PAIR) != null;
    isMutable = root.isMutable();
    shared = root.graphs().stream().map(SharedObjects::new).toArray(SharedObjects[]::new);
    Mapping mapping = root.mapping();
    binding = new Binding(mapping.schema(), mapping, false);
  }

  /** Whether rows are pairs. */
  public boolean isPair() {
    return isPair;
  }

  /** Whether a row may contain a mutable object, which may also be in other rows. */
  public boolean isMutable() {
    return isMutable;
  }

  /** The bytes for {@link ExactRows#parse}. They must not be modified. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * The schema of the rows. It depends on the fields of their classes, so its fingerprint shows
   * whether a reader has the same class files.
   */
  public Schema schema() {
    return binding.schema();
  }

  /** What writes and reads rows of this layout in other forms than {@link #write}. */
  Binding binding() {
    return binding;
  }

  /**
   * Writes a row at {@code at}, as the value of a record of the row wire. Returns the position
   * after it.
   *
   * @throws TypeMismatch if the row has another layout, contains a mutable object twice, or is
   *     large because it contains immutable objects very often; {@link ExactRows#join} then returns
   *     the same layout or throws. Bytes from {@code at} on are then undefined
   * @throws LimitException if it is too large
   */
  public int write(Object row, RecordOut out, int at) {
    int end;
    try {
      end = out.end(at, binding.recordWriter(1).write(row, out, at));
    } catch (PlacedException e) {
      throw PlacedException.cause(e);
    }
    binding.countWritten(end - at);
    if (classes.keepsSharing()) {
      try {
        check(isPair ? (Object[]) row : new Object[] {row}, end - at);
      } catch (MisfitException e) {
        // It contains an object twice, or a collection has changed since it was written.
        throw new TypeMismatch(row);
      }
    }
    return end;
  }

  private void check(Object[] graphs, int size) throws MisfitException {
    for (int i = 0; i < graphs.length; i++) {
      shared[i].check(graphs[i]);
    }
    if (size > unchecked) {
      if (Repetition.isIn(graphs, classes)) {
        throw new MisfitException("a row repeats objects very often");
      }
      // The check takes longer than writing the row, so others of this size are not checked again.
      unchecked = (long) LARGER * size;
    }
  }

  /**
   * Reads a row at the position of {@code in}, which moves on. Limits are those of a single record.
   *
   * @throws DecodeException if the bytes are not those of a row
   */
  public Object read(RecordIn in) {
    in.restart();
    int begin = in.position();
    Object row = read(binding.recordReader(1, false), in);
    binding.countRead(in.position() - begin);
    return row;
  }

  /**
   * Makes a message of frames, which usually has far fewer bytes, of rows that {@link #write}
   * wrote. Needs the native library.
   *
   * @param rows the number of rows between the two positions of {@code bytes}; each has its length
   *     in bytes before it, as a little-endian number of four bytes
   */
  public byte[] frames(byte[] bytes, int from, int to, int rows) {
    return EncodeContext.ofRecords(binding, FRAMES, bytes, from, to, rows);
  }

  /**
   * Reads the rows of a message that {@link #frames} made. Needs the native library.
   *
   * @throws DecodeException if it is not a valid message, or has another number of rows
   * @throws LimitException if its rows take far more memory than those that were written
   */
  public List<Object> readFrames(byte[] bytes, int from, int to, int rows) {
    ReadOptions options = ReadOptions.of(binding);
    // A frame has few rows. The memory of several is limited, although this takes time.
    boolean isOneFrame = to - from > FLAGS && (bytes[from + FLAGS] & LAST) != 0;
    List<Object> read =
        DecodeContext.read(
            ByteBuffer.wrap(bytes, from, to - from),
            isOneFrame ? options : options.withMaxMemory(MOST_MEMORY));
    if (read.size() != rows) {
      throw new DecodeException("the message has " + read.size() + " rows instead of " + rows);
    }
    return read;
  }

  static Object read(RecordReader reader, RecordIn in) {
    try {
      return reader.read(in);
    } catch (RuntimeException e) {
      RuntimeException cause = PlacedException.cause(e);
      if (cause instanceof SerowException) {
        throw cause;
      }
      Throwable why = cause instanceof ConstructionException ? cause.getCause() : cause;
      throw new DecodeException("a row can't be made: " + why, why, -1, null, -1);
    }
  }

  @Override
  public String toString() {
    return binding.schema().toString();
  }
}
