package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.LocalTime;

/** {@code time}: a {@link LocalTime}. */
public final class TimeType extends CompositeType {
  private final Lacking lacking;

  TimeType(String constant, Lacking lacking) {
    super(constant, 20, "time", 2, 0, false);
    this.lacking = lacking;
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof LocalTime;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof LocalTime time)) {
      throw new TypeMismatch(value);
    }
    long rest = lacking.rest(TimeParts.rest(time.getNano()));
    return out.i64(rest, out.i64(TimeParts.micros(time), at));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    if (!in.isChecked()) {
      Components.checkTime(micros, rest);
    }
    return TimeParts.theOnly(TimeParts.time(micros, lacking.rest(rest)), rest, lacking);
  }
}
