package io.github.serow.demo;

import java.util.List;
import java.util.Map;

/**
 * One serializer, used as well as its users can.
 *
 * <p>Both methods are what is timed, so making the library's own objects of {@code Object[]} rows,
 * and rows of them, belongs inside: it is what the users pay.
 */
public interface Contestant {

  /** The rows of messages from either language. A tuple is an {@code Object[]}. */
  List<?> decode(List<byte[]> messages) throws Exception;

  /** The rows as one or more messages. */
  List<byte[]> encode(List<?> rows) throws Exception;

  /** One row as a message of its own, which only the benchmark asks for. */
  default byte[] encodeRow(Object row) throws Exception {
    return encode(List.of(row)).get(0);
  }

  /** The row of a message of {@link #encodeRow}. */
  default Object decodeRow(byte[] message) throws Exception {
    return decode(List.of(message)).get(0);
  }

  /** What Python's side may print about this one, beside its figures. */
  default Map<String, String> about() {
    return Map.of();
  }

  /** The contestant of this name, the same as in {@code benches/demo/contestants}. */
  static Contestant named(String name) {
    return switch (name) {
      case "serow" -> new SerowContestant();
      case "serow-compiled" -> new SerowCompiledContestant();
      case "pickle" -> new PickleContestant();
      case "bson" -> new BsonContestant();
      case "protobuf" -> new ProtobufContestant();
      default -> throw new IllegalArgumentException("no contestant is called " + name);
    };
  }
}
