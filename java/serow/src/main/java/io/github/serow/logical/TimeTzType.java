package io.github.serow.logical;

import io.github.serow.wire.BytesColumn;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
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
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof OffsetTime time)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = TimeParts.micros(time.toLocalTime());
    flat.slots[slot + 1] = TimeParts.rest(time.getNano());
    flat.slots[slot + 2] = TimeParts.offset(time.getOffset());
    flat.slots[slot + 3] = 0;
    return slot + 4;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    long micros = columns.part(numbers, row);
    long rest = columns.part(numbers + 1, row);
    long offset = columns.part(numbers + 2, row);
    BytesColumn zones = columns.bytes(bytes);
    int entry = zones.entry(row);
    LocalTime time = TimeParts.time(micros, rest);
    if (zones.length(entry) > 0) {
      ZoneId zone = (ZoneId) zones.share(entry, TimeParts::zone);
      throw cannotHold(time + " in " + zone, "java.time.OffsetTime has only an offset");
    }
    return TimeParts.theOnly(OffsetTime.of(time, TimeParts.offset(offset, time)), rest);
  }
}
