package io.github.serow.bench;

import io.github.serow.BufferTooSmallException;
import io.github.serow.Codec;
import io.github.serow.Schema;
import io.github.serow.Wire;
import java.nio.ByteBuffer;
import java.util.List;

/** serow with a codec of the workload's schema or class, all rows in one message. */
final class SerowEntrant extends RowsEntrant {

  /**
   * The best size for a stream: larger frames are smaller in total, but keep the reader waiting.
   */
  private static final int STREAM_BATCH = 10_000;

  private final Codec<Object> codec;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);

  private SerowEntrant(RowRepresentation representation, Codec<Object> codec, boolean isCompiled) {
    super(representation);
    this.codec = codec;
    if (isCompiled) {
      Compiler.compile(codec);
    }
  }

  /**
   * A codec for plain rows on a wire.
   *
   * @param isCompiled whether to wait for compiled code before the first row
   */
  static SerowEntrant of(Workload workload, Wire wire, boolean isCompiled) {
    Codec<Object> codec = Codec.ofAny(Schema.parse(workload.schema()), wire);
    return new SerowEntrant(workload.plain(), codec, isCompiled);
  }

  /** A compiled codec for records on a wire. */
  static SerowEntrant ofRecords(Workload workload, Wire wire) {
    RowRepresentation representation = workload.records();
    return new SerowEntrant(
        representation, unchecked(Codec.of(representation.rowClass(), wire)), true);
  }

  /** Sound: all rows that it gets are of its class. */
  @SuppressWarnings("unchecked")
  private static Codec<Object> unchecked(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  @Override
  public List<byte[]> encode(List<?> rows) {
    return List.of(codec.encode(rows));
  }

  @Override
  public long encodeRetained(List<?> rows) {
    buffer.clear();
    try {
      return codec.encodeInto(rows, buffer);
    } catch (BufferTooSmallException tooSmall) {
      buffer = ByteBuffer.allocateDirect(2 * buffer.capacity());
      return encodeRetained(rows);
    }
  }

  @Override
  public List<?> decode(List<byte[]> messages) {
    List<Object> rows = codec.decode(messages.get(0));
    for (byte[] message : messages.subList(1, messages.size())) {
      rows.addAll(codec.decode(message));
    }
    return rows;
  }

  @Override
  public byte[] encodeRow(Object row) {
    return codec.encode(List.of(row));
  }

  @Override
  public Object decodeRow(byte[] message) {
    return codec.decode(message).get(0);
  }

  @Override
  public int streamBatch() {
    return STREAM_BATCH;
  }

  @Override
  public String tier() {
    return codec.tier();
  }
}
