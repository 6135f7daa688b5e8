package io.github.serow.logical;

import io.github.serow.wire.TypeMismatch;
import io.github.serow.wire.ValueSink;
import io.github.serow.wire.ValueSource;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneId;

/** {@code timetz}: an {@link OffsetTime}. Java has no class for times of day in a region. */
public final class TimeTzType extends CompositeType {
  TimeTzType() {
    super(21, "timetz", 3, 0, true);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof OffsetTime;
  }

  @Override
  public int write(Object value, ValueSink out, int at) throws TypeMismatch {
    if (!(value instanceof OffsetTime time)) {
      throw TypeMismatch.MISMATCH;
    }
    int next = out.i64(TimeParts.micros(time.toLocalTime()), at);
    next = out.i64(TimeParts.rest(time.getNano()), next);
    return out.noBytes(out.i64(TimeParts.offset(time.getOffset()), next));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    long offset = in.i64(numbers + 2, row);
    int entry = in.bytes(bytes, row);
    if (!in.isChecked()) {
      Components.checkTimeTz(micros, rest, offset, Components.bytes(in, bytes, entry));
    }
    LocalTime time = TimeParts.time(micros, rest);
    if (in.length(bytes, entry) > 0) {
      ZoneId zone = (ZoneId) in.share(bytes, entry, TimeParts::zone);
      throw cannotHold(time + " in " + zone, "java.time.OffsetTime has only an offset");
    }
    return TimeParts.theOnly(OffsetTime.of(time, TimeParts.offset(offset, time)), rest);
  }
}
