package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.SerowException;
import io.github.serow.codec.Binding;
import io.github.serow.codec.EncodeContext;
import io.github.serow.codec.MessageRows;
import io.github.serow.decode.RecordReader;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.Mapping;
import io.github.serow.wire.Format;
import io.github.serow.wire.RecordIn;
import io.github.serow.wire.RecordOut;
import io.github.serow.wire.TypeMismatch;
import java.util.Set;

/**
 * The classes at all places of a row, and what writes and reads rows that have exactly these
 * classes. It is immutable and safe for many threads.
 *
 * <p>A row is an object, or a pair: an {@code Object[2]} that stands for its two elements alone. So
 * a caller may use one array for all pairs that it writes. Its elements may share objects, which
 * come back as two.
 */
public final class RowShape {
  /** The size in bytes of rows that are small, however often they repeat an object. */
  private static final int SMALL = 1 << 16;

  /** How much larger a row is that is checked although smaller ones were. */
  private static final int LARGER = 4;

  final Position root;
  private final byte[] bytes;
  private final boolean isPair;
  private final boolean isMutable;
  private final Binding binding;
  private final ExactClasses classes;

  /** The size in bytes of the rows that need no check. Lost updates do no harm. */
  private long unchecked = SMALL;

  /**
   * Creates a shape.
   *
   * @param bytes what {@link ShapeWriter} makes of it
   * @throws SerowException if its schema would be too large
   */
  RowShape(Position root, byte[] bytes, ExactClasses classes) {
    boolean keepsSharing = classes.keepsSharing();
    this.classes = classes;
    this.root = root;
    this.bytes = bytes;
    isPair = root.arm(PairClass.PAIR) != null;
    isMutable = root.isMutable();
    Mapping mapping =
        isPair
            ? PairClass.PAIR.mapping(
                root.arms.get(0).parts().stream().map(part -> mapping(part, keepsSharing)).toList(),
                false)
            : mapping(root, keepsSharing);
    binding = new Binding(mapping.schema(), mapping, false);
  }

  private static Mapping mapping(Position of, boolean keepsSharing) {
    return of.mapping(keepsSharing ? Sharing.of(of) : Set.of());
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

  /** What writes and reads rows of this shape in other forms than {@link #write}. */
  public Binding binding() {
    return binding;
  }

  /**
   * Writes a row at {@code at}, as the value of a record of the row wire. Returns the position
   * after it.
   *
   * @throws TypeMismatch if the row has another shape, contains a mutable object twice, or is large
   *     because it contains immutable objects very often; {@link ExactRows#join} then returns the
   *     same shape or throws. Bytes from {@code at} on are then undefined
   * @throws LimitException if it is too large
   */
  public int write(Object row, RecordOut out, int at) throws TypeMismatch {
    int end = out.end(at, binding.recordWriter().write(row, out, at));
    binding.countWritten(end - at);
    if (end - at > unchecked) {
      checkRepetition(row, end - at);
    }
    return end;
  }

  /**
   * Refuses a row that repeats objects. The check takes longer than writing the row, so other rows
   * of this size are not checked again.
   */
  private void checkRepetition(Object row, int size) throws TypeMismatch {
    try {
      Object[] graphs = isPair ? (Object[]) row : new Object[] {row};
      if (classes.keepsSharing() && Repetition.isIn(graphs, classes)) {
        throw TypeMismatch.MISMATCH;
      }
    } catch (MisfitException e) {
      // A collection has changed since it was written.
      throw TypeMismatch.MISMATCH;
    }
    unchecked = (long) LARGER * size;
  }

  /**
   * Reads a row at the position of {@code in}, which moves on. Limits are those of a single record.
   *
   * @throws DecodeException if the bytes are not those of a row
   */
  public Object read(RecordIn in) {
    in.restart();
    int begin = in.position();
    Object row = read(binding.recordReader(), in);
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
    return EncodeContext.ofRecords(binding, Format.SMALL_FRAMES, bytes, from, to, rows);
  }

  /** Reads the rows of messages that {@link #frames} made. Needs the native library. */
  public MessageRows messageRows() {
    return new MessageRows(binding);
  }

  static Object read(RecordReader reader, RecordIn in) {
    try {
      return reader.read(in);
    } catch (SerowException e) {
      throw e;
    } catch (Exception e) {
      Throwable why = e instanceof ConstructionException ? e.getCause() : e;
      throw new DecodeException("a row can't be made: " + why, why, -1, null, -1);
    }
  }

  @Override
  public String toString() {
    return binding.schema().toString();
  }
}
