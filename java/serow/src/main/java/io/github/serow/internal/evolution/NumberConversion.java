package io.github.serow.internal.evolution;

import io.github.serow.DecodeException;
import io.github.serow.Times;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.types.NumberTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigInteger;

/** A number of one type that becomes one of another. */
final class NumberConversion implements Conversion {
  private static final int BITS_OF_FLOAT = 24;
  private static final int BITS_OF_DOUBLE = 53;

  private final Node from;
  private final Node to;
  private final boolean toFloat;
  private final boolean toF32;

  NumberConversion(Type from, Type to) {
    this.from = Nodes.of(from, Times.EXACT).root();
    this.to = Nodes.of(to, Times.EXACT).root();
    toFloat = NumberTypes.isFloat(to.code());
    toF32 = to.code() == CompositeTypes.F32.code();
  }

  @Override
  public int convert(RecordIn in, RecordOut out, int at) {
    Object number = from.read(in, ValueSource.NEXT);
    out.reserve(at);
    return to.write(toFloat ? floatOf(number) : integerOf(number), out, at);
  }

  private Object floatOf(Object number) {
    if (number instanceof Double value) {
      if (toF32 && CompositeTypes.F32.refusal(value) != null) {
        throw beyond(number, ": no float of 32 bits equals it");
      }
      return value;
    }
    int bits = toF32 ? BITS_OF_FLOAT : BITS_OF_DOUBLE;
    boolean isSmall = !(number instanceof BigInteger large) || isLong(large);
    long value = ((Number) number).longValue();
    if (!isSmall || value < -(1L << bits) || value > 1L << bits) {
      throw beyond(number, ": beyond 2^" + bits + " not all integers are floats");
    }
    return (double) value;
  }

  private Object integerOf(Object number) {
    if (to.type.code() == TypeCodes.I64) {
      if (number instanceof BigInteger large && !isLong(large)) {
        throw beyond(number, "");
      }
      return ((Number) number).longValue();
    }
    if (CompositeTypes.ofCode(to.type.code()).refusal(number) != null) {
      throw beyond(number, "");
    }
    return number;
  }

  private static boolean isLong(BigInteger number) {
    return number.bitLength() < Long.SIZE;
  }

  private DecodeException beyond(Object number, String why) {
    boolean isLarge =
        number instanceof BigInteger large
            && !isLong(large)
            && (large.signum() < 0 || large.bitLength() > Long.SIZE);
    return new DecodeException(
        (isLarge ? "an integer of more than 64 bits" : number)
            + " can't be read as "
            + to.type
            + why);
  }
}
