package io.github.serow.bench;

import java.util.List;

/** Five of lineitem's fields as a class, for entrants that serialize classes. */
public final class Amount {
  static final RowRepresentation ROWS =
      new RowRepresentation(
          Amount.class, List.of(), row -> of((Object[]) row), amount -> ((Amount) amount).toRow());

  long orderkey;
  long partkey;
  int linenumber;
  double extendedprice;
  boolean isReturned;

  /** Required by Kryo and Fory. */
  public Amount() {}

  /** Parses a line of lineitem's table. */
  static Object[] parse(String line) {
    String[] fields = line.split("\\|", -1);
    return new Object[] {
      Long.valueOf(fields[0]),
      Long.valueOf(fields[1]),
      Long.valueOf(fields[3]),
      Double.valueOf(fields[5]),
      fields[8].equals("R")
    };
  }

  private static Amount of(Object[] row) {
    Amount amount = new Amount();
    amount.orderkey = (Long) row[0];
    amount.partkey = (Long) row[1];
    amount.linenumber = Math.toIntExact((Long) row[2]);
    amount.extendedprice = (Double) row[3];
    amount.isReturned = (Boolean) row[4];
    return amount;
  }

  private Object[] toRow() {
    return new Object[] {orderkey, partkey, (long) linenumber, extendedprice, isReturned};
  }
}
