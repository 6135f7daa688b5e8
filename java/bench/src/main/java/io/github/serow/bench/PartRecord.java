package io.github.serow.bench;

import java.util.List;

/** Some of Part's fields as a record: the current version of {@link EarlierPartRecord}. */
public record PartRecord(
    String comment,
    double retailprice,
    long partkey,
    String name,
    String brand,
    String type,
    long size,
    String note) {

  static final RowRepresentation ROWS =
      new RowRepresentation(
          PartRecord.class,
          List.of(),
          row -> of((Object[]) row),
          part -> ((PartRecord) part).toRow());

  /** Parses a line of Part's table to the fields that both versions have. */
  static Object[] parse(String line) {
    Object[] part = Part.parse(line);
    return new Object[] {part[8], part[7], part[0], part[1], part[3], part[4], part[5]};
  }

  private static PartRecord of(Object[] row) {
    return new PartRecord(
        (String) row[0],
        (Double) row[1],
        (Long) row[2],
        (String) row[3],
        (String) row[4],
        (String) row[5],
        (Long) row[6],
        null);
  }

  /** The fields that both versions have. */
  Object[] toRow() {
    return new Object[] {comment, retailprice, partkey, name, brand, type, size};
  }
}
