package io.github.serow.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/** A row of TPC-H lineitem as a class, for entrants that serialize classes. */
public final class Lineitem {
  static final RowRepresentation ROWS =
      new RowRepresentation(
          Lineitem.class,
          List.of(BigDecimal.class, LocalDate.class),
          row -> of((Object[]) row),
          lineitem -> ((Lineitem) lineitem).toRow());

  long orderkey;
  long partkey;
  long suppkey;
  long linenumber;
  BigDecimal quantity;
  BigDecimal extendedprice;
  BigDecimal discount;
  BigDecimal tax;
  String returnflag;
  String linestatus;
  LocalDate shipdate;
  LocalDate commitdate;
  LocalDate receiptdate;
  String shipinstruct;
  String shipmode;
  String comment;

  /** Required by Kryo and Fory. */
  public Lineitem() {}

  /** Parses a line of the table. */
  static Object[] parse(String line) {
    String[] fields = line.split("\\|", -1);
    return new Object[] {
      Long.valueOf(fields[0]),
      Long.valueOf(fields[1]),
      Long.valueOf(fields[2]),
      Long.valueOf(fields[3]),
      // A decimal(15, 2), as all money is; the text omits the zeros.
      new BigDecimal(fields[4] + ".00"),
      new BigDecimal(fields[5]),
      new BigDecimal(fields[6]),
      new BigDecimal(fields[7]),
      fields[8],
      fields[9],
      LocalDate.parse(fields[10]),
      LocalDate.parse(fields[11]),
      LocalDate.parse(fields[12]),
      fields[13],
      fields[14],
      fields[15]
    };
  }

  private static Lineitem of(Object[] row) {
    Lineitem lineitem = new Lineitem();
    lineitem.orderkey = (Long) row[0];
    lineitem.partkey = (Long) row[1];
    lineitem.suppkey = (Long) row[2];
    lineitem.linenumber = (Long) row[3];
    lineitem.quantity = (BigDecimal) row[4];
    lineitem.extendedprice = (BigDecimal) row[5];
    lineitem.discount = (BigDecimal) row[6];
    lineitem.tax = (BigDecimal) row[7];
    lineitem.returnflag = (String) row[8];
    lineitem.linestatus = (String) row[9];
    lineitem.shipdate = (LocalDate) row[10];
    lineitem.commitdate = (LocalDate) row[11];
    lineitem.receiptdate = (LocalDate) row[12];
    lineitem.shipinstruct = (String) row[13];
    lineitem.shipmode = (String) row[14];
    lineitem.comment = (String) row[15];
    return lineitem;
  }

  private Object[] toRow() {
    return new Object[] {
      orderkey,
      partkey,
      suppkey,
      linenumber,
      quantity,
      extendedprice,
      discount,
      tax,
      returnflag,
      linestatus,
      shipdate,
      commitdate,
      receiptdate,
      shipinstruct,
      shipmode,
      comment
    };
  }
}
