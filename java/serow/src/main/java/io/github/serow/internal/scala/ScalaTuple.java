package io.github.serow.internal.scala;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** Reads the elements of Scala's tuples, which are all products. */
public final class ScalaTuple {
  private final MethodHandle arity;
  private final MethodHandle element;

  /** {@code product} is {@code scala.Product}. */
  ScalaTuple(Class<?> product) {
    arity =
        ScalaClass.handle(product, "productArity")
            .asType(MethodType.methodType(int.class, Object.class));
    element =
        ScalaClass.handle(product, "productElement", int.class)
            .asType(MethodType.methodType(Object.class, Object.class, int.class));
  }

  Object[] values(Object tuple) throws Throwable {
    Object[] values = new Object[(int) arity.invokeExact(tuple)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (Object) element.invokeExact(tuple, i);
    }
    return values;
  }
}
