package io.github.serow.internal.codec;

import io.github.serow.Codec;
import io.github.serow.internal.wire.Format;

/**
 * Access to internals of {@link Codec} for the other packages of this module. It has no public
 * methods for this, because users don't need the classes involved.
 */
public final class CodecParts {
  /** The operations that {@link Codec} registers with {@link #give}. */
  public interface Access {
    ReadOptions options(Codec<?> codec);

    Format format(Codec<?> codec);
  }

  /** There is no codec before this is set. */
  private static volatile Access given;

  private CodecParts() {}

  /** Called once, when {@link Codec} is initialized. */
  public static void give(Access access) {
    given = access;
  }

  /** How a codec reads rows, with the binding of its schema. */
  public static ReadOptions options(Codec<?> codec) {
    return given.options(codec);
  }

  /** How a codec writes messages. */
  public static Format format(Codec<?> codec) {
    return given.format(codec);
  }
}
