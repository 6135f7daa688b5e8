package io.github.serow.internal.message;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.EvolvedRecords;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.compression.BodyCompression;
import io.github.serow.internal.evolution.Conversion;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.row.ReadErrors;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.TypeForms;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordIn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads messages of the row wire without native code. It checks all that {@code MessageReader} in
 * {@code crates/core/src/wire/message} checks.
 */
public final class RowMessageReader {
  /** Maximum bytes of a schema: its codes and the characters of its names. */
  private static final int MAX_SCHEMA = 4 * (Limits.MAX_TYPE_LIST + Limits.MAX_NAMES);

  private final byte[] bytes;

  /** The same from the begin of the message to its end. */
  private final ByteBuffer message;

  /** The begin of the message; offsets in errors are counted from it. */
  private final int start;

  private final int end;
  private final ReadOptions options;
  private final Binding expected;

  /** The bytes that the rows may still take. */
  private long memory;

  /** The begin of the next frame, and the number of frames before it. */
  private int at;

  private int index;

  /** The bindings of the schemas so far, by fingerprint. */
  private final Map<Long, Binding> bindings = new HashMap<>();

  private final ArrayList<Object> rows = new ArrayList<>();

  private RowMessageReader(byte[] bytes, int start, int length, ReadOptions options) {
    this.bytes = bytes;
    message = ByteBuffer.wrap(bytes, start, length).slice().order(ByteOrder.LITTLE_ENDIAN);
    this.start = start;
    this.options = options;
    expected = options.expected();
    memory = options.maxMemory();
    end = start + length;
  }

  /**
   * Decodes the {@code length} bytes from {@code start} on.
   *
   * @param options how to read it; the calling thread does
   * @throws DecodeException if the bytes are not a message
   * @throws LimitException if the rows take more memory than they may
   * @throws SchemaException if a frame has rows that can't be read as rows of the expected schema
   * @throws SerowException if the message is a stream, or a frame has the frame wire, which need
   *     native code, or is compressed and there is no library that decompresses it
   */
  public static ArrayList<Object> read(byte[] message, int start, int length, ReadOptions options) {
    return new RowMessageReader(message, start, length, options).read();
  }

  private static DecodeException error(String what, int offset) {
    return new DecodeException(what, null, -1, null, offset);
  }

  /** An error of the current frame. */
  private DecodeException inFrame(String what) {
    return error(place() + what, at - start);
  }

  /** The begin of errors that name the current frame. */
  private String place() {
    return "frame " + index + " (at byte " + (at - start) + "): ";
  }

  private DecodeException cut() {
    String cause =
        at == end
            ? ", before its last frame; an error stopped its writer, or its writer was not closed,"
                + " or bytes were lost"
            : "";
    return inFrame("the message is cut: it ends at byte " + (end - start) + cause);
  }

  private ArrayList<Object> read() {
    FrameHeader.checkMessage(message);
    if (FrameHeader.isStream(message)) {
      throw onlyNative("a stream");
    }
    at = start + FrameHeader.MESSAGE_LENGTH;
    FrameHeader header;
    do {
      if (end - at < FrameHeader.LENGTH) {
        throw cut();
      }
      header = FrameHeader.at(message, at - start);
      readFrame(header);
      index++;
    } while (!header.isLast());
    if (at < end) {
      throw error(
          "there are "
              + (end - at)
              + " bytes after the message's last frame, which ends at byte "
              + (at - start),
          at - start);
    }
    return rows;
  }

  /** The error for something that native code reads; another one if that is not loaded. */
  private static IllegalStateException onlyNative(String what) {
    NativeLibrary.require(what);
    return new IllegalStateException("native code reads " + what + " if it is loaded");
  }

  /** Reads the frame at {@link #at}, and moves this to its end. */
  private void readFrame(FrameHeader header) {
    if (!header.fitsIn(end - at)) {
      throw cut();
    }
    int schema = at + FrameHeader.LENGTH;
    int body = schema + (int) header.schema();
    int bodyEnd = body + (int) header.body();
    long checksum = Hashing.xxh3_64().hashBytesToLong(bytes, at, bodyEnd - at);
    if (checksum != RecordIn.longAt(bytes, bodyEnd)) {
      throw inFrame("its checksum is wrong, so its bytes were damaged on the way");
    }
    String problem = header.problem();
    if (problem != null) {
      throw inFrame(problem);
    }
    Binding binding =
        header.isInBand() ? inBand(schema, body) : named(RecordIn.longAt(bytes, schema));
    readBody(header, binding, body, bodyEnd);
    at = bodyEnd + FrameHeader.CHECKSUM;
  }

