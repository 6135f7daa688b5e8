package io.github.serow.internal.evolution;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.util.List;

/**
 * Fields of a list, tuple, dict or record. Those that follow each other unchanged are copied at
 * once.
 */
final class FieldsConversion implements Conversion {
  /**
   * Makes one of the reader's fields, or drops one of the writer's.
   *
   * @param from the index of the writer's field; -1 if the writer lacks it
   * @param extent the bytes of a field that is copied; null for another
   * @param conversion converts another field
   * @param node the node that has the field, for errors
   * @param place the index of the field there
   */
  record Step(int from, Extent extent, Conversion conversion, Node node, int place) {}

  private final Part writer;
  private final Step[] steps;

  /** The writer's fields if they come in another order than the reader's; otherwise null. */
  private final Extent[] extents;

  /** With one step for each of the writer's fields, and some more. */
  FieldsConversion(Part writer, List<Step> steps) {
    this.writer = writer;
    this.steps = steps.toArray(Step[]::new);
    extents = isOrdered(steps) ? null : new Extent[writer.size()];
    for (int i = 0; extents != null && i < extents.length; i++) {
      extents[i] = Extent.ofPart(writer.type(), i);
    }
  }

  private static boolean isOrdered(List<Step> steps) {
    int last = -1;
    for (Step step : steps) {
      if (step.from >= 0 && step.from < last) {
        return false;
      }
      last = Math.max(last, step.from);
    }
    return true;
  }

  @Override
  public int convert(RecordIn in, RecordOut out, int begin) {
    in.enter(writer.size());
    int[] starts = extents == null ? null : starts(in);
    int at = begin;
    // From here on, the fields before the position are yet to be copied.
    int copied = in.position();
    int i = 0;
    try {
      for (; i < steps.length; i++) {
        Step step = steps[i];
        if (starts != null && step.from >= 0 && starts[step.from] != in.position()) {
          at = in.copyFrom(copied, out, at);
          copied = starts[step.from];
          in.moveTo(copied);
        }
        if (step.extent != null && starts != null) {
          in.moveTo(starts[step.from + 1]);
        } else if (step.extent != null) {
          step.extent.skip(in);
        } else {
          at = in.copyFrom(copied, out, at);
          at = step.conversion.convert(in, out, at);
          copied = in.position();
        }
      }
    } catch (RuntimeException e) {
      throw PlacedException.inRead(e, steps[i].node, steps[i].place);
    }
    at = in.copyFrom(copied, out, at);
    if (starts != null) {
      in.moveTo(starts[extents.length]);
    }
    return at;
  }

  /** The positions of the writer's fields, and the end of the last one. */
  private int[] starts(RecordIn in) {
    int begin = in.position();
    int[] starts = new int[extents.length + 1];
    int i = 0;
    try {
      for (; i < extents.length; i++) {
        starts[i] = in.position();
        extents[i].skip(in);
      }
    } catch (RuntimeException e) {
      throw PlacedException.inRead(e, writer.node(), i);
    }
    starts[i] = in.position();
    in.moveTo(begin);
    return starts;
  }
}
