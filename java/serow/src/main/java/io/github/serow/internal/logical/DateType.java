package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
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
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof LocalDate date)) {
      throw new TypeMismatch(value);
    }
    return out.i64(date.toEpochDay(), at);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long days = in.i64(numbers, row);
    try {
      return in.date(days);
    } catch (DateTimeException e) {
      throw cannotHold(
          "the date " + days + " days after 1970-01-01",
          "java.time.LocalDate has years up to 999,999,999");
    }
  }
}
