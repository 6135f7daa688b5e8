package io.github.serow.bench;

import io.github.serow.Codec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/** {@code Codec.compile()}, in versions of serow that have it. */
final class Compiler {
  private Compiler() {}

  /** Whether this version of serow makes machine code. */
  static boolean exists() {
    return method().isPresent();
  }

  /** Waits for the machine code of a codec. */
  static void compile(Codec<?> codec) {
    Method compile =
        method().orElseThrow(() -> new IllegalStateException("this serow has no compiler"));
    try {
      compile.invoke(codec);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("compiling failed", e);
    }
  }

  private static Optional<Method> method() {
    try {
      return Optional.of(Codec.class.getMethod("compile"));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }
}
