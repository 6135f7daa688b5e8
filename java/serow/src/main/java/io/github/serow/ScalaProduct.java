package io.github.serow;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** How the elements of a product are read: a tuple's, or the fields of a case class. */
final class ScalaProduct {
  private final Class<?> type;
  private final MethodHandle arity;
  private final MethodHandle element;

  /** What the elements are called, once an object was asked; they are the same for all. */
  private volatile Names names;

  /**
   * Those of a class.
   *
   * @param type the class
   * @param product {@code scala.Product}, which it implements
   */
  ScalaProduct(Class<?> type, Class<?> product) {
    this.type = type;
    arity =
        ScalaClass.handle(product, "productArity")
            .asType(MethodType.methodType(int.class, Object.class));
    element =
        ScalaClass.handle(product, "productElement", int.class)
            .asType(MethodType.methodType(Object.class, Object.class, int.class));
  }

  Object[] values(Object product) throws Throwable {
    Object[] values = new Object[(int) arity.invokeExact(product)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (Object) element.invokeExact(product, i);
    }
    return values;
  }

  /** What the fields of a case class are called, or null if it does not say so. */
  Names names(Object product) throws Throwable {
    Names known = names;
    if (known != null) {
      return known;
    }
    int count = (int) arity.invokeExact(product);
    CaseClass of = CaseClass.of(type);
    if (of != null && of.names().size() == count) {
      names = new Names(ScalaNames.of(type), of.names());
    }
    return names;
  }

  /** The class among {@code type} and those above it that says what its elements are; or null. */
  static Class<?> caseClassOf(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        at.getDeclaredMethod("productArity");
        return at;
      } catch (NoSuchMethodException e) {
        // Then one above it does.
      }
    }
    return null;
  }
}
