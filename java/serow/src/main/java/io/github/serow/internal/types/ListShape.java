package io.github.serow.internal.types;

import io.github.serow.internal.wire.Limits;
import java.util.List;
import java.util.Objects;

/**
 * The lists at one place. It is immutable.
 *
 * @param fields the fields, if all lists have the same number of them; otherwise null
 * @param elements the joined elements of lists of different lengths; otherwise null
 */
record ListShape(FieldShapes fields, Shape elements) {
  static ListShape of(FieldShapes fields) {
    return fields.length() > Limits.MAX_INFERRED_FIELDS
        ? ofElements(fields.joined())
        : new ListShape(fields, null);
  }

  static ListShape ofElements(Shape elements) {
    return new ListShape(null, elements);
  }

  ListShape join(ListShape other) {
    if (fields != null && other.fields != null && fields.length() == other.fields.length()) {
      FieldShapes joined = fields.join(other.fields);
      return joined == fields ? this : new ListShape(joined, null);
    }
    Shape joined = joined().join(other.joined());
    return joined == elements ? this : ofElements(joined);
  }

  ListShape settle(boolean soon) {
    return fields != null
        ? new ListShape(fields.settle(soon), null)
        : ofElements(elements.settle(soon));
  }

  Shape joined() {
    return fields == null ? elements : fields.joined();
  }

  /** A list whose elements join to one type is a sequence. Otherwise it has a fixed shape. */
  Type type() {
    Shape joined = joined();
    return fields != null && joined.isMixed()
        ? Type.of(TypeCodes.LIST_BEGIN, fields.types())
        : Type.of(TypeCodes.LIST, List.of(joined.type()));
  }

  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ListShape it
        && Objects.equals(fields, it.fields)
        && Objects.equals(elements, it.elements);
  }

  @Override
  public int hashCode() {
    return Objects.hash(fields, elements);
  }
}
