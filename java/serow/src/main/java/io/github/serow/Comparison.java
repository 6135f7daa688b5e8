package io.github.serow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;

/**
 * What a codec makes of rows of another schema, part by part; see {@link Codec#compare}. Its text
 * has a line for each change.
 *
 * @param changes what becomes of each part, in the order of the rows; a part whose type is the same
 *     for both has no changes further in
 * @param warnings what is allowed and may be a mistake, such as a new field beside a dropped one
 */
@NullMarked
public record Comparison(List<Change> changes, List<String> warnings) {
  /** What becomes of a part of a row. */
  public enum Kind {
    /** It has one type for both. */
    SAME,
    /** Its values are converted. */
    CONVERTED,
    /** The rows lack it. */
    MISSING,
    /** The codec lacks it. */
    DROPPED,
    /** It can't be read, so no row can. */
    REFUSED
  }

  /**
   * What becomes of one part.
   *
   * @param kind what becomes of it
   * @param path the part, such as {@code lines.[].price}; empty for the row itself
   * @param writer its type in the rows; empty if they lack it
   * @param reader its type for the codec; empty if that drops it
   * @param reason why it is refused, what it gets if it is missing, or which values are errors
   * @param mayFail whether it is converted, and some values of its type are a {@link
   *     DecodeException}
   */
  public record Change(
      Kind kind,
      String path,
      Optional<String> writer,
      Optional<String> reader,
      String reason,
      boolean mayFail) {
    @Override
    public String toString() {
      String types =
          writer.isPresent() && reader.isPresent()
              ? writer.get() + " -> " + reader.get()
              : writer.or(() -> reader).orElse("");
      String what =
          switch (kind) {
            case SAME -> writer.orElse("");
            case CONVERTED -> types;
            case MISSING -> "missing (" + types + ")";
            case DROPPED -> "dropped (" + types + ")";
            case REFUSED -> ("REFUSED " + types).strip();
          };
      return (path.isEmpty() ? "row" : path)
          + ": "
          + what
          + (reason.isEmpty() ? "" : "; " + reason);
    }
  }

  /** Makes the lists immutable. */
  public Comparison {
    changes = List.copyOf(changes);
    warnings = List.copyOf(warnings);
  }

  /** From the lines of {@code Native.planCompare}. */
  static Comparison of(String lines) {
    Iterator<String> each =
        lines.isEmpty()
            ? Collections.emptyIterator()
            : Arrays.asList(lines.split("\n", -1)).iterator();
    List<Change> changes = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    while (each.hasNext()) {
      String kind = each.next();
      if (kind.equals("warning")) {
        warnings.add(each.next());
        continue;
      }
      changes.add(
          new Change(
              Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
              each.next(),
              Optional.of(each.next()).filter(type -> !type.isEmpty()),
              Optional.of(each.next()).filter(type -> !type.isEmpty()),
              each.next(),
              Boolean.parseBoolean(each.next())));
    }
    return new Comparison(changes, warnings);
  }

  /**
   * Whether the codec reads the rows, as far as types say.
   *
   * @return whether nothing is refused
   */
  public boolean isReadable() {
    return changes.stream().noneMatch(change -> change.kind() == Kind.REFUSED);
  }

  @Override
  public String toString() {
    return changes.stream().map(Change::toString).collect(Collectors.joining("\n"));
  }
}
