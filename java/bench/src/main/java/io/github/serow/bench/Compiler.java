package io.github.serow.bench;

import io.github.serow.Codec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/** Calls {@code Codec.compile()}, which only some versions of serow have. */
final class Compiler {
  private Compiler() {}

  /** Whether this version of serow can compile. */
  static boolean exists() {
    return method().isPresent();
  }

  /** Compiles a codec and waits. */
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
