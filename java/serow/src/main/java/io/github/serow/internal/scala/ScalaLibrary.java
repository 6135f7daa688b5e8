package io.github.serow.internal.scala;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/** Creates instances of the Scala library's classes in a class loader. */
public final class ScalaLibrary {
  /** Creates a Scala value. */
  public interface Maker {
    /** Converts a plain value. Values inside it already have their types. */
    Object make(Object plain) throws Throwable;
  }

  private static final MethodType FROM_ONE = MethodType.methodType(Object.class, Object.class);

  private final ClassLoader loader;

  /** The library that {@code type} belongs to. */
  public ScalaLibrary(Class<?> type) {
    loader = type.getClassLoader();
  }

  /** Creates options; null becomes the singleton {@code None}. */
  public Maker options() throws ReflectiveOperationException {
    Object none = module("scala.None$");
    MethodHandle some = constructor("scala.Some", Object.class).asType(FROM_ONE);
    return value -> value == null ? none : (Object) some.invokeExact(value);
  }

  /** Creates tuples from arrays. */
  public Maker tuples(Class<?> tuple, int size) throws ReflectiveOperationException {
    Class<?>[] parameters = new Class<?>[size];
    Arrays.fill(parameters, Object.class);
    MethodHandle make =
        constructor(tuple.getName(), parameters)
            .asSpreader(Object[].class, size)
            .asType(MethodType.methodType(Object.class, Object[].class));
    return fields -> (Object) make.invokeExact((Object[]) fields);
  }

  /**
   * Creates collections by a companion object, for example {@code
   * scala.collection.immutable.List$}.
   */
  public Maker collections(String companion) throws ReflectiveOperationException {
    Class<?> builder = find("scala.collection.mutable.Builder");
    MethodHandle begin =
        ScalaClass.handle(find(companion), "newBuilder")
            .bindTo(module(companion))
            .asType(MethodType.methodType(Object.class));
    MethodHandle add =
        ScalaClass.handle(builder, "$plus$eq", Object.class)
            .asType(MethodType.methodType(void.class, Object.class, Object.class));
    MethodHandle end = ScalaClass.handle(builder, "result").asType(FROM_ONE);
    return elements -> {
      Object made = (Object) begin.invokeExact();
      for (Object element : (Collection<?>) elements) {
        add.invokeExact(made, element);
      }
      return (Object) end.invokeExact(made);
    };
  }

  /**
   * Creates maps by a companion object from an array of two arrays of the same length: the keys and
   * the values.
   */
  public Maker maps(String companion) throws ReflectiveOperationException {
    Maker ofPairs = collections(companion);
    MethodHandle pair =
        constructor("scala.Tuple2", Object.class, Object.class)
            .asType(MethodType.methodType(Object.class, Object.class, Object.class));
    return entries -> {
      Object[] keys = (Object[]) ((Object[]) entries)[0];
      Object[] values = (Object[]) ((Object[]) entries)[1];
      Object[] pairs = new Object[keys.length];
      for (int i = 0; i < keys.length; i++) {
        pairs[i] = (Object) pair.invokeExact(keys[i], values[i]);
      }
      return ofPairs.make(Arrays.asList(pairs));
    };
  }

  /** Creates immutable maps. */
  public Maker maps() throws ReflectiveOperationException {
    Maker maps = maps("scala.collection.immutable.Map$");
    return plain -> {
      Map<?, ?> map = (Map<?, ?>) plain;
      return maps.make(new Object[] {map.keySet().toArray(), map.values().toArray()});
    };
  }

  public Maker bigInts() throws ReflectiveOperationException {
    MethodHandle make = constructor("scala.math.BigInt", BigInteger.class).asType(FROM_ONE);
    return number -> (Object) make.invokeExact(number);
  }

  public Maker bigDecimals() throws ReflectiveOperationException {
    MethodHandle make = constructor("scala.math.BigDecimal", BigDecimal.class).asType(FROM_ONE);
    return number -> (Object) make.invokeExact(number);
  }

  private Class<?> find(String name) throws ReflectiveOperationException {
    return Class.forName(name, true, loader);
  }

  /** The instance of a singleton object. */
  private Object module(String name) throws ReflectiveOperationException {
    return find(name).getField("MODULE$").get(null);
  }

  private MethodHandle constructor(String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    return MethodHandles.publicLookup().unreflectConstructor(find(name).getConstructor(parameters));
  }
}
