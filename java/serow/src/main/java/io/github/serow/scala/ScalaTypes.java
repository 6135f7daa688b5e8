package io.github.serow.scala;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The types of a case class's fields. A Java signature says all of them, but that Scala's numbers
 * within others are objects there: {@code Option[Long]} is {@code Option<Object>}. What such an
 * object is, Scala's own signature says.
 */
public final class ScalaTypes {
  /** In place of a type that neither signature tells. */
  public static final Type LOST =
      new Type() {
        @Override
        public String getTypeName() {
          return "Object";
        }
      };

  private static final Map<String, Class<?>> NUMBERS =
      Map.of(
          "scala.Boolean", Boolean.class,
          "scala.Byte", Byte.class,
          "scala.Short", Short.class,
          "scala.Char", Character.class,
          "scala.Int", Integer.class,
          "scala.Long", Long.class,
          "scala.Float", Float.class,
          "scala.Double", Double.class,
          "scala.Any", Object.class,
          "scala.AnyRef", Object.class);

  /** An alias may be for another. */
  private static final int MAX_ALIASES = 16;

  private ScalaTypes() {}

  /** A type with its arguments, as Java's reflection has it. */
  private record Applied(Class<?> raw, Type owner, List<Type> arguments)
      implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public Type getOwnerType() {
      return owner;
    }
  }

  /** An array of a type with arguments. */
  private record ArrayOf(Type element) implements GenericArrayType {
    @Override
    public Type getGenericComponentType() {
      return element;
    }
  }

  /** The type of each field, in their order. */
  public static List<Type> of(CaseClass of) {
    Class<?> type = of.constructor().getDeclaringClass();
    Type[] java = of.constructor().getGenericParameterTypes();
    if (java.length != of.fields().size()) {
      java = of.constructor().getParameterTypes();
    }
    Map<String, ScalaSignature.Use> scala = ScalaSignature.fields(type);
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < java.length; i++) {
      ScalaSignature.Use field = scala.get(of.names().get(i));
      boolean isAny = java[i] == Object.class;
      types.add(isAny ? java[i] : filled(java[i], field, type.getClassLoader()));
    }
    return types;
  }

  /** The Java type, with what Scala's signature says of the objects in it, if it says anything. */
  private static Type filled(Type java, ScalaSignature.Use scala, ClassLoader loader) {
    if (java == Object.class) {
      Class<?> number = number(scala, loader);
      return number == null ? LOST : number;
    }
    if (java instanceof GenericArrayType array) {
      Type element = array.getGenericComponentType();
      return new ArrayOf(filled(element, argument(scala, 0, 1), loader));
    }
    if (java instanceof ParameterizedType type) {
      Type[] arguments = type.getActualTypeArguments();
      List<Type> filled = new ArrayList<>();
      for (int i = 0; i < arguments.length; i++) {
        filled.add(filled(arguments[i], argument(scala, i, arguments.length), loader));
      }
      return new Applied((Class<?>) type.getRawType(), type.getOwnerType(), filled);
    }
    return java;
  }

  /** The class of a number that may be called something else; null if it is none. */
  private static Class<?> number(ScalaSignature.Use scala, ClassLoader loader) {
    ScalaSignature.Use use = scala;
    for (int aliases = 0; use != null && use.name() != null && aliases < MAX_ALIASES; aliases++) {
      Class<?> number = NUMBERS.get(use.name());
      if (number != null) {
        return number;
      }
      use = ScalaSignature.alias(use.name(), loader);
    }
    return null;
  }

  /** An argument, if there are as many as in Java: an alias may have others. */
  private static ScalaSignature.Use argument(ScalaSignature.Use use, int i, int count) {
    return use == null || use.arguments().size() != count ? null : use.arguments().get(i);
  }
}
