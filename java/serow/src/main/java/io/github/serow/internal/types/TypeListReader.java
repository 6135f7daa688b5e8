package io.github.serow.internal.types;

import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Reads the type of a type list, which need not be canonical. Its codes are unsigned. */
final class TypeListReader {
  /** Optionals and unions that may be stacked without a container between them. */
  private static final int MAX_STACKED = 4;

  private final int[] list;
  private int at;

  /** The number of codes before {@link #at} that belong to names and to values of members. */
  private long names;

  private TypeListReader(int[] list) {
    this.list = list;
  }

  /**
   * Reads a type.
   *
   * @throws SchemaException if the list is not that of a type; it names the index of the mistake
   * @throws LimitException if the type nests too deep or has too many codes
   */
  static Type read(int[] list) {
    if (list.length > 2 * Limits.MAX_TYPE_LIST + Limits.MAX_NAMES) {
      throw TypeListWriter.tooLong();
    }
    TypeListReader reader = new TypeListReader(list);
    Type type = reader.type(0, 0);
    if (reader.at < list.length) {
      throw reader.error(
          reader.at, "expected the end after " + type + ", found code " + code(list[reader.at]));
    }
    return type;
  }

  private static String code(int code) {
    return Integer.toUnsignedString(code);
  }

  private SchemaException error(int index, String what) {
    return new SchemaException("type list, index " + index + ": " + what);
  }

  /**
   * Reads a type. {@code stacked} counts the optionals and unions around it without a container
   * between them. The canonical form does not stack them, so this limits the recursion.
   */
  private Type type(int depth, int stacked) {
    int begin = at;
    if (stacked > MAX_STACKED) {
      throw error(begin, "optionals and unions are stacked");
    }
    if (begin == list.length) {
      throw error(begin, "expected a type, found the end of the list");
    }
    // Check before reading more, so that a list of too many types is never built.
    if (begin - names > Limits.MAX_TYPE_LIST) {
      throw TypeListWriter.tooLong();
    }
    int code = list[at++];
    return switch (code) {
      case TypeCodes.OPTIONAL -> Type.optional(type(depth, stacked + 1));
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET ->
          Type.of(code, List.of(type(TypeListWriter.deeper(depth), 0)));
      case TypeCodes.MAP -> {
        int inside = TypeListWriter.deeper(depth);
        Type key = type(inside, 0);
        yield Type.of(code, List.of(key, type(inside, 0)));
      }
      case TypeCodes.DICT_BEGIN -> struct(null, depth);
      case TypeCodes.RECORD_BEGIN -> struct(name(), depth);
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> enumeration(code);
      case TypeCodes.LIST_BEGIN ->
          Type.of(code, types(TypeCodes.LIST_END, TypeListWriter.deeper(depth), 0));
      case TypeCodes.TUPLE_BEGIN ->
          Type.of(code, types(TypeCodes.TUPLE_END, TypeListWriter.deeper(depth), 0));
      case TypeCodes.UNION_BEGIN -> union(begin, types(TypeCodes.UNION_END, depth, stacked + 1));
      default -> {
        if (!TypePrinter.PLAIN.containsKey(code)) {
          throw error(begin, "code " + code(code) + " is not a type");
        }
        yield Type.plain(code);
      }
    };
  }

  private Type union(int begin, List<Type> arms) {
    try {
      return Type.union(arms);
    } catch (SchemaException e) {
      throw error(begin, e.getMessage());
    } catch (LimitException e) {
      throw new LimitException(error(begin, e.getMessage()).getMessage());
    }
  }

  private List<Type> types(int end, int depth, int stacked) {
    List<Type> types = new ArrayList<>();
    while (at == list.length || list[at] != end) {
      types.add(type(depth, stacked));
    }
    at++;
    return types;
  }

  private int next(String what) {
    if (at == list.length) {
      throw error(at, "expected " + what + ", found the end of the list");
    }
    return list[at++];
  }

  private String name() {
    long length = Integer.toUnsignedLong(next("the length of a name"));
    names += length + 1;
    StringBuilder name = new StringBuilder();
    for (; length > 0; length--) {
      int code = next("a character of a name");
      if (!Character.isValidCodePoint(code)
          || code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
        throw error(at - 1, code(code) + " is not a character");
      }
      name.appendCodePoint(code);
    }
    return name.toString();
  }

  private Type struct(String name, int depth) {
    int inside = TypeListWriter.deeper(depth);
    List<String> fields = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    BitSet maybe = new BitSet();
    for (int code; (code = next("a field or the end of the fields")) != TypeCodes.STRUCT_END; ) {
      if (code == TypeCodes.MAYBE_FIELD) {
        maybe.set(fields.size());
      } else if (code != TypeCodes.FIELD) {
        throw error(at - 1, "expected a field, found code " + code(code));
      }
      fields.add(name());
      types.add(type(inside, 0));
    }
    return Type.struct(name, fields, maybe, types);
  }

  private Type enumeration(int code) {
    String name = name();
    long count = Integer.toUnsignedLong(next("a number of members"));
    List<String> members = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (; count > 0; count--) {
      members.add(name());
      if (code == TypeCodes.INT_ENUM) {
        values.add(integer());
      } else if (code == TypeCodes.STR_ENUM) {
        values.add(name());
      }
    }
    return Type.enumeration(name, members, values);
  }

  private Long integer() {
    int low = next("the value of a member");
    int high = next("the upper half of a member's value");
    names += 2;
    return TypeForms.integer(low, high);
  }
}
