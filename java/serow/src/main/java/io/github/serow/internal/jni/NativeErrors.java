package io.github.serow.internal.jni;

import io.github.serow.BufferTooSmallException;
import io.github.serow.DecodeException;
import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.SerowException;
import java.util.ArrayList;
import java.util.List;

/** Creates the exceptions of native code; {@code crates/jvm/src/guard.rs} calls it. */
final class NativeErrors {
  private NativeErrors() {}

  /**
   * Creates an exception.
   *
   * @param kind a letter for its class
   * @param row the index of the faulty row, or -1
   * @param names the steps of the path: a name, or null for the index in {@code places}; null if
   *     there is no path
   * @param offset the byte offset of the error in the message, or -1
   * @param needed the required size of a buffer in bytes
   */
  static SerowException make(
      char kind, String message, long row, String[] names, int[] places, long offset, long needed) {
    return switch (kind) {
      case 'S' -> new SchemaException(message);
      case 'E' -> new EncodeException(message, null, row, path(names, places), offset);
      case 'D' -> new DecodeException(message, null, row, path(names, places), offset);
      case 'B' -> new BufferTooSmallException(message, needed);
      case 'L' -> new LimitException(message);
      default -> new SerowException(message);
    };
  }

  private static List<Object> path(String[] names, int[] places) {
    if (names == null) {
      return null;
    }
    List<Object> path = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      path.add(names[i] != null ? names[i] : (Object) places[i]);
    }
    return path;
  }
}
