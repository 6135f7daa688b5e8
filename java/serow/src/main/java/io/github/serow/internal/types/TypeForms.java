package io.github.serow.internal.types;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.internal.wire.DamagedRecordException;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.Varint;
import java.util.Arrays;

/**
 * The forms of a schema: text for people, the type list, and its bytes in messages. Type lists are
 * canonical, unless a method says otherwise.
 */
public final class TypeForms {
  /** The number of characters of a type that an error message shows. */
  private static final int SHOWN = 160;

  private TypeForms() {}

  /**
   * The type list of a text, which may also be numbers of a type list.
   *
   * @throws SchemaException if the text has a mistake; the error shows its position
   * @throws LimitException if the schema nests too deep or has too many codes
   */
  public static int[] ofText(String text) {
    return ofTree(TypeParser.parse(text));
  }

  /**
   * The canonical form of a type list.
   *
   * @throws SchemaException if it is not the list of a type; it names the index of the mistake
   * @throws LimitException if the schema nests too deep or has too many codes
   */
  public static int[] canonical(int[] list) {
    return ofTree(TypeListReader.read(list));
  }

  /**
   * The type list of a type.
   *
   * @throws SchemaException if the type breaks a rule of schemas
   * @throws LimitException if it nests too deep or has too many codes
   */
  public static int[] ofTree(Type type) {
    TypeRules.check(type);
    return TypeListWriter.write(type);
  }

  public static Type tree(int[] list) {
    return TypeListReader.read(list);
  }

  public static String text(int[] list) {
    return tree(list).toString();
  }

  /** The integer whose zigzag code has these lower and upper 32 bits. */
  public static long integer(int low, int high) {
    long zigzag = (long) high << 32 | Integer.toUnsignedLong(low);
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** A name as in the text form: in quotes, unless it is a word. */
  public static String word(String name) {
    return TypePrinter.word(name);
  }

  /** The text for an error message: complete if it is short, otherwise its beginning. */
  public static String brief(int[] list) {
    return brief(tree(list));
  }

  /** The text for an error message: complete if it is short, otherwise its beginning. */
  public static String brief(Type type) {
    String text = type.toString();
    if (text.codePointCount(0, text.length()) <= SHOWN) {
      return text;
    }
    String beginning = text.substring(0, text.offsetByCodePoints(0, SHOWN));
    int comma = beginning.lastIndexOf(", ");
    beginning = comma < 0 ? beginning : beginning.substring(0, comma);
    Type required = type.code() == TypeCodes.OPTIONAL ? type.parts().get(0) : type;
    return switch (required.code()) {
      case TypeCodes.LIST_BEGIN,
          TypeCodes.TUPLE_BEGIN,
          TypeCodes.DICT_BEGIN,
          TypeCodes.RECORD_BEGIN ->
          beginning + ", … and more, " + required.parts().size() + " fields in all";
      default -> beginning + ", …";
    };
  }

  /** The bytes of a type list in a message: each code as a varint. */
  public static byte[] bytes(int[] list) {
    byte[] bytes = new byte[(list.length + 1) * Varint.MOST];
    int at = 0;
    for (int code : list) {
      at = Varint.put(bytes, at, Integer.toUnsignedLong(code));
    }
    return Arrays.copyOf(bytes, at);
  }

  /**
   * The type list in a message.
   *
   * @throws DecodeException if the bytes are not those of a canonical type list
   */
  public static int[] ofBytes(byte[] bytes) {
    int[] list;
    try {
      list = canonical(codes(bytes));
    } catch (SchemaException | LimitException e) {
      throw damaged(e.getMessage());
    }
    if (!Arrays.equals(bytes(list), bytes)) {
      throw damaged("its type list is not canonical (it means " + text(list) + ")");
    }
    return list;
  }

  private static DecodeException damaged(String why) {
    return new DecodeException("the frame's schema is damaged: " + why);
  }

  private static int[] codes(byte[] bytes) {
    int[] list = new int[bytes.length];
    int count = 0;
    RecordIn in = new RecordIn(bytes, 0, bytes.length);
    try {
      while (in.position() < bytes.length) {
        long code = in.varint();
        if (code != (code & 0xffff_ffffL)) {
          throw cut(count);
        }
        list[count++] = (int) code;
      }
    } catch (DamagedRecordException e) {
      throw cut(count);
    }
    return Arrays.copyOf(list, count);
  }

  private static SchemaException cut(int index) {
    return new SchemaException("type list, index " + index + ": cut");
  }
}
