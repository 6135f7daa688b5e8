package io.github.serow.demo;

import java.util.List;
import java.util.Map;

/**
 * One serializer with its best settings.
 *
 * <p>Both methods are timed. So they include the conversion between {@code Object[]} rows and the
 * library's own objects, because users pay for it too.
 */
public interface Contestant {

  /** Decodes messages of either language. A tuple is an {@code Object[]}. */
  List<?> decode(List<byte[]> messages) throws Exception;

  /** Encodes rows to one or more messages. */
  List<byte[]> encode(List<?> rows) throws Exception;

  /** Encodes one row to a message, for the benchmark only. */
  default byte[] encodeRow(Object row) throws Exception {
    return encode(List.of(row)).get(0);
  }

  /** Decodes a message of {@link #encodeRow}. */
  default Object decodeRow(byte[] message) throws Exception {
    return decode(List.of(message)).get(0);
  }

  /** Information that Python's side may print with the figures. */
  default Map<String, String> about() {
    return Map.of();
  }

  /** The contestant with this name, as in {@code benches/demo/contestants}. */
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
