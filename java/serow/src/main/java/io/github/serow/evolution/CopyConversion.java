package io.github.serow.evolution;

import io.github.serow.types.Type;
import io.github.serow.wire.RecordIn;
import io.github.serow.wire.RecordOut;

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
