package io.github.serow.bench;

import java.util.List;

/**
 * An earlier version of {@link PartRecord}: Part's columns in their order. The current version
 * lacks two of them and has one more field.
 */
public record EarlierPartRecord(
    long partkey,
    String name,
    String mfgr,
    String brand,
    String type,
    long size,
    String container,
    double retailprice,
    String comment) {

  /** Rows of this version to encode, and rows of the current one that were decoded. */
  static final RowRepresentation ROWS =
      new RowRepresentation(
          EarlierPartRecord.class,
          List.of(),
          row -> of((Object[]) row),
          part ->
              part instanceof EarlierPartRecord earlier
                  ? earlier.toRow()
                  : ((PartRecord) part).toRow());

  private static EarlierPartRecord of(Object[] row) {
    return new EarlierPartRecord(
        (Long) row[2],
        (String) row[3],
        "Manufacturer#1",
        (String) row[4],
        (String) row[5],
        (Long) row[6],
        "JUMBO PKG",
        (Double) row[1],
        (String) row[0]);
  }

  private Object[] toRow() {
    return new Object[] {comment, retailprice, partkey, name, brand, type, size};
  }
}
