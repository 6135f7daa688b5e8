package io.github.serow.internal.kotlin;

import java.util.ArrayList;
import java.util.List;

/**
 * The strings that a message in Kotlin's annotation {@code Metadata} names by their index: {@code
 * StringTableTypes} in Kotlin's {@code jvm_metadata.proto}.
 */
final class KotlinStrings {
  /** Numbers of fields of a record of the table. */
  private static final int RANGE = 1;

  private static final int PREDEFINED = 2;
  private static final int OPERATION = 3;
  private static final int SUBSTRING = 4;
  private static final int REPLACE = 5;
  private static final int STRING = 6;

  /** An operation: the string is a descriptor, such as {@code Lkotlin/UInt;}. */
  private static final int OF_DESCRIPTOR = 2;

  /** For each string, how it is made of {@link #strings}. */
  private final List<ProtobufMessage> records = new ArrayList<>();

  private final String[] strings;

  KotlinStrings(ProtobufMessage table, String[] strings) {
    this.strings = strings;
    for (ProtobufMessage record : table.messages(1)) {
      for (long i = Math.min(record.number(RANGE, 1), strings.length); i > 0; i--) {
        records.add(record);
      }
    }
  }

  /** A string; empty if it is one of those that Kotlin knows, which name its own classes. */
  String text(long index) {
    ProtobufMessage record = records.get((int) index);
    String text = record.text(STRING);
    if (text == null) {
      text = record.number(PREDEFINED, -1) >= 0 ? "" : strings[(int) index];
    }
    List<Long> part = record.numbers(SUBSTRING);
    if (part.size() == 2) {
      text = text.substring(part.get(0).intValue(), part.get(1).intValue());
    }
    List<Long> chars = record.numbers(REPLACE);
    if (chars.size() == 2) {
      text = text.replace((char) chars.get(0).intValue(), (char) chars.get(1).intValue());
    }
    if (record.number(OPERATION, 0) == OF_DESCRIPTOR && text.length() >= 2) {
      text = text.substring(1, text.length() - 1);
    }
    return text;
  }

  /** The name that a class has in Java. */
  String className(long index) {
    // Kotlin separates packages by slashes, and nested classes by dots.
    return text(index).replace('.', '$').replace('/', '.');
  }
}
