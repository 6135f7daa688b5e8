package io.github.serow.internal.codec;

import io.github.serow.DecodeException;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.SchemaSet;
import io.github.serow.Times;
import io.github.serow.internal.encode.WriteErrors;
import io.github.serow.internal.evolution.Conversion;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.ReadErrors;
import io.github.serow.internal.value.ValueNormalizer;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.nio.ByteBuffer;

/**
 * Encodes and decodes single records: the fingerprint of the schema, unless both sides agree to
 * omit it, and the value as in a record of the row wire.
 *
 * <p>All of it is Java.
 */
public final class SingleRecords {
  private static final int FINGERPRINT = Long.BYTES;

  /** The first bytes of a message, {@code SROW}. */
  private static final int MESSAGE = 0x574f5253;

  private final Binding binding;
  private final SchemaSet schemas;
  private final boolean hasFingerprint;

  /** How rows of the binding are read, with the limit of memory for one row. */
  private final ReadOptions options;

  /** How records of a schema become those of the binding. */
  private record OfSchema(long fingerprint, Conversion conversion) {}

  /** The other schema of the last record; most readers meet only one. */
  private volatile OfSchema last;

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
      throw Widening.error(binding, WriteErrors.RECORD, failure);
    }
    try {
      return binding.recordWriter(1).write(row[0], out, start);
    } catch (RuntimeException e) {
      throw Widening.error(binding, WriteErrors.RECORD, e);
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
        return read(bytes, offset + start, offset + length, evolution(named));
      }
    }
    return read(bytes, offset + start, offset + length, null);
  }

  /** How records of the schema with this fingerprint become those of the binding. */
  private Conversion evolution(long named) {
    OfSchema known = last;
    if (known == null || known.fingerprint != named) {
      Schema writer = schemas.find(named).orElseThrow(() -> unknown(named));
      known = new OfSchema(named, binding.evolution(writer, "the record has"));
      last = known;
    }
    return known.conversion;
  }

  /** {@code conversion} converts a record of another schema; null for one of the binding's. */
  private Object read(byte[] bytes, int begin, int end, Conversion conversion) {
    RecordIn in = recordIn(bytes, begin, end);
    try {
      return conversion == null
          ? read(in, end - begin)
          : evolved(in, bytes, begin, end, conversion);
    } catch (RuntimeException e) {
      throw ReadErrors.of(binding.type(), "record", 0, start, e);
    }
  }

  private RecordIn recordIn(byte[] bytes, int begin, int end) {
    RecordIn in = new RecordIn(bytes, begin, end);
    if (options.isLimited()) {
      in.limitMemory(options.maxMemory());
    }
    return in;
  }

  private Object evolved(RecordIn in, byte[] bytes, int begin, int end, Conversion conversion) {
    try (EvolvedRecords records = new EvolvedRecords(conversion, recordIn(bytes, begin, end), in)) {
      records.convert(begin, end);
      return read(in, end - begin);
    }
  }

  private Object read(RecordIn in, int length) {
    if (options.isLimited()) {
      in.take(ObjectSizes.PLACE);
    }
    Object row = binding.recordReader(1, options.isLimited()).read(in);
    in.end();
    binding.countRead(length);
    return row;
  }

  private SchemaException unknown(long named) {
    if ((int) named == MESSAGE) {
      return new SchemaException(
          "these bytes are a message and no single record; read them with decode");
    }
    String text =
        String.format(
            "the record has a schema with the fingerprint 0x%016x, which is neither the codec's"
                + " (0x%016x) nor in its set of schemas; add the schema of the record's writer to a"
                + " SchemaSet, and give the set to the codec",
            named, binding.fingerprint());
    return new SchemaException(text, named);
  }

  private static DecodeException cut(int length) {
    String text =
        "the record is cut: it takes at least " + FINGERPRINT + " bytes, but there are " + length;
    return new DecodeException(text, null, -1, null, length);
  }
}
