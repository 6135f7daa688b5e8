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

  /** Rows of Part as this record. */
  static final RowRepresentation PARTS =
      new RowRepresentation(
          EarlierPartRecord.class,
          List.of(),
          row -> ofPart((Object[]) row),
          part -> ((EarlierPartRecord) part).toPart());

  private static EarlierPartRecord ofPart(Object[] row) {
    return new EarlierPartRecord(
        (Long) row[0],
        (String) row[1],
        (String) row[2],
        (String) row[3],
        (String) row[4],
        (Long) row[5],
        (String) row[6],
        (Double) row[7],
        (String) row[8]);
  }

  private Object[] toPart() {
    return new Object[] {partkey, name, mfgr, brand, type, size, container, retailprice, comment};
  }

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
