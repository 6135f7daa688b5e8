package io.github.serow;

import java.time.DateTimeException;
import java.time.LocalDate;

/** {@code date}: a {@link LocalDate}. */
final class DateType extends Logical {
  DateType() {
    super(19, "date", 1, 0, false);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof LocalDate;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof LocalDate date)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = date.toEpochDay();
    return slot + 1;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    long days = columns.part(numbers, row);
    try {
      return LocalDate.ofEpochDay(days);
    } catch (DateTimeException e) {
      throw cannotHold(
          "the date " + days + " days after 1970-01-01",
          "java.time.LocalDate has years up to 999,999,999");
    }
  }
}
