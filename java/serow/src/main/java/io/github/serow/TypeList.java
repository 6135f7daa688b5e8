package io.github.serow;

import java.util.StringJoiner;

/** A type list that is being written; {@code docs/wire-format.md} has the codes. */
final class TypeList {
  static final int TUPLE_BEGIN = 5;
  static final int TUPLE_END = 7;
  static final int OPTIONAL = 10;
  static final int LIST = 11;
  static final int SET = 28;
  static final int FROZENSET = 29;
  static final int MAP = 30;
  static final int RECORD_BEGIN = 32;
  static final int RECORD_END = 33;
  static final int FIELD = 34;
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
