package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;

/** {@code timetz}: an {@link OffsetTime}. Java has no class for times of day in a region. */
public final class TimeTzType extends CompositeType {
  private final Lacking lacking;

  TimeTzType(String constant, Lacking lacking) {
    super(constant, 21, "timetz", 3, 0, true);
    this.lacking = lacking;
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof OffsetTime;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof OffsetTime time)) {
      throw new TypeMismatch(value);
    }
    int next = out.i64(TimeParts.micros(time.toLocalTime()), at);
    next = out.i64(lacking.rest(TimeParts.rest(time.getNano())), next);
    return out.noBytes(out.i64(TimeParts.offset(time.getOffset()), next));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    long offset = in.i64(numbers + 2, row);
    int entry = in.bytes(bytes, row);
    byte[] zone = Components.bytes(in, bytes, entry);
    if (!in.isChecked()) {
      Components.checkTimeTz(micros, rest, offset, zone);
    }
    LocalTime time = TimeParts.time(micros, lacking.rest(rest));
    boolean isNamed = zone.length > 0 && TimeParts.isName(zone);
    if (zone.length > 0 && !isNamed && lacking != Lacking.DROPPED) {
      String key = new String(zone, StandardCharsets.UTF_8);
      throw cannotHold(time + " in " + key, "java.time.OffsetTime has only an offset");
    }
    ZoneOffset ahead = TimeParts.offset(offset, time);
    if (isNamed) {
      TimeParts.checkName(zone, ahead, lacking);
    }
    return TimeParts.theOnly(OffsetTime.of(time, ahead), rest, lacking);
  }
}
