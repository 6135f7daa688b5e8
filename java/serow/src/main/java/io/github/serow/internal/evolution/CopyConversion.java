package io.github.serow.internal.evolution;

import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;

/** A value whose bytes are the same for both. */
final class CopyConversion implements Conversion {
  final Extent extent;

  CopyConversion(Type type) {
    extent = Extent.of(type);
  }

  @Override
  public int convert(RecordIn in, RecordOut out, int at) {
    int begin = in.position();
    extent.skip(in);
    return in.copyFrom(begin, out, at);
  }
}
