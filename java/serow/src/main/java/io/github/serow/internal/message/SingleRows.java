package io.github.serow.internal.message;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.DecodeException;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.SchemaSet;
import io.github.serow.Times;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.EvolvedRecords;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.codec.RecordBuffer;
import io.github.serow.internal.codec.Widening;
import io.github.serow.internal.encode.WriteErrors;
import io.github.serow.internal.evolution.Conversion;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.ReadErrors;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.value.ValueNormalizer;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes and decodes single rows. A row is the value as in a record of the row wire, and what is
 * around it depends on the {@link Form}. All of it is Java.
 */
public final class SingleRows {
  /** What is around the value. Messages and records can be told apart. */
  public enum Form {
    /** A message of the row wire with one row: headers, the schema, and a checksum at the end. */
    MESSAGE,
    /** A record: the fingerprint of the schema. */
    RECORD,
    /** Nothing, so the reader takes all bytes for a value of its schema. */
    VALUE
  }

  private static final int FINGERPRINT = Long.BYTES;

  /** The first bytes of a message, {@code SROW}. */
  private static final int SROW = (int) FrameHeader.MESSAGE;

  /** The position of a message's frame, and of the length of its body. */
  private static final int FRAME = FrameHeader.MESSAGE_LENGTH;

  private static final int BODY_LENGTH = FRAME + FrameHeader.BODY_LENGTH;

  private final Binding binding;
  private final SchemaSet schemas;
  private final Form form;

  /** How rows of the binding are read, with the limit of memory for one row. */
  private final ReadOptions options;

  /** A message of this schema from its begin to its body, with lengths of 0. */
  private final byte[] header;

  /** How records of a schema become those of the binding. */
  private record OfSchema(long fingerprint, Conversion conversion) {}

  /** The other schema of the last record; most readers meet only one. */
  private volatile OfSchema last;

  /** Creates the rows of a binding, written as messages. */
  public SingleRows(Binding binding) {
    this(
        ReadOptions.of(binding),
        new SchemaSet(),
        Form.MESSAGE,
        FrameHeader.ofOneRow(SharedSecrets.bytes(binding.schema())));
  }

  private SingleRows(ReadOptions options, SchemaSet schemas, Form form, byte[] header) {
    this.options = options;
    binding = options.expected();
    this.schemas = schemas;
    this.form = form;
    this.header = header;
  }

  public Binding binding() {
    return binding;
  }

