package io.github.serow.bench;

import io.github.serow.Wire;
import io.github.serow.demo.Batches;
import io.github.serow.demo.Contestant;
import java.util.List;

/**
 * One serializer used in one way, as well as its users can: Kryo on classes is an entrant, Kryo on
 * {@code Object[]} another.
 *
 * <p>What makes the rows that an entrant takes ({@link #prepare}) is not timed, all else is.
 */
interface Entrant {

  /** The rows as this entrant's users hold them. */
  default List<?> prepare(List<Object> rows) {
    return rows;
  }

  /** The rows as messages in fresh memory, in the batches that suit it. */
  List<byte[]> encode(List<?> rows) throws Exception;

  /** Whether it can encode into memory that it has used before. */
  default boolean retainsMemory() {
    return false;
  }

  /** Encodes into memory used before, and gives the number of bytes. */
  default long encodeRetained(List<?> rows) throws Exception {
    throw new UnsupportedOperationException();
  }

  /** The rows of messages. */
  List<?> decode(List<byte[]> messages) throws Exception;

  /** One row as a message of its own. */
  byte[] encodeRow(Object row) throws Exception;

  /** The row of a message of {@link #encodeRow}. */
  Object decodeRow(byte[] message) throws Exception;

  /** A row that was prepared or decoded as it was in the table. */
  default Object plain(Object row) {
    return row;
  }

  /** Rows in a message when they are sent while others are still being encoded. */
  default int streamBatch() {
    return Batches.SIZE;
  }

  /** What runs the conversion, if there is a choice. */
  default String tier() {
    return "-";
  }

  /** The entrant of this name for rows of a workload, as in {@code benches/suite/entrants}. */
  static Entrant named(String name, Workload workload) {
    return switch (name) {
      case "serow-row" -> SerowEntrant.of(workload, Wire.ROW, false);
      case "serow-frame" -> SerowEntrant.of(workload, Wire.FRAME, false);
      case "serow-row-jit" -> SerowEntrant.of(workload, Wire.ROW, true);
      case "serow-frame-jit" -> SerowEntrant.of(workload, Wire.FRAME, true);
      case "serow-row-record" -> SerowEntrant.ofRecords(workload, Wire.ROW);
      case "serow-frame-record" -> SerowEntrant.ofRecords(workload, Wire.FRAME);
      case "kryo-class" -> new KryoEntrant(workload.objects());
      case "kryo-array", "kryo-map" -> new KryoEntrant(workload.plain());
      case "fory-class" -> new ForyEntrant(workload.objects());
      case "fory-array", "fory-map" -> new ForyEntrant(workload.plain());
      case "pickle", "bson", "protobuf" -> new DemoEntrant(Contestant.named(name));
      default -> throw new IllegalArgumentException("no entrant is called " + name);
    };
  }
}
