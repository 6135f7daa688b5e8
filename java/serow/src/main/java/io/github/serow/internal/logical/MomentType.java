package io.github.serow.internal.logical;

import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** {@code timestamptz}, as one of the classes of Java that are a date and time with an offset. */
abstract class MomentType extends CompositeType {
  private final Lacking lacking;

  MomentType(String constant, Lacking lacking) {
    super(constant, 23, "timestamptz", 3, 0, true);
    this.lacking = lacking;
  }

  /** Writes a time at an offset. */
  final int put(LocalDateTime clock, ZoneOffset offset, ValueSink out, int at) {
    return out.noBytes(put(clock, offset, 0, out, at));
  }

  /**
   * Writes a time in the region {@code key}; {@code fold} is 1 for the second of two equal times.
   */
  final int put(
      LocalDateTime clock, ZoneOffset offset, int fold, String key, ValueSink out, int at) {
    return out.ascii(key, put(clock, offset, fold, out, at));
  }

  private int put(LocalDateTime clock, ZoneOffset offset, int fold, ValueSink out, int at) {
    long seconds = clock.toEpochSecond(ZoneOffset.UTC);
    return put(seconds, clock.getNano(), fold, TimeParts.offset(offset), out, at);
  }

  /** Writes the integers of a time at these seconds of its clock since 1970. */
  final int put(long seconds, int nanos, int fold, long offset, ValueSink out, int at) {
    int next = out.i64(TimeParts.micros(seconds, nanos), at);
    next = out.i64(lacking.rest(TimeParts.rest(seconds, nanos)) + fold, next);
    return out.i64(offset, next);
  }

  @Override
  public final Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    long offset = in.i64(numbers + 2, row);
    int entry = in.bytes(bytes, row);
    if (!in.isChecked()) {
      Components.checkTimestampTz(rest, offset, Components.bytes(in, bytes, entry));
    }
    return of(micros, lacking.rest(rest), offset, in, bytes, entry);
  }

  /** The object of checked components, whose zone is an entry of the column {@code bytes}. */
  abstract Object of(long micros, long rest, long offset, ValueSource in, int bytes, int entry);

  /** What becomes of the parts that the class lacks. */
  final Lacking lacking() {
    return lacking;
  }
}
