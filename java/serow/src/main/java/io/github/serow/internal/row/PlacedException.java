package io.github.serow.internal.row;

import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.types.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * A failure inside a row, with the way to it, which nodes add from the inside out. The errors of a
 * row are made of it: {@link ReadErrors}, and {@code WriteErrors} for rows that are written.
 */
public final class PlacedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private record Step(Node node, int place) {}

  private final transient List<Step> steps = new ArrayList<>();

  private PlacedException(RuntimeException cause) {
    super(null, cause, false, false);
  }

  /** The failure itself. */
  public static RuntimeException cause(RuntimeException error) {
    return error instanceof PlacedException placed ? (RuntimeException) placed.getCause() : error;
  }

  /** The way to the failure. */
  public static FieldPath path(RuntimeException error) {
    FieldPath path = new FieldPath();
    if (error instanceof PlacedException placed) {
      for (int i = placed.steps.size() - 1; i >= 0; i--) {
        Step step = placed.steps.get(i);
        path.enter();
        step.node.step(path, step.place);
      }
    }
    return path;
  }

  /** The type of the innermost part on the way to the failure; null if there is no way. */
  static Type type(RuntimeException error) {
    if (!(error instanceof PlacedException placed)) {
      return null;
    }
    Step step = placed.steps.get(0);
    List<Node> parts = step.node.parts();
    return parts.isEmpty() ? null : parts.get(step.place % parts.size()).type;
  }

  /**
   * What to throw for an error while a value of {@code node} is written.
   *
   * @param place the part in which it occurred, or {@link #ofCaller}(part) if its getter threw it
   */
  public static RuntimeException inWrite(Throwable error, Node node, int place) {
    if (place >= 0) {
      return at(error, node, place);
    }
    RuntimeException failed =
        error instanceof FieldReadException
            ? unchecked(error)
            : FieldReadException.ofGetter(caught(error));
    return at(failed, node, ofCaller(place));
  }

  /**
   * What to throw for an error while a value of {@code node} is read.
   *
   * @param place the part in which it occurred; {@link #ofCaller}(part) if its setter threw it, or
   *     {@link #WHOLE} if the object's constructor did
   */
  public static RuntimeException inRead(Throwable error, Node node, int place) {
    if (place >= 0) {
      return at(error, node, place);
    }
    RuntimeException failed =
        error instanceof ConstructionException it
            ? it
            : new ConstructionException(
                // A getter failed to which the object was compared.
                error instanceof FieldReadException ? error.getCause() : caught(error));
    return place == WHOLE ? failed : at(failed, node, ofCaller(place));
  }

  /** Stands for a value as a whole. */
  public static final int WHOLE = -1;

  /** Stands for a caller's code that part {@code place} needs. The reverse of itself. */
  public static int ofCaller(int place) {
    return WHOLE - 1 - place;
  }

  private static RuntimeException at(Throwable error, Node node, int place) {
    PlacedException placed =
        error instanceof PlacedException it ? it : new PlacedException(unchecked(error));
    placed.steps.add(new Step(node, place));
    return placed;
  }

  private static Exception caught(Throwable error) {
    if (error instanceof Error it) {
      throw it;
    }
    return (Exception) error;
  }

  private static RuntimeException unchecked(Throwable error) {
    return (RuntimeException) caught(error);
  }
}
