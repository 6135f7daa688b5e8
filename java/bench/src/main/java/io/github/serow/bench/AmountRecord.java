package io.github.serow.bench;

import java.util.List;

/** Five of lineitem's fields as a record, for serow. */
public record AmountRecord(
    long orderkey, long partkey, int linenumber, double extendedprice, boolean isReturned) {

  static final RowRepresentation ROWS =
      new RowRepresentation(
          AmountRecord.class,
          List.of(),
          row -> of((Object[]) row),
          amount -> ((AmountRecord) amount).toRow());

  private static AmountRecord of(Object[] row) {
    return new AmountRecord(
        (Long) row[0],
        (Long) row[1],
        Math.toIntExact((Long) row[2]),
        (Double) row[3],
        (Boolean) row[4]);
  }

  private Object[] toRow() {
    return new Object[] {orderkey, partkey, (long) linenumber, extendedprice, isReturned};
  }
}
