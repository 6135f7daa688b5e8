package io.github.serow.internal.types;

import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Parses the text form of types. Errors show the position of the mistake. */
final class TypeParser {
  private static final int END = -1;

  /** Characters of the text that an error shows before and after the mistake. */
  private static final int SHOWN = 40;

  private final int[] text;
  private int at;

  /** Open containers, and parentheses that only group. */
  private int depth;

  private TypeParser(String text) {
    this.text = text.codePoints().toArray();
    for (int i = 0; i < this.text.length; i++) {
      if (isSurrogate(this.text[i])) {
        throw error(i, "a lone surrogate is not a character");
      }
    }
  }

  /**
   * Parses a type, or numbers of a type list.
   *
   * @throws SchemaException if the text has a mistake
   * @throws LimitException if the type nests too deep or has too many codes
   */
  static Type parse(String text) {
    TypeParser parser = new TypeParser(text);
    if (TypePrinter.isDigit(parser.peek())) {
      return TypeListReader.read(parser.numbers());
    }
    Type type = parser.type();
    if (parser.peek() != END) {
      throw parser.expected("the end of the schema");
    }
    return type;
  }

  private static boolean isSurrogate(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private SchemaException error(int index, String what) {
    int from = Math.max(0, index - SHOWN);
    int to = Math.min(text.length, index + SHOWN);
    StringBuilder shown = new StringBuilder();
    for (int i = from; i < to; i++) {
      shown.appendCodePoint(Character.isISOControl(text[i]) ? ' ' : text[i]);
    }
    String caret = " ".repeat(index - from) + "^";
    return new SchemaException(
        "schema, column " + (index + 1) + ": " + what + "\n  " + shown + "\n  " + caret);
  }

  /** The error for something else than {@code what} at the next character. */
  private SchemaException expected(String what) {
    int c = peek();
    String found = c == END ? "the end" : TypePrinter.quoted(Character.toString(c));
    return error(at, "expected " + what + ", found " + found);
  }

  private int peek() {
    while (at < text.length && TypePrinter.isSpace(text[at])) {
      at++;
    }
    return at < text.length ? text[at] : END;
  }

  private boolean accept(String token) {
    peek();
    for (int i = 0; i < token.length(); i++) {
      if (at + i >= text.length || text[at + i] != token.charAt(i)) {
        return false;
      }
    }
    at += token.length();
    return true;
  }

  /** Parses numbers that are separated by spaces or commas. */
  private int[] numbers() {
    List<Integer> numbers = new ArrayList<>();
    while (at < text.length) {
      if (TypePrinter.isSpace(text[at]) || text[at] == ',') {
        at++;
        continue;
      }
      int begin = at;
      while (at < text.length && !TypePrinter.isSpace(text[at]) && text[at] != ',') {
        at++;
      }
      long number = number(begin, at, 10);
      if (number < 0) {
        String word = TypePrinter.quoted(new String(text, begin, at - begin));
        throw error(begin, "expected a code of the type list, found " + word);
      }
      numbers.add((int) number);
    }
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The number of 32 bits in a part of the text, or -1. It may begin with a plus. */
  private long number(int begin, int end, int radix) {
    String digits = new String(text, begin, end - begin);
    // Java's digits include those of all scripts.
    boolean isAscii = digits.chars().allMatch(c -> c < 0x80);
    try {
      return isAscii ? Integer.toUnsignedLong(Integer.parseUnsignedInt(digits, radix)) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** {@code A|B|C}. */
  private Type type() {
    peek();
    int begin = at;
    Type first = optional();
    if (peek() != '|') {
      return first;
    }
    List<Type> arms = new ArrayList<>(List.of(first));
    while (accept("|")) {
      arms.add(optional());
    }
    try {
      return Type.union(arms);
    } catch (SchemaException | LimitException e) {
      throw error(begin, e.getMessage());
    }
  }

  /** {@code A?}. */
  private Type optional() {
    Type type = primary();
    while (accept("?")) {
      type = Type.optional(type);
    }
    return type;
  }

  private Type primary() {
    peek();
    int begin = at;
    if (accept("[")) {
      return nested(begin, TypeCodes.LIST_BEGIN, "]");
    }
    if (accept("(")) {
      return nested(begin, TypeCodes.TUPLE_BEGIN, ")");
    }
    if (accept("{")) {
      return braces(begin);
    }
    if (peek() == '"') {
      return record(begin, quoted());
    }
    String word = word();
    if (word.equals(TypePrinter.ENUM)) {
      return enumeration();
    }
    int end = at;
    if (!word.isEmpty() && peek() == '{') {
      if (!word.equals(TypePrinter.FROZENSET)) {
        return record(begin, word);
      }
      accept("{");
      deeper(begin);
      Type element = type();
      close("}");
      return Type.of(TypeCodes.FROZENSET, List.of(element));
    }
    at = end;
    if (word.isEmpty()) {
      throw expected("a type");
    }
    for (Map.Entry<Integer, String> plain : TypePrinter.PLAIN.entrySet()) {
      if (plain.getValue().equals(word)) {
        return Type.plain(plain.getKey());
      }
    }
    throw error(
        begin,
        "no type is called %s; there are %s"
            .formatted(TypePrinter.quoted(word), String.join(", ", TypePrinter.PLAIN.values())));
  }

  /** The next word; empty if there is none. */
  private String word() {
    peek();
    int begin = at;
    while (at < text.length && TypePrinter.isWordCharacter(text[at])) {
      at++;
    }
    return new String(text, begin, at - begin);
  }

  /** A name, in quotes or as a word. */
  private String name() {
    if (peek() == '"') {
      return quoted();
    }
    String word = word();
    if (word.isEmpty()) {
      throw expected("a name");
    }
    return word;
  }

  /** A name in quotes, with the escapes {@code \"}, {@code \\} and {@code \}{@code u{10FFFF}}. */
  private String quoted() {
    int begin = at;
    StringBuilder name = new StringBuilder();
    for (int i = begin + 1; i < text.length; i++) {
      int c = text[i];
      if (c == '"') {
        at = i + 1;
        return name.toString();
      }
      if (c != '\\') {
        name.appendCodePoint(c);
        continue;
      }
      i++;
      int escaped = i < text.length ? text[i] : END;
      if (escaped == '"' || escaped == '\\') {
        name.append((char) escaped);
      } else if (escaped == 'u') {
        int close = i;
        while (close < text.length && text[close] != '}') {
          close++;
        }
        boolean isOpen = i + 1 < text.length && text[i + 1] == '{' && close < text.length;
        long code = isOpen ? number(i + 2, close, 16) : -1;
        if (code < 0 || code > Character.MAX_CODE_POINT || isSurrogate((int) code)) {
          throw error(begin, "an escaped character in this name must look like \\u{e9}");
        }
        name.appendCodePoint((int) code);
        i = close;
      } else {
        throw error(begin, "in a name, \\ may only precede \", \\ or u{…}");
      }
    }
    throw error(begin, "this name has no closing quote");
  }

  /** Parses a set, a map or a dict with fixed keys, after the opening brace. */
  private Type braces(int begin) {
    int inside = at;
    if (peek() == '}') {
      return fields(begin, null);
    }
    // A name in quotes may be a key, or the name of a record's type.
    if (peek() == '"') {
      quoted();
      boolean isKey = accept(":") || accept("?") && accept(":");
      at = inside;
      if (isKey) {
        return fields(begin, null);
      }
    }
    deeper(begin);
    Type element = type();
    if (accept(":")) {
      Type value = type();
      close("}");
      return Type.of(TypeCodes.MAP, List.of(element, value));
    }
    close("}");
    return Type.of(TypeCodes.SET, List.of(element));
  }

  /** Parses a record, after its name. */
  private Type record(int begin, String name) {
    if (!accept("{")) {
      throw expected("'{' after the name of a record");
    }
    return fields(begin, name);
  }

  /** Parses the fields of a dict or record, after the opening brace. */
  private Type fields(int begin, String name) {
    deeper(begin);
    List<String> names = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    BitSet maybe = new BitSet();
    boolean comma = true;
    while (peek() != '}') {
      if (!comma) {
        throw expected("',' or '}'");
      }
      names.add(name());
      if (accept("?")) {
        maybe.set(types.size());
      }
      if (!accept(":")) {
        throw expected("':' after the name of a field");
      }
      types.add(type());
      comma = accept(",");
    }
    close("}");
    return Type.struct(name, names, maybe, types);
  }

  /** Parses an enum, after the word {@code enum}. */
  private Type enumeration() {
    String name = name();
    if (!accept("{")) {
      throw expected("'{' after the name of an enum");
    }
    List<String> members = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    while (true) {
      peek();
      int begin = at;
      members.add(name());
      if (accept("=")) {
        values.add(peek() == '"' ? quoted() : integer());
      }
      boolean isLike =
          values.isEmpty() || values.get(values.size() - 1).getClass() == values.get(0).getClass();
      if (!isLike || !values.isEmpty() && values.size() < members.size()) {
        throw error(
            begin,
            "the members of an enum have no values, or all have integers, or all have strings");
      }
      boolean comma = accept(",");
      if (accept("}")) {
        return Type.enumeration(name, members, values);
      }
      if (!comma) {
        throw expected("',' or '}'");
      }
    }
  }

  /** Parses an integer of 64 bits. */
  private Long integer() {
    peek();
    int begin = at;
    int digits = begin < text.length && text[begin] == '-' ? begin + 1 : begin;
    int end = digits;
    while (end < text.length && TypePrinter.isDigit(text[end])) {
      end++;
    }
    if (end == digits) {
      throw expected("an integer, or a string in quotes");
    }
    at = end;
    try {
      return Long.valueOf(new String(text, begin, end - begin));
    } catch (NumberFormatException e) {
      throw error(begin, "the value of a member needs more than 64 bits");
    }
  }

  /** Counts a nested type. {@code begin} is the start of the outer type. */
  private void deeper(int begin) {
    // Parentheses that only group do not count as depth, but they use the stack. There may be one
    // pair in each container, and one pair around everything.
    depth++;
    if (depth > 2 * Limits.MAX_DEPTH + 1) {
      throw error(begin, "types nest more than " + Limits.MAX_DEPTH + " deep");
    }
  }

  private void close(String with) {
    if (!accept(with)) {
      throw expected("'" + with + "'");
    }
    depth--;
  }

  /** Parses the contents of brackets or parentheses, after the opening one. */
  private Type nested(int begin, int code, String close) {
    deeper(begin);
    boolean isTuple = code == TypeCodes.TUPLE_BEGIN;
    List<Type> fields = new ArrayList<>();
    boolean comma = true;
    boolean dots = false;
    while (!accept(close)) {
      if (!comma) {
        throw expected("',' or '" + close + "'");
      }
      if (isTuple && fields.size() == 1 && accept("...")) {
        dots = true;
        comma = false;
        continue;
      }
      if (dots) {
        throw expected("')' after '...'");
      }
      fields.add(type());
      comma = accept(",");
    }
    depth--;
    if (fields.size() != 1 || !dots && comma) {
      return Type.of(code, fields);
    }
    if (!isTuple) {
      return Type.of(TypeCodes.LIST, fields);
    }
    return dots ? Type.of(TypeCodes.TUPLE, fields) : fields.get(0);
  }
}