  /** Reads the rows of the current frame, whose body is between these positions. */
  private void readBody(FrameHeader header, Binding binding, int body, int bodyEnd) {
    boolean isPlain = header.compression() == 0;
    String by = isPlain ? "" : " compressed by " + header.compressionName();
    if (header.content() != FrameHeader.ROW_WIRE) {
      throw onlyNative("the frame wire" + by);
    }
    if (isPlain) {
      readRows(binding, header.rows(), bytes, body, bodyEnd, bodyEnd - body);
      return;
    }
    byte[] plain;
    try {
      plain =
          BodyCompression.of(header.compression())
              .decompress(bytes, body, bodyEnd, "the row wire" + by, options.maxMemory());
    } catch (DecodeException e) {
      throw inFrame(e.getMessage());
    } catch (LimitException e) {
      throw new LimitException(place() + e.getMessage());
    }
    readRows(binding, header.rows(), plain, 0, plain.length, bodyEnd - body);
  }

  private Binding named(long fingerprint) {
    Binding binding = bindings.get(fingerprint);
    if (binding == null) {
      throw inFrame("it names a schema that no frame before it has");
    }
    return binding;
  }

  /** The binding of the schema between these positions. */
  private Binding inBand(int from, int to) {
    if (to - from > MAX_SCHEMA) {
      throw inFrame("its schema is too large");
    }
    if (isOf(expected, from, to)) {
      bindings.put(expected.schema().fingerprint(), expected);
      return expected;
    }
    long fingerprint = Hashing.xxh3_64().hashBytesToLong(bytes, from, to - from);
    Binding known = bindings.get(fingerprint);
    if (known == null && expected != null) {
      known = expected.writer(fingerprint);
    }
    if (isOf(known, from, to)) {
      bindings.put(fingerprint, known);
      return known;
    }
    Binding binding = Binding.of(schema(Arrays.copyOfRange(bytes, from, to))).with(options.times());
    bindings.put(fingerprint, binding);
    return binding;
  }

  /** Whether the schema between these positions is that of the binding, which may be null. */
  private boolean isOf(Binding binding, int from, int to) {
    return binding != null && Messages.isOf(binding, message, from - start, to - from);
  }

  private Schema schema(byte[] bytes) {
    try {
      return SharedSecrets.schema(TypeForms.ofBytes(bytes));
    } catch (DecodeException e) {
      throw inFrame(e.getMessage());
    }
  }

  /**
   * Reads the rows of the current frame.
   *
   * @param from the bytes with the plain body, which is between the two positions
   * @param packed the number of bytes of the body in the message
   */
  private void readRows(
      Binding binding, int count, byte[] from, int body, int bodyEnd, int packed) {
    // A frame without rows may have any schema.
    if (count > 0 && expected != null && binding != expected) {
      if (!binding.schema().equals(expected.schema())) {
        readEvolved(binding.schema(), count, from, body, bodyEnd, packed);
        return;
      }
      binding = expected;
    }
    RecordIn in = recordIn(from, body, bodyEnd, packed);
    readRows(binding, count, from, in, in, in::next);
  }

  /** Reads rows of another schema than the expected one. */
  private void readEvolved(
      Schema writer, int count, byte[] from, int body, int bodyEnd, int packed) {
    Conversion conversion = expected.evolution(writer, "frame " + index + " has rows of");
    RecordIn in = recordIn(from, body, bodyEnd, packed);
    RecordIn written = recordIn(from, body, bodyEnd, packed);
    try (EvolvedRecords records = new EvolvedRecords(conversion, written, in)) {
      readRows(expected, count, from, written, in, records::convertNext);
    }
  }

  private RecordIn recordIn(byte[] from, int body, int bodyEnd, int packed) {
    RecordIn in = RecordIn.ofFrame(from, body, bodyEnd);
    in.packedIn(packed);
    if (options.isLimited()) {
      in.limitMemory(memory);
    }
    return in;
  }

  /**
   * Reads the rows of the current frame.
   *
   * @param written the records of the frame
   * @param in the records to read, of which {@code next} begins one after another
   */
  private void readRows(
      Binding binding, int count, byte[] from, RecordIn written, RecordIn in, Runnable next) {
    // Each record has a length, so a damaged number of rows can't ask for memory.
    int bytes = written.frameLeft();
    Object[] read = new Object[Math.min(count, bytes / RecordIn.LENGTH)];
    boolean isLimited = options.isLimited();
    RecordReader reader = binding.recordReader(read.length, isLimited);
    int row = 0;
    try {
      for (; row < count; row++) {
        next.run();
        if (isLimited) {
          in.take(ObjectSizes.PLACE);
        }
        Object value = reader.read(in);
        in.end();
        read[row] = value;
      }
    } catch (RuntimeException e) {
      String name = "frame " + index + ", row " + row;
      int offset = offset(from, written.record());
      throw ReadErrors.of(binding.type(), name, rows.size() + row, offset, e);
    }
    rows.addAll(Arrays.asList(read));
    memory = in.memoryLeft();
    binding.countRead(bytes);
    if (written.frameLeft() > 0) {
      throw error("frame " + index + ": there are bytes after the last record", at - start);
    }
  }

  /**
   * The offset in the message of the record at {@code record}; of its frame if it was compressed.
   */
  private int offset(byte[] from, int record) {
    return (from == bytes ? record : at) - start;
  }
}
