package io.github.serow.logical;

import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import java.time.DateTimeException;
import java.time.LocalDate;

/** {@code date}: a {@link LocalDate}. */
public final class DateType extends CompositeType {
  DateType() {
    super(19, "date", 1, 0, false);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof LocalDate;
  }

  @Override
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof LocalDate date)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = date.toEpochDay();
    return slot + 1;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
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
