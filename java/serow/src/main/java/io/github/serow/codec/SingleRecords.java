package io.github.serow.codec;

import io.github.serow.DecodeException;
import io.github.serow.SchemaException;
import io.github.serow.SchemaSet;
import io.github.serow.Times;
import io.github.serow.encode.WriteErrors;
import io.github.serow.row.PlacedException;
import io.github.serow.row.ReadErrors;
import io.github.serow.value.ValueNormalizer;
import io.github.serow.wire.ObjectSizes;
import io.github.serow.wire.RecordIn;
import io.github.serow.wire.RecordOut;
import io.github.serow.wire.TypeMismatch;
import java.nio.ByteBuffer;

/**
 * Encodes and decodes single records: the fingerprint of the schema, unless both sides agree to
 * omit it, and the value as in a record of the row wire.
 *
 * <p>All of it is Java, except for records of other schemas.
 */
public final class SingleRecords {
  private static final int FINGERPRINT = Long.BYTES;

  /** The first bytes of a message, {@code SROW}. */
  private static final int MESSAGE = 0x574f5253;

  private final Binding binding;
  private final SchemaSet schemas;
  private final boolean hasFingerprint;

  /** How other code reads rows of the binding, with the limit of memory for one row. */
  private final ReadOptions options;

  private final OtherVersions others;

  /** The position of the value. */
  private final int start;

  /**
   * Creates the records of a codec.
   *
   * @param schemas the schemas of records besides the binding's own
   * @param hasFingerprint whether records begin with the fingerprint of their schema
   */
  public SingleRecords(Binding binding, SchemaSet schemas, boolean hasFingerprint) {
    this(ReadOptions.of(binding), schemas, hasFingerprint);
  }

  private SingleRecords(ReadOptions options, SchemaSet schemas, boolean hasFingerprint) {
    this.options = options;
    binding = options.expected();
    this.schemas = schemas;
    this.hasFingerprint = hasFingerprint;
    others = new OtherVersions(options, schemas);
    start = hasFingerprint ? FINGERPRINT : 0;
  }

  public Binding binding() {
    return binding;
  }

  /** How rows of messages are read, by the calling thread. */
  public ReadOptions options() {
    return options;
  }

  /**
   * Limits the memory of a row.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public SingleRecords withMaxMemory(long bytes) {
    return new SingleRecords(options.withMaxMemory(bytes), schemas, hasFingerprint);
  }

  public SingleRecords withoutFingerprint() {
    return new SingleRecords(options, schemas, false);
  }

  public SingleRecords withTimes(Times times) {
    return new SingleRecords(options.withTimes(times), schemas, hasFingerprint);
  }

  public SingleRecords withSchemas(SchemaSet others) {
    return new SingleRecords(options, others, hasFingerprint);
  }

  /** Encodes a row to an array. */
  public byte[] encode(Object row) {
    RecordBuffer lent = RecordBuffer.lend();
    RecordOut out = lent.out;
    try {
      int length = write(row, out);
      return out.copy(length);
    } finally {
      lent.giveBack();
    }
  }

  /** Encodes a row to a buffer at its position. Returns the length of the record in bytes. */
  public int encode(Object row, ByteBuffer buffer) {
    RecordBuffer lent = RecordBuffer.lend();
    RecordOut out = lent.out;
    try {
      int length = write(row, out);
      out.copyTo(buffer, length, "record");
      return length;
    } finally {
      lent.giveBack();
    }
  }

  /** Writes the record from the begin of {@code out}. Returns its length. */
  private int write(Object row, RecordOut out) {
    if (hasFingerprint) {
      // Before the value: the copy of the record then does not wait for this store.
      out.putLong(0, binding.fingerprint());
    }
    int end;
    try {
      end = binding.recordWriter(1).write(row, out, start);
    } catch (RuntimeException e) {
      end = writeMisfit(row, out, e);
    }
    int length = out.end(start, end);
    binding.countWritten(length);
    return length;
  }

  /** Writes a row that fits once plain values replace others. */
  private int writeMisfit(Object misfit, RecordOut out, RuntimeException failure) {
    Object[] row = {misfit};
    boolean isMismatch = PlacedException.cause(failure) instanceof TypeMismatch;
    if (!isMismatch || binding.isMapped() || !ValueNormalizer.replace(row, 0, 1)) {
      throw MisfitRows.error(binding, WriteErrors.RECORD, failure);
    }
    try {
      return binding.recordWriter(1).write(row[0], out, start);
    } catch (RuntimeException e) {
      throw MisfitRows.error(binding, WriteErrors.RECORD, e);
    }
  }

  /** Decodes the record between position and limit of {@code record}, and moves its position. */
  public Object decode(ByteBuffer record) {
    int position = record.position();
    int length = record.remaining();
    Object row;
    if (record.hasArray()) {
      int offset = record.arrayOffset() + position;
      row = decode(record.array(), offset, length);
    } else {
      RecordBuffer lent = RecordBuffer.lend();
      RecordOut copy = lent.out;
      try {
        copy.ensure(0, length);
        record.get(position, copy.bytes, 0, length);
        row = decode(copy.bytes, 0, length);
      } finally {
        lent.giveBack();
      }
    }
    record.position(position + length);
    return row;
  }

  /** Decodes the record in these {@code length} bytes. */
  public Object decode(byte[] bytes, int offset, int length) {
    if (hasFingerprint) {
      if (length < FINGERPRINT) {
        throw cut(length);
      }
      long named = RecordIn.longAt(bytes, offset);
      if (named != binding.fingerprint()) {
        requireKnown(named);
        return others.read(named, bytes, offset + start, offset + length);
      }
    }
    return read(bytes, offset + start, offset + length);
  }

  /** Refuses a record of a schema that the codec lacks. */
  private void requireKnown(long named) {
    if (schemas.find(named).isPresent()) {
      return;
    }
    if ((int) named == MESSAGE) {
      throw new SchemaException(
          "these bytes are a message and no single record; read them with decode");
    }
    String text =
        String.format(
            "the record has a schema with the fingerprint 0x%016x, which is neither the codec's"
                + " (0x%016x) nor in its set of schemas; add the schema of the record's writer to a"
                + " SchemaSet, and give the set to the codec",
            named, binding.fingerprint());
    throw new SchemaException(text, named);
  }

  private Object read(byte[] bytes, int begin, int end) {
    RecordIn in = new RecordIn(bytes, begin, end);
    try {
      if (options.isLimited()) {
        in.limitMemory(options.maxMemory());
        in.take(ObjectSizes.PLACE);
      }
      Object row = binding.recordReader(1, options.isLimited()).read(in);
      in.end();
      binding.countRead(end - begin);
      return row;
    } catch (RuntimeException e) {
      throw ReadErrors.of(binding.type(), "record", 0, start, e);
    }
  }

  private static DecodeException cut(int length) {
    String text =
        "the record is cut: it takes at least " + FINGERPRINT + " bytes, but there are " + length;
    return new DecodeException(text, null, -1, null, length);
  }
}
