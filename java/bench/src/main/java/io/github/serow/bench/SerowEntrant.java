package io.github.serow.bench;

import io.github.serow.BufferTooSmallException;
import io.github.serow.Codec;
import io.github.serow.Schema;
import io.github.serow.SchemaSet;
import io.github.serow.Wire;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/** serow with a codec of the workload's schema or class, all rows in one message. */
final class SerowEntrant extends RowsEntrant {

  /**
   * The best size for a stream: larger frames are smaller in total, but keep the reader waiting.
   */
  private static final int STREAM_BATCH = 10_000;

  private final Codec<Object> encoder;
  private final Codec<Object> decoder;

  /** Encodes single rows. */
  private final Codec<Object> rowEncoder;

  private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);

  private SerowEntrant(
      RowRepresentation representation,
      Codec<Object> encoder,
      Codec<Object> decoder,
      Wire wire,
      boolean isCompiled) {
    super(representation);
    this.encoder = encoder;
    this.decoder = decoder.withSchemas(new SchemaSet().add(encoder.schema()));
    rowEncoder = wire == Wire.ROW ? encoder.withoutSchemaAndChecksum() : encoder;
    if (isCompiled) {
      Compiler.compile(encoder);
      Compiler.compile(decoder);
    }
  }

  /**
   * A codec for plain rows on a wire.
   *
   * @param isCompiled whether to wait for compiled code before the first row
   */
  static SerowEntrant of(Workload workload, Wire wire, boolean isCompiled) {
    Codec<Object> codec = Codec.ofAny(Schema.parse(workload.schema())).withWire(wire);
    return new SerowEntrant(workload.plain(), codec, codec, wire, isCompiled);
  }

  /** A compiled codec for records on a wire. */
  static SerowEntrant ofRecords(Workload workload, Wire wire) {
    RowRepresentation representation = workload.records();
    Codec<Object> codec = unchecked(Codec.of(representation.rowClass()).withWire(wire));
    return new SerowEntrant(representation, codec, codec, wire, true);
  }

  /** Compiled codecs: one encodes an earlier version of a record, the other decodes the current. */
  static SerowEntrant ofEarlierParts(Wire wire) {
    RowRepresentation representation = EarlierPartRecord.ROWS;
    return new SerowEntrant(
        representation,
        unchecked(Codec.of(representation.rowClass()).withWire(wire)),
        unchecked(Codec.of(PartRecord.class).withWire(wire)),
        wire,
        true);
  }

  /** Sound: all rows that it gets are of its class. */
  @SuppressWarnings("unchecked")
  private static Codec<Object> unchecked(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  @Override
  public List<byte[]> encode(List<?> rows) {
    return List.of(encoder.encodeAll(rows));
  }

  @Override
  public long encodeRetained(List<?> rows) {
    buffer.clear();
    try {
      return encoder.encodeAllInto(rows, buffer);
    } catch (BufferTooSmallException tooSmall) {
      buffer = ByteBuffer.allocateDirect(2 * buffer.capacity());
      return encodeRetained(rows);
    }
  }

  @Override
  public List<?> decode(List<byte[]> messages) {
    List<Object> rows = decoder.decodeAll(messages.get(0));
    for (byte[] message : messages.subList(1, messages.size())) {
      rows.addAll(decoder.decodeAll(message));
    }
    return rows;
  }

  /** A record, or in frames a whole message with header and checksum. */
  @Override
  public byte[] encodeRow(Object row) {
    return rowEncoder.encode(row);
  }

  @Override
  public Object decodeRow(byte[] message) {
    return decoder.decode(message);
  }

  @Override
  public int streamBatch() {
    return STREAM_BATCH;
  }

  @Override
  public String tier() {
    return decoder.tier().name().toLowerCase(Locale.ROOT);
  }
}
