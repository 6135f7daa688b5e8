package io.github.serow.internal.wire;

import io.github.serow.DecodeException;

/** Converts numbers to types of fewer bits, or throws. Generated code calls these methods. */
public final class Narrow {
  private Narrow() {}

  public static int toInt(long number) {
    if (number != (int) number) {
      throw cannotHold(number, "an int");
    }
    return (int) number;
  }

  public static short toShort(long number) {
    if (number != (short) number) {
      throw cannotHold(number, "a short");
    }
    return (short) number;
  }

  public static byte toByte(long number) {
    if (number != (byte) number) {
      throw cannotHold(number, "a byte");
    }
    return (byte) number;
  }

  public static char toChar(long number) {
    if (number != (char) number) {
      throw cannotHold(number, "a char");
    }
    return (char) number;
  }

  public static float toFloat(double number) {
    float narrow = (float) number;
    if (narrow != number && !Double.isNaN(number)) {
      throw cannotHold(number, "a float");
    }
    return narrow;
  }

  private static DecodeException cannotHold(Number number, String type) {
    return new DecodeException(
        "cannot decode " + number + " as " + type + ", which has fewer bits");
  }
}
