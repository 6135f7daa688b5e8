package io.github.serow;

import io.github.serow.internal.schema.ValueHash;
import org.jspecify.annotations.NullMarked;

/**
 * A complex number, because Java has no class for it: {@code complex} in schemas and in Python.
 *
 * <pre>{@code
 * byte[] bytes = Serow.dumps(List.of(new Complex(1.0, -2.5)));
 * Complex back = (Complex) Serow.loads(bytes).get(0);
 * }</pre>
 *
 * @param real the real part
 * @param imaginary the imaginary part
 */
@NullMarked
public record Complex(double real, double imaginary) {
  /** A hash that is random in every process, so that nobody can choose numbers that collide. */
  @Override
  public int hashCode() {
    return (int) ValueHash.mix(ValueHash.of(real), ValueHash.of(imaginary));
  }
}
