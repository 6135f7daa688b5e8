package io.github.serow.internal.evolution;

import io.github.serow.DecodeException;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.util.List;

/**
 * The elements of a list, tuple or set, or the entries of a map. They become elements or entries
 * again, or the fields of a list or tuple.
 */
final class ElementsConversion implements Conversion {
  private final Part writer;
  private final Part reader;

  /** The fewest bytes of an element or entry. */
  private final int least;

  private final Conversion[] parts;

  /** Whether each of the conversions makes one field. Otherwise they make each element. */
  private final boolean areFields;

  /** For elements or entries. */
  ElementsConversion(Part writer, Part reader, Conversion... parts) {
    this(writer, reader, false, parts);
  }

  /** For fields. */
  ElementsConversion(Part writer, Part reader, List<Conversion> fields) {
    this(writer, reader, true, fields.toArray(Conversion[]::new));
  }

  private ElementsConversion(Part writer, Part reader, boolean areFields, Conversion... parts) {
    this.writer = writer;
    this.reader = reader;
    this.parts = parts;
    this.areFields = areFields;
    least = writer.node().parts().stream().mapToInt(Node::leastBytes).sum();
  }

  @Override
  public int convert(RecordIn in, RecordOut out, int begin) {
    int count =
        switch (writer.type().code()) {
          case TypeCodes.MAP -> in.entries(least);
          case TypeCodes.SET, TypeCodes.FROZENSET -> in.distinct(least);
          default -> in.count(least);
        };
    int at = begin;
    if (!areFields) {
      out.reserve(at);
      at = out.count(count, at);
      count = Math.multiplyExact(count, parts.length);
    } else if (count != parts.length) {
      throw otherLength(count);
    }
    int i = 0;
    try {
      for (; i < count; i++) {
        at = parts[i % parts.length].convert(in, out, at);
      }
    } catch (RuntimeException e) {
      throw PlacedException.inRead(e, reader.node(), i);
    }
    return at;
  }

  private DecodeException otherLength(int count) {
    String kind = reader.type().isTuple() ? "tuple" : "list";
    return new DecodeException(
        "the "
            + (writer.type().isTuple() ? "tuple" : "list")
            + " has "
            + count
            + (count == 1 ? " element" : " elements")
            + ", and the reader's "
            + kind
            + " has "
            + parts.length
            + "; read it as a "
            + kind
            + " of any length");
  }
}
