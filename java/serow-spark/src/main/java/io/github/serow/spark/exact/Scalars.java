package io.github.serow.spark.exact;

import io.github.serow.NdArray;
import io.github.serow.SerowException;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.scala.ScalaClass;
import io.github.serow.scala.ScalaLibrary;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Mapping.Step;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.Narrow;
import io.github.serow.wire.TypeMismatch;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;

/** Classes of single values. */
final class Scalars {
  /** The most common classes. */
  static final Class<?>[] COMMON = {
    String.class,
    Integer.class,
    Long.class,
    Double.class,
    Boolean.class,
    Float.class,
    Short.class,
    Byte.class,
    Character.class
  };

  static final Class<?>[] OTHERS = {
    BigInteger.class,
    BigDecimal.class,
    UUID.class,
    LocalDate.class,
    LocalTime.class,
    LocalDateTime.class,
    Duration.class
  };

  /** A class whose values are all of one scalar type. */
  static final class Scalar extends ExactClass {
    private final int code;
    private final Form.Steps steps;

    Scalar(Class<?> type, int code, Form.Steps steps) {
      super(type, 0, type.isArray());
      this.code = code;
      this.steps = steps;
    }

    @Override
    void visit(Object value, PartVisitor visitor) throws MisfitException {
      if (steps != Form.Steps.NONE && !type.isArray()) {
        steps.plain(value);
      }
    }

    @Override
    Mapping mapping(List<Mapping> of, boolean isTracked) {
      return Form.scalar(code, steps, isTracked);
    }
  }

  private Scalars() {}

  static ExactClass of(Class<?> type) {
    if (type == String.class) {
      return new Scalar(type, TypeCodes.STR, Form.Steps.NONE);
    }
    if (type == Boolean.class) {
      return new Scalar(type, TypeCodes.BOOL, Form.Steps.NONE);
    }
    if (type == Double.class) {
      return new Scalar(type, TypeCodes.F64, Form.Steps.NONE);
    }
    Form.Steps integer = integer(type);
    return integer != null ? new Scalar(type, TypeCodes.I64, integer) : logical(type);
  }

  /** A float is the integer of its bits, which keeps each NaN and takes fewer bytes. */
  private static Form.Steps integer(Class<?> type) {
    if (type == Integer.class) {
      return new Form.Steps(of(type, value -> value), plain -> Narrow.toInt((Long) plain));
    }
    if (type == Long.class) {
      return new Form.Steps(of(type, value -> value), null);
    }
    if (type == Short.class) {
      return new Form.Steps(of(type, value -> value), plain -> Narrow.toShort((Long) plain));
    }
    if (type == Byte.class) {
      return new Form.Steps(of(type, value -> value), plain -> Narrow.toByte((Long) plain));
    }
    if (type == Character.class) {
      return new Form.Steps(
          of(type, value -> (long) (Character) value), plain -> Narrow.toChar((Long) plain));
    }
    if (type == Float.class) {
      return new Form.Steps(
          of(type, value -> (long) Float.floatToRawIntBits((Float) value)),
          plain -> Float.intBitsToFloat(Narrow.toInt((Long) plain)));
    }
    return null;
  }

  private static ExactClass logical(Class<?> type) {
    int code =
        type == BigInteger.class
            ? CompositeTypes.INT.code()
            : type == BigDecimal.class
                ? CompositeTypes.DECIMAL.code()
                : type == UUID.class
                    ? CompositeTypes.UUID.code()
                    : type == LocalDate.class
                        ? CompositeTypes.DATE.code()
                        : type == LocalTime.class
                            ? CompositeTypes.TIME.code()
                            : type == LocalDateTime.class
                                ? CompositeTypes.TIMESTAMP.code()
                                : type == NdArray.class
                                    ? CompositeTypes.NDARRAY.code()
                                    : CompositeTypes.DURATION.code();
    return new Scalar(type, code, new Form.Steps(of(type, value -> value), null));
  }

  /** A class whose objects are kept as texts. */
  static ExactClass text(Class<?> type, RowClasses.Texts texts) {
    Step unwrapping =
        of(
            type,
            value -> {
              String text = texts.text(value);
              if (text == null) {
                throw TypeMismatch.MISMATCH;
              }
              return text;
            });
    Step wrapping =
        plain -> {
          try {
            return texts.object((String) plain);
          } catch (IllegalArgumentException e) {
            throw new ConstructionException(texts, e);
          }
        };
    return new Scalar(type, TypeCodes.STR, new Form.Steps(unwrapping, wrapping));
  }

  /** Checks the class of a value before a step. */
  static Step of(Class<?> type, Step then) {
    return value -> {
      if (value == null || value.getClass() != type) {
        throw TypeMismatch.MISMATCH;
      }
      return then.of(value);
    };
  }

  /** {@code scala.math.BigInt}. */
  static ExactClass bigInt(Class<?> type) throws ReflectiveOperationException {
    ScalaLibrary.Maker maker = new ScalaLibrary(type).bigInts();
    MethodHandle plain =
        ScalaClass.handle(type, "bigInteger")
            .asType(MethodType.methodType(Object.class, Object.class));
    ScalaClass.Reader reader = value -> (Object) plain.invokeExact(value);
    Step unwrapping = of(type, value -> read(reader, value));
    return new Scalar(type, CompositeTypes.INT.code(), new Form.Steps(unwrapping, wrapping(maker)));
  }

  /** {@code scala.math.BigDecimal} with the context that a new one has. */
  static ExactClass bigDecimal(Class<?> type) throws ReflectiveOperationException {
    ScalaLibrary.Maker maker = new ScalaLibrary(type).bigDecimals();
    MethodType getter = MethodType.methodType(Object.class, Object.class);
    MethodHandle plain = ScalaClass.handle(type, "bigDecimal").asType(getter);
    MethodHandle context = ScalaClass.handle(type, "mc").asType(getter);
    ScalaClass.Reader reader =
        value -> {
          if (!MathContext.DECIMAL128.equals((Object) context.invokeExact(value))) {
            throw TypeMismatch.MISMATCH;
          }
          return (Object) plain.invokeExact(value);
        };
    Step unwrapping = of(type, value -> read(reader, value));
    return new Scalar(
        type, CompositeTypes.DECIMAL.code(), new Form.Steps(unwrapping, wrapping(maker)));
  }

  /** Reads an object of Scala's library. */
  static Object read(ScalaClass.Reader reader, Object value) throws TypeMismatch {
    try {
      return reader.plain(value);
    } catch (RuntimeException | Error | TypeMismatch e) {
      throw e;
    } catch (Throwable e) {
      throw new SerowException("a " + value.getClass().getName() + " can't be read", e);
    }
  }

  /** The step that makes an object of Scala's library. */
  static Step wrapping(ScalaLibrary.Maker maker) {
    return plain -> {
      try {
        return maker.make(plain);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new ConstructionException(maker, e);
      }
    };
  }
}
