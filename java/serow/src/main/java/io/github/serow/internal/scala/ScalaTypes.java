package io.github.serow.internal.scala;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The types of a case class's fields. The Java signature has them, except that Scala's numbers as
 * type arguments are objects there: {@code Option[Long]} is {@code Option<Object>}. Scala's own
 * signature tells the class of such an object.
 */
public final class ScalaTypes {
  /** In place of a type that neither signature contains. */
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

  /** Maximum aliases of aliases. */
  private static final int MAX_ALIASES = 16;

  private ScalaTypes() {}

  /** A type with its arguments, as a type of Java's reflection. */
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

  /** The types of the fields in order. */
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

  /** The Java type, in which Scala's signature replaces objects where it can. */
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

  /** The class of a number, perhaps behind aliases; null for other types. */
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

  /**
   * A type argument. Null if the number of arguments differs from Java's, as it may for an alias.
   */
  private static ScalaSignature.Use argument(ScalaSignature.Use use, int i, int count) {
    return use == null || use.arguments().size() != count ? null : use.arguments().get(i);
  }
}
