package io.github.serow.codec;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.SchemaSet;
import io.github.serow.SerowException;
import io.github.serow.jni.NativeLibrary;
import io.github.serow.schema.PublicTypes;
import io.github.serow.wire.RecordIn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Single records of other schemas than the codec's. Only native code knows the rules of evolution,
 * and only for messages. So a record is put into a message of one row.
 */
final class OtherVersions {
  private static final byte[] MAGIC = {'S', 'R', 'O', 'W', 1, 0, 0, 0};
  private static final byte ROW_WIRE = 0;
  private static final byte LAST_WITH_SCHEMA = 3;

  // Positions in a message of one frame.
  private static final int FRAME = 8;
  private static final int BODY_LENGTH = FRAME + 16;
  private static final int SCHEMA = FRAME + 24;
  private static final int CHECKSUM = 8;

  /** What native code calls the only row of the message, and its frame. */
  private static final String ROW_OF_MESSAGE = "frame 0, row 0";

  private static final String FRAME_OF_MESSAGE = "frame 0 has rows of schema";

  /**
   * A schema of records.
   *
   * @param fingerprint its fingerprint
   * @param head the part of each message before the body
   */
  private record Writer(long fingerprint, byte[] head) {}

  private final Binding own;
  private final ReadOptions options;
  private final SchemaSet schemas;

  /** The last writer; most readers meet only one. */
  private volatile Writer last;

  /** {@code options} are of the binding of the codec. */
  OtherVersions(ReadOptions options, SchemaSet schemas) {
    own = options.expected();
    this.options = options;
    this.schemas = schemas;
  }

  /**
   * Reads a record.
   *
   * @param named the fingerprint of its schema
   * @param bytes has the record's value between {@code begin} and {@code end}
   */
  Object read(long named, byte[] bytes, int begin, int end) {
    Writer writer = last;
    if (writer == null || writer.fingerprint != named) {
      Schema schema = schemas.find(named).orElseThrow(() -> unknown(named));
      writer = new Writer(named, head(schema));
      last = writer;
    }
    try {
      return DecodeContext.read(message(writer.head, bytes, begin, end), options).get(0);
    } catch (DecodeException e) {
      String message = e.getMessage().replace(ROW_OF_MESSAGE, "record");
      throw new DecodeException(message, e.getCause(), 0, e.path().orElse(null), Long.BYTES);
    } catch (LimitException e) {
      throw new LimitException(e.getMessage().replace(ROW_OF_MESSAGE, "record"));
    } catch (SchemaException e) {
      throw new SchemaException(e.getMessage().replace(FRAME_OF_MESSAGE, "the record has schema"));
    }
  }

  private static byte[] head(Schema schema) {
    try {
      NativeLibrary.require("converting a record of another version of the codec's schema");
    } catch (SerowException e) {
      throw new SchemaException(e.getMessage());
    }
    byte[] typeList = PublicTypes.bytes(schema);
    ByteBuffer head = ByteBuffer.allocate(SCHEMA + typeList.length);
    head.order(ByteOrder.LITTLE_ENDIAN).put(MAGIC).put(ROW_WIRE).put(LAST_WITH_SCHEMA);
    head.putInt(FRAME + 4, 1).putInt(FRAME + 8, typeList.length).put(SCHEMA, typeList);
    return head.array();
  }

  private static byte[] message(byte[] head, byte[] bytes, int begin, int end) {
    int length = end - begin;
    int value = head.length + RecordIn.LENGTH;
    int after = Math.addExact(value, length);
    byte[] message = Arrays.copyOf(head, Math.addExact(after, CHECKSUM));
    System.arraycopy(bytes, begin, message, value, length);
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    frame.putLong(BODY_LENGTH, after - head.length).putInt(head.length, length);
    long checksum = Hashing.xxh3_64().hashBytesToLong(message, FRAME, after - FRAME);
    frame.putLong(after, checksum);
    return message;
  }

  private SchemaException unknown(long named) {
    if ((int) named == ByteBuffer.wrap(MAGIC).order(ByteOrder.LITTLE_ENDIAN).getInt()) {
      return new SchemaException(
          "these bytes are a message and no single record; read them with decode");
    }
    return new SchemaException(
        "the record has a schema with the fingerprint "
            + hex(named)
            + ", which is neither the codec's ("
            + hex(own.fingerprint())
            + ") nor in its set of schemas; add the schema of the record's writer to a SchemaSet,"
            + " and give the set to the codec");
  }

  private static String hex(long fingerprint) {
    return String.format("0x%016x", fingerprint);
  }
}
