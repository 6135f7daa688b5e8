package io.github.serow;

/**
 * A complex number, for which Java has no class of its own: what {@code complex} is in a schema,
 * and in Python.
 *
 * <pre>{@code
 * byte[] bytes = Serow.dumps(List.of(new Complex(1.0, -2.5)));
 * Complex back = (Complex) Serow.loads(bytes).get(0);
 * }</pre>
 *
 * @param real the real part
 * @param imaginary the imaginary part
 */
public record Complex(double real, double imaginary) {}
