package io.github.serow.demo;

import java.util.ArrayList;
import java.util.List;

/** Rows like Part's, with unusual values. */
final class PartRows {
  private PartRows() {}

  static List<Object> some(int count) {
    List<Object> rows = new ArrayList<>();
    rows.add(new Object[] {0L, "", "\u00e9", "\u7f9a", "\ud83d\ude00", -1L, "\0", -0.0, "x"});
    rows.add(
        new Object[] {
          (long) Integer.MAX_VALUE,
          "y".repeat(70_000),
          "",
          "",
          "",
          (long) Integer.MIN_VALUE,
          "",
          Double.POSITIVE_INFINITY,
          ""
        });
    for (long i = 0; rows.size() < count; i++) {
      rows.add(
          new Object[] {
            i,
            "name " + i,
            "Manufacturer#1",
            "Brand#" + i % 5,
            "PROMO",
            i % 50,
            "JUMBO",
            i / 7.0,
            ""
          });
    }
    return rows;
  }
}
