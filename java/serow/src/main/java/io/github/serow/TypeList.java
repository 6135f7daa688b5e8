package io.github.serow;

import java.util.StringJoiner;

/** The codes of type lists, and a type list that is being written. */
final class TypeList {
  // The codes of docs/wire-format.md; those from 16 to 27 are in Logicals.
  static final int I64 = 1;
  static final int F64 = 2;
  static final int STR = 3;
  static final int LIST_BEGIN = 4;
  static final int TUPLE_BEGIN = 5;
  static final int LIST_END = 6;
  static final int TUPLE_END = 7;
  static final int BOOL = 8;
  static final int NULL = 9;
  static final int OPTIONAL = 10;
  static final int LIST = 11;
  static final int TUPLE = 12;
  static final int UNION_BEGIN = 13;
  static final int UNION_END = 14;
  static final int NEVER = 15;
  static final int SET = 28;
  static final int FROZENSET = 29;
  static final int MAP = 30;
  static final int DICT_BEGIN = 31;
  static final int RECORD_BEGIN = 32;
  static final int STRUCT_END = 33;
  static final int FIELD = 34;
  static final int MAYBE_FIELD = 35;
  static final int ENUM = 36;

  private final StringJoiner numbers = new StringJoiner(" ");

  TypeList add(int number) {
    numbers.add(Integer.toString(number));
    return this;
  }

  TypeList name(String name) {
    add(name.codePointCount(0, name.length()));
    name.codePoints().forEach(this::add);
    return this;
  }

  Schema schema() {
    return Schema.parse(numbers.toString());
  }
}
