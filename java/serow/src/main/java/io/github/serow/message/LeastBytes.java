package io.github.serow.message;

import io.github.serow.schema.Type;

/** The smallest number of bytes that values of a type take on the row wire. */
final class LeastBytes {
  private LeastBytes() {}

  static int of(Type type) {
    return switch (type.kind) {
      case NULL, NEVER -> 0;
      case I64, ENUM, STR, BOOL, OPTIONAL, MAYBE -> 1;
      case LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET, MAP -> 1;
      case F64 -> Double.BYTES;
      case LIST, TUPLE, DICT, RECORD -> type.parts.stream().mapToInt(LeastBytes::of).sum();
      case UNION -> 1 + type.parts.stream().mapToInt(LeastBytes::of).min().orElse(0);
      case LOGICAL -> type.logical.leastBytes();
    };
  }
}
