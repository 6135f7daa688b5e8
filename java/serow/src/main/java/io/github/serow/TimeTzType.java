package io.github.serow;

import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneId;

/** {@code timetz}: an {@link OffsetTime}. Java has no times of day in a region. */
final class TimeTzType extends Logical {
  TimeTzType() {
    super(21, "timetz", 3, 0, true);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof OffsetTime;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof OffsetTime time)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = Clock.micros(time.toLocalTime());
    flat.slots[slot + 1] = Clock.rest(time.getNano());
    flat.slots[slot + 2] = Clock.offset(time.getOffset());
    flat.slots[slot + 3] = 0;
    return slot + 4;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    long micros = columns.part(numbers, row);
    long rest = columns.part(numbers + 1, row);
    long offset = columns.part(numbers + 2, row);
    BytesColumn zones = columns.bytes(bytes);
    int entry = zones.entry(row);
    LocalTime time = Clock.time(micros, rest);
    if (zones.length(entry) > 0) {
      ZoneId zone = (ZoneId) zones.share(entry, Clock::zone);
      throw cannotHold(time + " in " + zone, "java.time.OffsetTime has an offset and no region");
    }
    return Clock.theOnly(OffsetTime.of(time, Clock.offset(offset, time)), rest);
  }
}
