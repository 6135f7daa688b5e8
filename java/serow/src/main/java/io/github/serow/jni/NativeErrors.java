package io.github.serow.jni;

import io.github.serow.BufferTooSmallException;
import io.github.serow.DecodeException;
import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.SerowException;
import java.util.ArrayList;
import java.util.List;

/** Makes the exceptions that native code raises. {@code crates/jvm/src/guard.rs} calls it. */
final class NativeErrors {
  private NativeErrors() {}

  /**
   * An exception.
   *
   * @param kind a letter for its class
   * @param row the row at fault, or -1
   * @param names the steps of the path: a name, or null for the place in {@code places}; null if
   *     there is no path
   * @param offset where in the message the error is, or -1
   * @param needed how many bytes a buffer must have
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
