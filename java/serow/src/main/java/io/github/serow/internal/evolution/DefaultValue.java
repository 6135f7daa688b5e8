package io.github.serow.internal.evolution;

import io.github.serow.LimitException;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;

/** The values that fields get where rows lack them. */
public final class DefaultValue {
  private DefaultValue() {}

  /**
   * The bytes of a default in a record.
   *
   * @param field the node of its field
   * @return null if it does not fit its type, as the value that a new object has may not
   */
  public static byte[] record(Node field, Object value) {
    RecordOut out = new RecordOut();
    try {
      int end = RecordWriter.interpreted(field).write(value, out, 0);
      return out.copy(out.end(0, end));
    } catch (RuntimeException e) {
      RuntimeException cause = PlacedException.cause(e);
      if (cause instanceof TypeMismatch || cause instanceof LimitException) {
        return null;
      }
      throw cause;
    }
  }
}
