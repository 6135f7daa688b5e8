package io.github.serow.internal.types;

import io.github.serow.internal.logical.CompositeTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the text form of types. */
final class TypePrinter {
  /** The names of the types without parts, by their codes. */
  static final Map<Integer, String> PLAIN = new LinkedHashMap<>();

  static {
    PLAIN.put(TypeCodes.I64, "i64");
    PLAIN.put(TypeCodes.F64, "f64");
    PLAIN.put(TypeCodes.STR, "str");
    PLAIN.put(TypeCodes.BOOL, "bool");
    PLAIN.put(TypeCodes.NULL, "null");
    PLAIN.put(TypeCodes.NEVER, "never");
    CompositeTypes.ALL.forEach(type -> PLAIN.put(type.code(), type.name()));
  }

  static final String FROZENSET = "frozenset";
  static final String ENUM = "enum";

  private final StringBuilder text = new StringBuilder();

  TypePrinter add(Type type) {
    List<Type> parts = type.parts();
    switch (type.code()) {
      case TypeCodes.OPTIONAL -> {
        boolean isUnion = parts.get(0).code() == TypeCodes.UNION_BEGIN;
        enclosed(isUnion ? "(" : "", parts, isUnion ? ")?" : "?");
      }
      case TypeCodes.LIST_BEGIN -> enclosed("[", parts, parts.size() == 1 ? ",]" : "]");
      case TypeCodes.TUPLE_BEGIN -> enclosed("(", parts, parts.size() == 1 ? ",)" : ")");
      case TypeCodes.LIST -> enclosed("[", parts, "]");
      case TypeCodes.TUPLE -> enclosed("(", parts, ", ...)");
      case TypeCodes.SET -> enclosed("{", parts, "}");
      case TypeCodes.FROZENSET -> enclosed(FROZENSET + "{", parts, "}");
      case TypeCodes.MAP -> {
        text.append('{');
        separated(parts, ": ");
        text.append('}');
      }
      case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN -> addStruct(type);
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> addEnum(type);
      case TypeCodes.UNION_BEGIN -> separated(parts, "|");
      default -> text.append(PLAIN.get(type.code()));
    }
    return this;
  }

  private void addEnum(Type type) {
    text.append(ENUM).append(' ');
    addWord(type.name());
    text.append('{');
    for (int i = 0; i < type.names().size(); i++) {
      text.append(i > 0 ? ", " : "");
      addWord(type.names().get(i));
      Object value = type.values().isEmpty() ? null : type.values().get(i);
      if (value instanceof String string) {
        text.append(" = ");
        addQuoted(string);
      } else if (value != null) {
        text.append(" = ").append(value);
      }
    }
    text.append('}');
  }

  private void addStruct(Type type) {
    boolean isRecord = type.name() != null;
    if (isRecord) {
      addWord(type.name());
    }
    text.append('{');
    for (int i = 0; i < type.parts().size(); i++) {
      text.append(i > 0 ? ", " : "");
      String name = type.names().get(i);
      if (isRecord) {
        addWord(name);
      } else {
        addQuoted(name);
      }
      text.append(type.maybe().get(i) ? "?: " : ": ");
      add(type.parts().get(i));
    }
    text.append('}');
  }

  private void enclosed(String open, List<Type> parts, String close) {
    text.append(open);
    separated(parts, ", ");
    text.append(close);
  }

  private void separated(List<Type> parts, String by) {
    for (int i = 0; i < parts.size(); i++) {
      text.append(i > 0 ? by : "");
      add(parts.get(i));
    }
  }

  /** Adds a name as it is if it is a word, otherwise in quotes. */
  TypePrinter addWord(String name) {
    // A text that begins with a digit is a type list.
    boolean isWord =
        !name.isEmpty()
            && !isDigit(name.charAt(0))
            && name.codePoints().allMatch(TypePrinter::isWordCharacter)
            && !name.equals(FROZENSET)
            && !name.equals(ENUM);
    if (isWord) {
      text.append(name);
    } else {
      addQuoted(name);
    }
    return this;
  }

  TypePrinter addQuoted(String name) {
    text.append('"');
    name.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                text.append('\\').append((char) c);
              } else if (Character.isISOControl(c)) {
                text.append("\\u{").append(Integer.toHexString(c)).append('}');
              } else {
                text.appendCodePoint(c);
              }
            });
    text.append('"');
    return this;
  }

  static String quoted(String name) {
    return new TypePrinter().addQuoted(name).toString();
  }

  static String word(String name) {
    return new TypePrinter().addWord(name).toString();
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Whether a character has Unicode's property White_Space. */
  static boolean isSpace(int c) {
    return c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 || Character.isSpaceChar(c);
  }

  /**
   * Whether a name with this character may stand without quotes. All letters and digits beyond
   * ASCII may, and so may symbols: which characters are letters depends on the version of Unicode,
   * and languages have different ones.
   */
  static boolean isWordCharacter(int c) {
    return c < 0x80
        ? c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
        : !isSpace(c) && !Character.isISOControl(c);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
