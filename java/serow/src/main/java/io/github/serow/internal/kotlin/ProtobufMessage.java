package io.github.serow.internal.kotlin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A message of Protocol Buffers: its values by the numbers of their fields. */
final class ProtobufMessage {
  /** A message, and another one that has the bytes after it. */
  record Delimited(ProtobufMessage message, ProtobufMessage rest) {}

  /** A value is a {@code Long} or, if it has a length, an array of bytes. */
  private final Map<Integer, List<Object>> values = new HashMap<>();

  private final byte[] bytes;
  private int at;

  private ProtobufMessage(byte[] bytes) {
    this.bytes = bytes;
  }

  private static ProtobufMessage parse(byte[] bytes) {
    ProtobufMessage message = new ProtobufMessage(bytes);
    while (message.at < bytes.length) {
      message.readField();
    }
    return message;
  }

  /** Parses a message after its length, and one without a length after it. */
  static Delimited delimited(byte[] bytes) {
    ProtobufMessage whole = new ProtobufMessage(bytes);
    byte[] first = whole.take(whole.varint());
    return new Delimited(parse(first), parse(whole.take(bytes.length - whole.at)));
  }

  private void readField() {
    long tag = varint();
    Object value =
        switch ((int) (tag & 7)) {
          case 0 -> varint();
          case 1 -> take(8);
          case 2 -> take(varint());
          case 5 -> take(4);
          default -> throw new IllegalArgumentException("a field has the unknown tag " + tag);
        };
    values.computeIfAbsent((int) (tag >>> 3), it -> new ArrayList<>()).add(value);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = bytes[at++];
      value |= (next & 127L) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value;
  }

  private byte[] take(long length) {
    if (length < 0 || length > bytes.length - at) {
      throw new IllegalArgumentException("a field has " + length + " bytes, but they end before");
    }
    at += (int) length;
    return Arrays.copyOfRange(bytes, at - (int) length, at);
  }

  private List<Object> values(int field) {
    return values.getOrDefault(field, List.of());
  }

  List<ProtobufMessage> messages(int field) {
    return values(field).stream().map(value -> parse((byte[]) value)).toList();
  }

  /** All numbers of a field, which may be packed. */
  List<Long> numbers(int field) {
    List<Long> numbers = new ArrayList<>();
    for (Object value : values(field)) {
      if (value instanceof Long number) {
        numbers.add(number);
        continue;
      }
      ProtobufMessage packed = new ProtobufMessage((byte[]) value);
      while (packed.at < packed.bytes.length) {
        numbers.add(packed.varint());
      }
    }
    return numbers;
  }

  /** The only number of a field; {@code missing} if there is none. */
  long number(int field, long missing) {
    List<Long> numbers = numbers(field);
    return numbers.isEmpty() ? missing : numbers.get(0);
  }

  /** The only text of a field; null if there is none. */
  String text(int field) {
    List<Object> found = values(field);
    return found.isEmpty() ? null : new String((byte[]) found.get(0), StandardCharsets.UTF_8);
  }
}
