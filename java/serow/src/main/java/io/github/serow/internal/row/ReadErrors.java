package io.github.serow.internal.row;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.DamagedRecordException;

/** Describes what failed while a row was read. */
public final class ReadErrors {
  private ReadErrors() {}

  /**
   * The exception for a failure, which may have a place in the row.
   *
   * @param name what the row is called, such as "row 7"
   * @param row the row's index
   * @param offset where its frame or record is in the message
   * @return the failure itself if it is no exception of serow's
   */
  public static RuntimeException of(
      Type root, String name, long row, long offset, RuntimeException error) {
    RuntimeException cause = PlacedException.cause(error);
    FieldPath path = PlacedException.path(error);
    if (!(cause instanceof SerowException || cause instanceof ConstructionException)) {
      return cause;
    }
    boolean isDamaged = cause instanceof DamagedRecordException;
    // The type of the whole row is no help where its bytes are damaged.
    String place = name;
    if (path.depth() > 0 || !isDamaged) {
      Type type = path.in(root);
      place += path.described(type == null && isDamaged ? PlacedException.type(error) : type);
    }
    if (cause instanceof LimitException) {
      return new LimitException(place + ": " + cause.getMessage());
    }
    return new DecodeException(
        place + ": " + message(cause), cause.getCause(), row, path.steps(), offset);
  }

  private static String message(RuntimeException error) {
    if (error instanceof SerowException) {
      return error.getMessage();
    }
    Throwable cause = error.getCause();
    return "cannot make the object: "
        + (cause instanceof SerowException ? cause.getMessage() : cause.toString());
  }
}
