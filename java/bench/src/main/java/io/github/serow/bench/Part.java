package io.github.serow.bench;

/** A row of TPC-H Part as a class, for those who serialize classes. */
public final class Part {
  long partkey;
  String name;
  String mfgr;
  String brand;
  String type;
  long size;
  String container;
  double retailprice;
  String comment;

  /** Kryo and Fory need it. */
  public Part() {}

  /** The part of a row. */
  static Part of(Object[] row) {
    Part part = new Part();
    part.partkey = (Long) row[0];
    part.name = (String) row[1];
    part.mfgr = (String) row[2];
    part.brand = (String) row[3];
    part.type = (String) row[4];
    part.size = (Long) row[5];
    part.container = (String) row[6];
    part.retailprice = (Double) row[7];
    part.comment = (String) row[8];
    return part;
  }

  /** The row of this part. */
  Object[] toRow() {
    return new Object[] {partkey, name, mfgr, brand, type, size, container, retailprice, comment};
  }
}
