package io.github.serow.internal.types;

import io.github.serow.internal.wire.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The fields of lists or tuples of one length. Most lists are long lists of numbers: if all fields
 * have one shape, {@code each} has it once. It is immutable.
 */
public record FieldShapes(int length, List<Shape> each) {
  /** The shapes of the fields of one list or tuple, one after another. */
  public static final class Builder {
    private final int length;
    private int added;

    /** The shape of all fields so far, or of all fields if there are too many. */
    private Shape same = Shape.NEVER;

    private List<Shape> each;

    public Builder(int length) {
      this.length = length;
    }

    public void add(Shape field) {
      if (each != null) {
        each.add(field);
      } else if (added == 0) {
        same = field;
      } else if (field != same && !field.equals(same)) {
        if (length > Limits.MAX_INFERRED_FIELDS) {
          same = same.join(field);
        } else {
          each = new ArrayList<>(Collections.nCopies(added, same));
          each.add(field);
        }
      }
      added++;
    }

    public FieldShapes build() {
      return new FieldShapes(length, each != null ? each : List.of(same));
    }
  }

  static FieldShapes of(List<Shape> fields) {
    Builder builder = new Builder(fields.size());
    fields.forEach(builder::add);
    return builder.build();
  }

  private boolean isSame() {
    return each.size() != length || length <= 1;
  }

  /** The joined shapes of all fields. */
  public Shape joined() {
    return length == 0 ? Shape.NEVER : Shape.joined(each);
  }

  /** Joins with the same number of fields. */
  FieldShapes join(FieldShapes other) {
    List<Shape> joined =
        isSame() == other.isSame() ? join(each, other.each) : join(all(), other.all());
    return joined == each ? this : new FieldShapes(length, joined);
  }

  /** The joined pairs of two lists of the same length; the first if the second adds nothing. */
  static List<Shape> join(List<Shape> fields, List<Shape> others) {
    List<Shape> joined = null;
    for (int i = 0; i < fields.size(); i++) {
      Shape field = fields.get(i);
      Shape both = field.join(others.get(i));
      if (both != field) {
        joined = joined == null ? new ArrayList<>(fields) : joined;
        joined.set(i, both);
      }
    }
    return joined == null ? fields : joined;
  }

  FieldShapes settle(boolean soon) {
    return new FieldShapes(length, settle(each, soon));
  }

  /** See {@link Shape#settle}. */
  static List<Shape> settle(List<Shape> fields, boolean soon) {
    List<Shape> settled = new ArrayList<>(fields);
    settled.replaceAll(field -> field.settle(soon));
    return settled;
  }

  /** The shape of each field. */
  private List<Shape> all() {
    return isSame() ? Collections.nCopies(length, each.get(0)) : each;
  }

  List<Type> types() {
    return isSame()
        ? Collections.nCopies(length, each.get(0).type())
        : each.stream().map(Shape::type).toList();
  }

  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FieldShapes it && length == it.length && Objects.equals(each, it.each);
  }

  @Override
  public int hashCode() {
    return Objects.hash(length, each);
  }
}
