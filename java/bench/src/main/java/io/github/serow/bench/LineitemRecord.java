package io.github.serow.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/** A row of TPC-H lineitem as a record, for serow. */
public record LineitemRecord(
    long orderkey,
    long partkey,
    long suppkey,
    long linenumber,
    BigDecimal quantity,
    BigDecimal extendedprice,
    BigDecimal discount,
    BigDecimal tax,
    String returnflag,
    String linestatus,
    LocalDate shipdate,
    LocalDate commitdate,
    LocalDate receiptdate,
    String shipinstruct,
    String shipmode,
    String comment) {

  static final RowRepresentation ROWS =
      new RowRepresentation(
          LineitemRecord.class,
          List.of(),
          row -> of((Object[]) row),
          lineitem -> ((LineitemRecord) lineitem).toRow());

  private static LineitemRecord of(Object[] row) {
    return new LineitemRecord(
        (Long) row[0],
        (Long) row[1],
        (Long) row[2],
        (Long) row[3],
        (BigDecimal) row[4],
        (BigDecimal) row[5],
        (BigDecimal) row[6],
        (BigDecimal) row[7],
        (String) row[8],
        (String) row[9],
        (LocalDate) row[10],
        (LocalDate) row[11],
        (LocalDate) row[12],
        (String) row[13],
        (String) row[14],
        (String) row[15]);
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
