package io.github.serow.internal.types;

import io.github.serow.LimitException;
import io.github.serow.internal.wire.Limits;
import java.util.Arrays;

/** Writes the type list of a type. */
final class TypeListWriter {
  private int[] list = new int[16];
  private int length;

  /** The number of codes that belong to names. */
  private int names;

  private TypeListWriter() {}

  /**
   * The type list of a type.
   *
   * @throws LimitException if the type nests too deep or has too many codes
   */
  static int[] write(Type type) {
    TypeListWriter writer = new TypeListWriter();
    writer.add(type, 0);
    writer.check();
    return Arrays.copyOf(writer.list, writer.length);
  }

  static LimitException tooLong() {
    return new LimitException(
        "a schema has more than %s codes, or %s characters in its names"
            .formatted(Limits.MAX_TYPE_LIST, Limits.MAX_NAMES));
  }

  /** The depth inside a container at {@code depth}. */
  static int deeper(int depth) {
    if (depth == Limits.MAX_DEPTH) {
      throw new LimitException(
          "lists and other containers nest more than " + Limits.MAX_DEPTH + " deep");
    }
    return depth + 1;
  }

  private void check() {
    if (length - names > Limits.MAX_TYPE_LIST || names > Limits.MAX_NAMES) {
      throw tooLong();
    }
  }

  private void add(Type type, int depth) {
    check();
    put(type.code());
    switch (type.code()) {
      case TypeCodes.OPTIONAL -> add(type.parts().get(0), depth);
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET, TypeCodes.MAP ->
          addAll(type, deeper(depth));
      case TypeCodes.LIST_BEGIN -> {
        addAll(type, deeper(depth));
        put(TypeCodes.LIST_END);
      }
      case TypeCodes.TUPLE_BEGIN -> {
        addAll(type, deeper(depth));
        put(TypeCodes.TUPLE_END);
      }
      case TypeCodes.UNION_BEGIN -> {
        addAll(type, depth);
        put(TypeCodes.UNION_END);
      }
      case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN -> addStruct(type, deeper(depth));
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> addEnum(type);
      default -> {}
    }
  }

  private void addAll(Type type, int depth) {
    for (Type part : type.parts()) {
      add(part, depth);
    }
  }

  private void addStruct(Type type, int depth) {
    if (type.name() != null) {
      putName(type.name());
    }
    for (int i = 0; i < type.parts().size(); i++) {
      put(type.maybe().get(i) ? TypeCodes.MAYBE_FIELD : TypeCodes.FIELD);
      putName(type.names().get(i));
      add(type.parts().get(i), depth);
    }
    put(TypeCodes.STRUCT_END);
  }

  private void addEnum(Type type) {
    putName(type.name());
    put(type.names().size());
    for (int i = 0; i < type.names().size(); i++) {
      putName(type.names().get(i));
      if (type.code() == TypeCodes.INT_ENUM) {
        putInteger((Long) type.values().get(i));
      } else if (type.code() == TypeCodes.STR_ENUM) {
        putName((String) type.values().get(i));
      }
    }
  }

  /** Writes the lower and the upper 32 bits of an integer's zigzag code. */
  private void putInteger(long value) {
    long zigzag = value << 1 ^ value >> 63;
    put((int) zigzag);
    put((int) (zigzag >>> 32));
    names += 2;
  }

  private void putName(String name) {
    int length = name.codePointCount(0, name.length());
    put(length);
    name.codePoints().forEach(this::put);
    names += length + 1;
  }

  private void put(int code) {
    if (length == list.length) {
      list = Arrays.copyOf(list, 2 * length);
    }
    list[length++] = code;
  }
}
