package io.github.serow.bench;

import io.github.serow.Wire;
import io.github.serow.demo.Batches;
import io.github.serow.demo.Contestant;
import java.util.List;

/**
 * One serializer used in one way, with its best settings: Kryo on classes is an entrant, Kryo on
 * {@code Object[]} another.
 *
 * <p>{@link #prepare}, which makes an entrant's rows, is not timed; everything else is.
 */
interface Entrant {

  /** The rows in the form that this entrant's users have. */
  default List<?> prepare(List<Object> rows) {
    return rows;
  }

  /** Encodes the rows to messages in new memory, in batches of the best size. */
  List<byte[]> encode(List<?> rows) throws Exception;

  /** Whether it can encode into reused memory. */
  default boolean retainsMemory() {
    return false;
  }

  /** Encodes into reused memory, and returns the number of bytes. */
  default long encodeRetained(List<?> rows) throws Exception {
    throw new UnsupportedOperationException();
  }

  /** Decodes messages to rows. */
  List<?> decode(List<byte[]> messages) throws Exception;

  /** Encodes one row to a message. */
  byte[] encodeRow(Object row) throws Exception;

  /** Decodes a message of {@link #encodeRow}. */
  Object decodeRow(byte[] message) throws Exception;

  /** Converts a prepared or decoded row back to the row of the table. */
  default Object plain(Object row) {
    return row;
  }

  /** Rows per message of a stream, where later rows are encoded while a message is sent. */
  default int streamBatch() {
    return Batches.SIZE;
  }

  /** The tier of the conversion, if there is a choice. */
  default String tier() {
    return "-";
  }

  /** The entrant with this name for rows of a workload, as in {@code benches/suite/entrants}. */
  static Entrant named(String name, Workload workload) {
    return switch (name) {
      case "serow-row" -> SerowEntrant.of(workload, Wire.ROW, false);
      case "serow-frame" -> SerowEntrant.of(workload, Wire.FRAME, false);
      case "serow-row-jit" -> SerowEntrant.of(workload, Wire.ROW, true);
      case "serow-frame-jit" -> SerowEntrant.of(workload, Wire.FRAME, true);
      case "serow-row-record" -> SerowEntrant.ofRecords(workload, Wire.ROW);
      case "serow-frame-record" -> SerowEntrant.ofRecords(workload, Wire.FRAME);
      case "serow-row-evolved" -> SerowEntrant.ofEarlierParts(Wire.ROW);
      case "serow-frame-evolved" -> SerowEntrant.ofEarlierParts(Wire.FRAME);
      case "kryo-class" -> new KryoEntrant(workload.objects());
      case "kryo-array", "kryo-map" -> new KryoEntrant(workload.plain());
      case "fory-class" -> new ForyEntrant(workload.objects());
      case "fory-array", "fory-map" -> new ForyEntrant(workload.plain());
      case "floor-array" -> FloorEntrant.ofPlain(workload);
      case "floor-record" -> FloorEntrant.ofRecords(workload);
      case "pickle", "bson", "protobuf" -> new DemoEntrant(Contestant.named(name));
      default -> throw new IllegalArgumentException("no entrant is called " + name);
    };
  }
}
