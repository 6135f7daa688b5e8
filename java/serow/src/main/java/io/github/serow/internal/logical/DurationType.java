package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.Duration;

/** {@code duration}: a {@link Duration}. */
public final class DurationType extends CompositeType {
  private final Lacking lacking;

  DurationType(String constant, Lacking lacking) {
    super(constant, 24, "duration", 2, 0, false);
    this.lacking = lacking;
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof Duration;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof Duration duration)) {
      throw new TypeMismatch(value);
    }
    return out.i64(nanos(duration.getNano()), out.i64(duration.getSeconds(), at));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long seconds = in.i64(numbers, row);
    long nanos = in.i64(numbers + 1, row);
    if (!in.isChecked()) {
      Components.checkDuration(nanos);
    }
    return Duration.ofSeconds(seconds, nanos(nanos));
  }

  private long nanos(long nanos) {
    return lacking == Lacking.PORTABLE ? nanos - nanos % 1_000 : nanos;
  }
}
