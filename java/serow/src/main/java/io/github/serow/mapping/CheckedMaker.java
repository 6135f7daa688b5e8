package io.github.serow.mapping;

import io.github.serow.DecodeException;
import io.github.serow.SerowException;
import io.github.serow.schema.ConstructionException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes objects of a class whose code is not proved to keep what it gets: reads each property of a
 * new object again, and compares it with what the constructor, the setter or the builder got. So a
 * class may bring values into a form that its objects already have.
 */
final class CheckedMaker {
  private static final MethodHandle MAKE = method("make", Object.class, Object[].class);
  private static final MethodHandle BEGIN = method("begin", Object.class);
  private static final MethodHandle SET =
      method("set", void.class, MethodHandle.class, int.class, Object.class, Object.class);
  private static final MethodHandle FINISH = method("finish", Object.class, Object.class);

  /** An object or a builder, with the values that it got. */
  private record Unfinished(Object object, Object[] values) {}

  private final ObjectMapping mapping;

  /** Takes the values as an array if they are arguments; otherwise it takes nothing. */
  private final MethodHandle constructor;

  private final MethodHandle build;

  private CheckedMaker(ObjectMapping mapping) {
    this.mapping = mapping;
    ObjectMapping.Maker maker = mapping.maker;
    constructor =
        maker.bySetters()
            ? maker.constructor()
            : maker
                .constructor()
                .asSpreader(Object[].class, mapping.properties.size())
                .asType(MethodType.methodType(Object.class, Object[].class));
    build = maker.build();
  }

  /** The same mapping with checks. */
  static ObjectMapping of(ObjectMapping mapping) {
    CheckedMaker checked = new CheckedMaker(mapping);
    ObjectMapping.Maker maker = mapping.maker;
    if (!maker.bySetters()) {
      MethodType type = maker.constructor().type();
      MethodHandle make =
          MAKE.bindTo(checked).asCollector(Object[].class, type.parameterCount()).asType(type);
      return mapping.withMaker(
          mapping.properties, new ObjectMapping.Maker(make, false, null, false));
    }
    List<ObjectMapping.Property> properties = new ArrayList<>();
    for (int i = 0; i < mapping.properties.size(); i++) {
      ObjectMapping.Property property = mapping.properties.get(i);
      MethodType type = property.setter().type();
      MethodHandle setter = property.setter().asType(type.generic().changeReturnType(void.class));
      MethodHandle set = MethodHandles.insertArguments(SET.bindTo(checked), 0, setter, i);
      properties.add(property.withSetter(set.asType(type)));
    }
    return mapping.withMaker(
        properties,
        new ObjectMapping.Maker(
            BEGIN.bindTo(checked), true, FINISH.bindTo(checked), maker.isMutable()));
  }

  private Object make(Object[] values) throws Throwable {
    return checked(constructor.invokeExact(values), values);
  }

  private Object begin() throws Throwable {
    return new Unfinished(constructor.invokeExact(), new Object[mapping.properties.size()]);
  }

  private void set(MethodHandle setter, int property, Object unfinished, Object value)
      throws Throwable {
    Unfinished into = (Unfinished) unfinished;
    setter.invokeExact(into.object, value);
    into.values[property] = value;
  }

  private Object finish(Object unfinished) throws Throwable {
    Unfinished made = (Unfinished) unfinished;
    Object object = build == null ? made.object : build.invokeExact(made.object);
    return checked(object, made.values);
  }

  private Object checked(Object made, Object[] values) throws Throwable {
    for (int i = 0; i < values.length; i++) {
      ObjectMapping.Property property = mapping.properties.get(i);
      // A null may be a field that the message lacks.
      if (values[i] != null && !isSame(values[i], property.getter().invoke(made))) {
        throw new ConstructionException(
            mapping.site(),
            new DecodeException(
                mapping.type.getSimpleName()
                    + " changes the value of "
                    + property.name()
                    + " that it gets, so that it would not come back; let it keep the value, or"
                    + " register a converter with Mappings.standard().withConverter"));
      }
    }
    return made;
  }

  /** Whether two values of one property are equal, also arrays inside them. */
  private static boolean isSame(Object given, Object read) {
    if (given == read || given == null || read == null) {
      return given == read;
    }
    if (given instanceof Number number && read instanceof Number other) {
      // A getter gives the widest class of primitive numbers.
      return number.equals(other)
          || other instanceof Long && isWhole(number) && number.longValue() == other.longValue()
          || other instanceof Double
              && number instanceof Float
              && other.equals(number.doubleValue());
    }
    if (given instanceof Collection<?> elements && read instanceof Collection<?> others) {
      return elements.size() == others.size() && isSame(elements, others);
    }
    if (given instanceof Map<?, ?> entries && read instanceof Map<?, ?> others) {
      return entries.size() == others.size()
          && entries.keySet().stream().allMatch(key -> isSame(entries.get(key), others.get(key)));
    }
    if (!given.getClass().isArray() || !read.getClass().isArray()) {
      return given.equals(read);
    }
    boolean isSame = Array.getLength(given) == Array.getLength(read);
    for (int i = 0; isSame && i < Array.getLength(given); i++) {
      isSame = isSame(Array.get(given, i), Array.get(read, i));
    }
    return isSame;
  }

  private static boolean isWhole(Number number) {
    return number instanceof Integer || number instanceof Short || number instanceof Byte;
  }

  /** Compares collections of one size, also of classes that compare identities. */
  private static boolean isSame(Collection<?> given, Collection<?> read) {
    if (given instanceof Set || read instanceof Set) {
      return new HashSet<>(given).equals(new HashSet<>(read));
    }
    Iterator<?> others = read.iterator();
    for (Object element : given) {
      if (!others.hasNext() || !isSame(element, others.next())) {
        return false;
      }
    }
    return true;
  }

  private static MethodHandle method(String name, Class<?> result, Class<?>... parameters) {
    try {
      MethodType type = MethodType.methodType(result, parameters);
      return MethodHandles.lookup().findVirtual(CheckedMaker.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new SerowException("serow can't find its own method; please report it", e);
    }
  }
}
