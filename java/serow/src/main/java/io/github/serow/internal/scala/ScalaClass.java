package io.github.serow.internal.scala;

import io.github.serow.EncodeException;
import io.github.serow.SerowException;
import io.github.serow.internal.schema.ArrayMap;
import io.github.serow.internal.schema.ArraySet;
import io.github.serow.internal.schema.ClassCache;
import io.github.serow.internal.schema.RecordClass;
import io.github.serow.internal.schema.SharedSecrets;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/**
 * How to encode objects of a Scala class: options, tuples, collections, case classes and large
 * numbers. serow does not depend on Scala's library. It recognizes a class by the names of its
 * superclasses and calls their methods, so it works with any version of the library, and with
 * several in one JVM.
 */
public final class ScalaClass {
  private static final ClassCache<ScalaClass> CLASSES =
      new ClassCache<>(type -> of(type, ScalaSupertypes.of(type)));

  /** Advice for objects without a type, by the name of a superclass. */
  private static final Map<String, String> ADVICE =
      Map.ofEntries(
          Map.entry("scala.collection.immutable.LazyList", "which may never end; use toList"),
          Map.entry("scala.collection.immutable.Stream", "which may never end; use toList"),
          Map.entry("scala.collection.View", "which is lazy; use toList"),
          Map.entry("scala.collection.TraversableViewLike", "which is lazy; use force"),
          Map.entry("scala.collection.Iterator", "which can be read only once; use toList"),
          Map.entry("scala.collection.mutable.StringBuilder", "which is not text; use toString"),
          Map.entry("scala.collection.immutable.WrappedString", "which is not text; use toString"),
          Map.entry("scala.Symbol", "which is not text; use name"),
          Map.entry("scala.Enumeration$Value", "which does not know its enum; use toString"),
          Map.entry("scala.runtime.EnumValue", "which does not know its enum; use a Java enum"),
          Map.entry("scala.runtime.BoxedUnit", "which is not a value; use Option"));

  private static final MethodType READER = MethodType.methodType(Object.class, Object.class);

  /** Converts an object to its plain value. */
  public interface Reader {
    /** The plain value, or the object itself if it has none. Values inside it are not converted. */
    Object plain(Object value) throws Throwable;
  }

  private static final Reader NONE = value -> value;

  private final Reader reader;

  /** Advice for objects without a type; may be null. */
  private final String advice;

  private ScalaClass(Reader reader, String advice) {
    this.reader = reader;
    this.advice = advice;
  }

  /**
   * The plain value of {@code value}, or {@code value} itself if it is not a Scala object or has no
   * plain value. Values inside it are not converted.
   */
  public static Object plain(Object value) {
    if (value == null) {
      return null;
    }
    return read(CLASSES.get(value.getClass()).reader, value);
  }

  public static Object read(Reader reader, Object value) {
    try {
      return reader.plain(value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new SerowException("a " + value.getClass().getName() + " can't be read", e);
    }
  }

  /** The reader for objects of {@code type} and of its subclasses without own fields. */
  public static Reader reader(Class<?> type) {
    return CLASSES.get(type).reader;
  }

  /** Why {@code value} has no type and what to do, or null. */
  public static String advice(Object value) {
    return CLASSES.get(value.getClass()).advice;
  }

  private static ScalaClass of(Class<?> type, ScalaSupertypes above) {
    for (Map.Entry<String, String> advice : ADVICE.entrySet()) {
      if (above.has(advice.getKey())) {
        return new ScalaClass(NONE, advice.getValue());
      }
    }
    if (above.has("scala.Option")) {
      return new ScalaClass(option(above.get("scala.Option")), null);
    }
    if (above.has("scala.math.BigInt")) {
      return converted(above.get("scala.math.BigInt"), "bigInteger");
    }
    if (above.has("scala.math.BigDecimal")) {
      return converted(above.get("scala.math.BigDecimal"), "bigDecimal");
    }
    if (above.isCollection()) {
      return collection(above);
    }
    return above.has("scala.Product") ? product(type, above) : new ScalaClass(NONE, null);
  }

  private static Reader option(Class<?> option) {
    MethodHandle isEmpty =
        handle(option, "isEmpty").asType(MethodType.methodType(boolean.class, Object.class));
    MethodHandle get = handle(option, "get").asType(READER);
    return value -> (boolean) isEmpty.invokeExact(value) ? null : (Object) get.invokeExact(value);
  }

  /** Reads the elements of tuples, which are all products. */
  private static Reader tuple(Class<?> product) {
    MethodHandle arity =
        handle(product, "productArity").asType(MethodType.methodType(int.class, Object.class));
    MethodHandle element =
        handle(product, "productElement", int.class)
            .asType(MethodType.methodType(Object.class, Object.class, int.class));
    return tuple -> {
      Object[] values = new Object[(int) arity.invokeExact(tuple)];
      for (int i = 0; i < values.length; i++) {
        values[i] = (Object) element.invokeExact(tuple, i);
      }
      return values;
    };
  }

  private static ScalaClass converted(Class<?> type, String method) {
    MethodHandle handle = handle(type, method).asType(READER);
    return new ScalaClass(value -> (Object) handle.invokeExact(value), null);
  }

  private static ScalaClass collection(ScalaSupertypes above) {
    ScalaElements elements = ScalaElements.of(above);
    Reader reader;
    if (above.has("scala.collection.Map")) {
      reader = value -> orItself(value, elements.entries(value), ArrayMap::new);
    } else if (above.has("scala.collection.Set")) {
      reader = value -> orItself(value, elements.all(value), ArraySet::new);
    } else if (above.has("scala.collection.Seq")) {
      reader = value -> orItself(value, elements.all(value), Arrays::asList);
    } else {
      return new ScalaClass(NONE, "which is not a Seq, Set or Map; use toSeq");
    }
    return new ScalaClass(reader, "which has more elements than a row can have");
  }

  private static Object orItself(Object value, Object[] all, Function<Object[], Object> made) {
    return all == null ? value : made.apply(all);
  }

  private static ScalaClass product(Class<?> type, ScalaSupertypes above) {
    if (above.isTuple()) {
      return new ScalaClass(tuple(above.get("scala.Product")), null);
    }
    Class<?> caseClass = CaseClass.above(type);
    if (caseClass != type) {
      String name = caseClass == null ? "a Product" : caseClass.getName();
      return new ScalaClass(
          NONE, "which extends " + name + ", so what it adds would be lost; use a case class");
    }
    CaseClass of = CaseClass.of(type);
    if (of == null) {
      return new ScalaClass(NONE, "whose fields are unknown; use a case class");
    }
    RecordClass fields = RecordClass.of(ScalaNames.of(type), of.names(), of.fields());
    return new ScalaClass(value -> SharedSecrets.row(fields.names(), fields.fields(value)), null);
  }

  /** A public method of a public class. */
  public static MethodHandle handle(Class<?> type, String name, Class<?>... arguments) {
    try {
      return MethodHandles.publicLookup().unreflect(type.getMethod(name, arguments));
    } catch (ReflectiveOperationException e) {
      throw new EncodeException(
          type.getName() + " has no method " + name + "; is its version of Scala 2.12 or later?");
    }
  }
}