  public Form form() {
    return form;
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
  public SingleRows withMaxMemory(long bytes) {
    return new SingleRows(options.withMaxMemory(bytes), schemas, form, header);
  }

  public SingleRows withForm(Form wanted) {
    return new SingleRows(options, schemas, wanted, header);
  }

  public SingleRows withTimes(Times times) {
    return new SingleRows(options.withTimes(times), schemas, form, header);
  }

  public SingleRows withSchemas(SchemaSet others) {
    return new SingleRows(options, others, form, header);
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

  /** Encodes a row to a buffer at its position. Returns the number of bytes. */
  public int encode(Object row, ByteBuffer buffer) {
    RecordBuffer lent = RecordBuffer.lend();
    RecordOut out = lent.out;
    try {
      int length = write(row, out);
      out.copyTo(buffer, length, form == Form.MESSAGE ? "message" : "record");
      return length;
    } finally {
      lent.giveBack();
    }
  }

  /** Writes the row from the begin of {@code out}. Returns the number of bytes. */
  private int write(Object row, RecordOut out) {
    if (form == Form.MESSAGE) {
      return writeMessage(row, out);
    }
    int start = 0;
    if (form == Form.RECORD) {
      // Before the value: the copy of the record then does not wait for this store.
      out.putLong(0, binding.fingerprint());
      start = FINGERPRINT;
    }
    return writeValue(row, out, start);
  }

  private int writeMessage(Object row, RecordOut out) {
    int body = header.length;
    int start = body + RecordIn.LENGTH;
    out.ensure(0, start);
    int end = writeValue(row, out, start);
    out.ensure(end, FrameHeader.CHECKSUM);
    byte[] bytes = out.bytes;
    System.arraycopy(header, 0, bytes, 0, body);
    out.putLong(BODY_LENGTH, end - body);
    out.putInt(body, end - start);
    out.putLong(end, Hashing.xxh3_64().hashBytesToLong(bytes, FRAME, end - FRAME));
    return end + FrameHeader.CHECKSUM;
  }

  /** Writes the value at {@code start}. Returns its end. */
  private int writeValue(Object row, RecordOut out, int start) {
    int end;
    try {
      end = binding.recordWriter(1).write(row, out, start);
    } catch (RuntimeException e) {
      end = writeMisfit(row, out, start, e);
    }
    end = out.end(start, end);
    binding.countWritten(end - start);
    return end;
  }

  /** Writes a row that fits once plain values replace others. */
  private int writeMisfit(Object misfit, RecordOut out, int start, RuntimeException failure) {
    Object[] row = {misfit};
    boolean isMismatch = PlacedException.cause(failure) instanceof TypeMismatch;
    if (!isMismatch || binding.isMapped() || !ValueNormalizer.replace(row, 0, 1)) {
      throw Widening.error(binding, index(), failure);
    }
    try {
      return binding.recordWriter(1).write(row[0], out, start);
    } catch (RuntimeException e) {
      throw Widening.error(binding, index(), e);
    }
  }

  /** The index of the row in errors. */
  private int index() {
    return form == Form.MESSAGE ? 0 : WriteErrors.RECORD;
  }

  /**
   * Whether the bytes between position and limit are a record of a schema that is known, and no
   * message. Without fingerprints nothing tells them apart, and this says no.
   */
  public boolean isRecord(ByteBuffer bytes) {
    if (form == Form.VALUE || bytes.remaining() < FINGERPRINT) {
      return false;
    }
    ByteBuffer begin = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    long named = begin.getLong(0);
    return named == binding.fingerprint()
        || begin.getInt(0) != SROW && schemas.find(named).isPresent();
  }

  /** Decodes the row between position and limit of {@code bytes}, and moves its position. */
  public Object decode(ByteBuffer bytes) {
    int position = bytes.position();
    int length = bytes.remaining();
    Object row;
    if (bytes.hasArray()) {
      int offset = bytes.arrayOffset() + position;
      row = decode(bytes.array(), offset, length);
    } else {
      RecordBuffer lent = RecordBuffer.lend();
      RecordOut copy = lent.out;
      try {
        copy.ensure(0, length);
        bytes.get(position, copy.bytes, 0, length);
        row = decode(copy.bytes, 0, length);
      } finally {
        lent.giveBack();
      }
    }
    bytes.position(position + length);
    return row;
  }

  /** Decodes the row in these {@code length} bytes. */
  public Object decode(byte[] bytes, int offset, int length) {
    int end = offset + length;
    if (form == Form.VALUE) {
      return read("record", bytes, offset, end, 0, null);
    }
    if (length < FINGERPRINT) {
      throw cut(length);
    }
    long named = RecordIn.longAt(bytes, offset);
    if (named == binding.fingerprint()) {
      return read("record", bytes, offset + FINGERPRINT, end, FINGERPRINT, null);
    }
    if ((int) named == SROW) {
      return decodeMessage(bytes, offset, length);
    }
    return read("record", bytes, offset + FINGERPRINT, end, FINGERPRINT, evolution(named));
  }

  private Object decodeMessage(byte[] bytes, int offset, int length) {
    if (isOwnMessage(bytes, offset, length)) {
      int start = header.length + RecordIn.LENGTH;
      int end = offset + length - FrameHeader.CHECKSUM;
      return read("row 0", bytes, offset + start, end, start, null);
    }
    List<Object> rows = Messages.read(ByteBuffer.wrap(bytes, offset, length), options);
    if (rows.size() != 1) {
      String text = "the message has " + rows.size() + " rows and not one; read it with decodeAll";
      throw new DecodeException(text, null, -1, null, 0);
    }
    return rows.get(0);
  }

  /**
   * Whether the bytes are a message of one row as this writes it, whole and undamaged. Most are. If
   * they are not, reading them as any message says why.
   */
  private boolean isOwnMessage(byte[] bytes, int offset, int length) {
    int body = header.length;
    int end = length - FrameHeader.CHECKSUM;
    int rest = BODY_LENGTH + Long.BYTES;
    return end >= body + RecordIn.LENGTH
        && RecordIn.longAt(bytes, offset + BODY_LENGTH) == end - body
        && RecordIn.intAt(bytes, offset + body) == end - body - RecordIn.LENGTH
        && Arrays.equals(bytes, offset, offset + BODY_LENGTH, header, 0, BODY_LENGTH)
        && Arrays.equals(bytes, offset + rest, offset + body, header, rest, body)
        && Hashing.xxh3_64().hashBytesToLong(bytes, offset + FRAME, end - FRAME)
            == RecordIn.longAt(bytes, offset + end);
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

  /**
   * Reads the value from {@code begin} to {@code end}.
   *
   * @param name what the row is called in errors
   * @param place where the value or its frame is in what the caller gave, for errors
   * @param conversion converts a value of another schema; null for one of the binding's
   */
  private Object read(
      String name, byte[] bytes, int begin, int end, int place, Conversion conversion) {
    RecordIn in = recordIn(bytes, begin, end);
    try {
      return conversion == null
          ? read(in, end - begin)
          : evolved(in, bytes, begin, end, conversion);
    } catch (RuntimeException e) {
      throw ReadErrors.of(binding.type(), name, 0, place, e);
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
    String text =
        String.format(
            "the bytes begin neither with SROW, as messages do, nor with the fingerprint of a schema"
                + " that the codec knows; they are damaged, or not serow's, or a record of another"
                + " schema, whose fingerprint is 0x%016x (the codec's is 0x%016x): for this one, add"
                + " the schema of its writer to a SchemaSet, and give the set to the codec",
            named, binding.fingerprint());
    return new SchemaException(text, named);
  }

  private static DecodeException cut(int length) {
    String text =
        length == 0
            ? "there are no bytes"
            : "the record is cut: it takes at least "
                + FINGERPRINT
                + " bytes, but there are "
                + length;
    return new DecodeException(text, null, -1, null, length);
  }
}
