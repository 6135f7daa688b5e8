package io.github.serow.spark.exact;

import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.WrappedNode.Step;
import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.scala.ScalaLibrary;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.StepMapping.Steps;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.math.MathContext;

/** Steps that read and make objects of Scala's library, and the classes of its large numbers. */
final class ScalaSteps {
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

  private ScalaSteps() {}

  /** A method without parameters that returns an object. */
  static MethodHandle getter(Class<?> type, String name) {
    return ScalaClass.handle(type, name).asType(GETTER);
  }

  /** {@code scala.math.BigInt}. */
  static ExactClass bigInt(Class<?> type) throws ReflectiveOperationException {
    MethodHandle plain = getter(type, "bigInteger");
    Steps steps =
        new Steps(
            reading(value -> (Object) plain.invokeExact(value)),
            making(new ScalaLibrary(type).bigInts()));
    return new ScalarClass(type, false, steps, CompositeTypes.INT.code());
  }

  /** {@code scala.math.BigDecimal} with the context that a new one has. */
  static ExactClass bigDecimal(Class<?> type) throws ReflectiveOperationException {
    MethodHandle plain = getter(type, "bigDecimal");
    MethodHandle context = getter(type, "mc");
    ScalaClass.Reader reader =
        value -> {
          if (!MathContext.DECIMAL128.equals((Object) context.invokeExact(value))) {
            throw new TypeMismatch(value);
          }
          return (Object) plain.invokeExact(value);
        };
    Steps steps = new Steps(reading(reader), making(new ScalaLibrary(type).bigDecimals()));
    return new ScalarClass(type, false, steps, CompositeTypes.DECIMAL.code());
  }

  /** Reads an object of Scala's library. */
  static Step reading(ScalaClass.Reader reader) {
    return value -> ScalaClass.read(reader, value);
  }

  /** Makes an object of Scala's library. */
  static Step making(ScalaLibrary.Maker maker) {
    return plain -> {
      try {
        return maker.make(plain);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new ConstructionException(e);
      }
    };
  }
}
