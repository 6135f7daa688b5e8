package io.github.serow.scala;

import io.github.serow.EncodeException;
import io.github.serow.SerowException;
import io.github.serow.schema.ArrayMap;
import io.github.serow.schema.ArraySet;
import io.github.serow.schema.ClassCache;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.RecordClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/**
 * What objects of a class are, if the class is one of Scala's: an option, a tuple, a collection, a
 * case class, a large number. Scala's library is no dependency. A class is known by the names of
 * those above it, whose own methods are called, so that any version of the library will do, and
 * several in one JVM.
 */
public final class ScalaClass {
  private static final ClassCache<ScalaClass> CLASSES =
      new ClassCache<>(type -> of(type, ScalaSupertypes.of(type)));

  /** What to do with objects that are no values, by the name of a class above theirs. */
  private static final Map<String, String> ADVICE =
      Map.ofEntries(
          Map.entry("scala.collection.immutable.LazyList", "which may never end; use toList"),
          Map.entry("scala.collection.immutable.Stream", "which may never end; use toList"),
          Map.entry("scala.collection.View", "which is computed late; use toList"),
          Map.entry("scala.collection.TraversableViewLike", "which is computed late; use force"),
          Map.entry("scala.collection.Iterator", "which can be read only once; use toList"),
          Map.entry("scala.collection.mutable.StringBuilder", "which is no text; use toString"),
          Map.entry("scala.collection.immutable.WrappedString", "which is no text; use toString"),
          Map.entry("scala.Symbol", "which is no text; use name"),
          Map.entry("scala.Enumeration$Value", "which does not tell its enum; use toString"),
          Map.entry(
              "scala.runtime.EnumValue", "which does not tell its enum; use an enum of Java's"),
          Map.entry("scala.runtime.BoxedUnit", "which is no value; use Option"));

  private static final MethodType READER = MethodType.methodType(Object.class, Object.class);

  /** Takes an object apart. */
  public interface Reader {
    /** Its plain value, or itself if it has none. The values in it are left as they are. */
    Object plain(Object value) throws Throwable;
  }

  private static final Reader NONE = value -> value;

  private final Reader reader;

  /** What to do with an object that is none of these; may be null. */
  private final String advice;

  private ScalaClass(Reader reader, String advice) {
    this.reader = reader;
    this.advice = advice;
  }

  /**
   * The plain value of {@code value}. The values in it are left as they are. The result is {@code
   * value} itself if it is none of Scala's, or one that has no plain value.
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

  /** Takes apart objects of {@code type} and of classes below it that add nothing. */
  public static Reader reader(Class<?> type) {
    return CLASSES.get(type).reader;
  }

  /** Why {@code value} is no value, and what to do; or null. */
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
      return new ScalaClass(NONE, "which is no Seq, Set or Map; use toSeq");
    }
    return new ScalaClass(reader, "which has more elements than a row can have");
  }

  private static Object orItself(Object value, Object[] all, Function<Object[], Object> made) {
    return all == null ? value : made.apply(all);
  }

  private static ScalaClass product(Class<?> type, ScalaSupertypes above) {
    if (above.isTuple()) {
      return new ScalaClass(new ScalaTuple(above.get("scala.Product"))::values, null);
    }
    Class<?> caseClass = CaseClass.above(type);
    if (caseClass != type) {
      String name = caseClass == null ? "a Product" : caseClass.getName();
      return new ScalaClass(
          NONE, "which extends " + name + ", and what it adds would be lost; use a case class");
    }
    CaseClass of = CaseClass.of(type);
    if (of == null) {
      return new ScalaClass(NONE, "whose fields are not known; use a case class");
    }
    RecordClass fields = RecordClass.of(ScalaNames.of(type), of.names(), of.fields());
    return new ScalaClass(value -> PublicTypes.row(fields.names(), fields.fields(value)), null);
  }

  /** The public method of a public class that has no arguments. */
  static MethodHandle handle(Class<?> type, String name, Class<?>... arguments) {
    try {
      return MethodHandles.publicLookup().unreflect(type.getMethod(name, arguments));
    } catch (ReflectiveOperationException e) {
      throw new EncodeException(
          type.getName() + " has no method " + name + "; is its version of Scala 2.12 or later?");
    }
  }
}
