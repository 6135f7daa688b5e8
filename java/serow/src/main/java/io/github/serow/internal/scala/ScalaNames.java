package io.github.serow.internal.scala;

/** Decodes the names of Scala's classes and fields to those of the source. */
public final class ScalaNames {
  /** The encodings of characters that Java names can't contain, each before its character. */
  private static final String[] OPERATORS =
      ("tilde ~ eq = less < greater > bang ! hash # percent % up ^ amp & bar | times * div / plus +"
              + " minus - colon : bslash \\ qmark ? at @")
          .split(" ");

  private static final int UNICODE_LENGTH = 6;

  private ScalaNames() {}

  /** The name of a case class or a case object, without the enclosing classes. */
  public static String of(Class<?> type) {
    String name = type.getSimpleName();
    // The class of an object ends with a dollar sign; a class in a method with a dollar sign and a
    // number.
    return decode(name.replaceAll("\\$[0-9]*$", ""));
  }

  /** Decodes a name: {@code $plus} is {@code +}, {@code $u0020} is a space. */
  static String decode(String name) {
    int dollar = name.indexOf('$');
    if (dollar < 0) {
      return name;
    }
    StringBuilder decoded = new StringBuilder(name.substring(0, dollar));
    for (int at = dollar; at < name.length(); ) {
      int length = name.charAt(at) == '$' ? decodeAt(name, at, decoded) : 0;
      if (length == 0) {
        decoded.append(name.charAt(at));
      }
      at += Math.max(1, length);
    }
    return decoded.toString();
  }

  /** Decodes the text at a dollar sign. Returns its length, or 0 if the sign stands for itself. */
  private static int decodeAt(String name, int at, StringBuilder decoded) {
    if (name.startsWith("$u", at) && at + UNICODE_LENGTH <= name.length()) {
      try {
        decoded.append((char) Integer.parseInt(name.substring(at + 2, at + UNICODE_LENGTH), 16));
        return UNICODE_LENGTH;
      } catch (NumberFormatException e) {
        // It is an operator such as $up, or part of the name.
      }
    }
    for (int i = 0; i < OPERATORS.length; i += 2) {
      if (name.startsWith(OPERATORS[i], at + 1)) {
        decoded.append(OPERATORS[i + 1]);
        return 1 + OPERATORS[i].length();
      }
    }
    return 0;
  }
}
