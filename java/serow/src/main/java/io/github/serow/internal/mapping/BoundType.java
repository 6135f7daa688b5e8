package io.github.serow.internal.mapping;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A type at one place, with the types that its type parameters stand for there.
 *
 * @param nullness what the place says about nulls
 */
record BoundType(Type type, Nullness nullness, Map<TypeVariable<?>, BoundType> parameters) {
  /** A type at a place that says nothing about nulls. */
  BoundType(Type type, Map<TypeVariable<?>, BoundType> parameters) {
    this(type, Nullness.UNKNOWN, parameters);
  }

  /**
   * What a type parameter stands for, and the bound of a wildcard, which {@code super} gives if it
   * has one; other types as they are. A type parameter that stands for nothing here remains one.
   */
  BoundType resolved() {
    if (type instanceof WildcardType wildcard) {
      Type[] lower = wildcard.getLowerBounds();
      Type bound = lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0];
      return new BoundType(bound, nullness, parameters).resolved();
    }
    BoundType stands = type instanceof TypeVariable<?> ? parameters.get(type) : null;
    if (stands == null) {
      return this;
    }
    BoundType found = stands.resolved();
    return nullness.isNullable() ? new BoundType(found.type, nullness, found.parameters) : found;
  }

  /** The class; null for a type parameter that stands for nothing here. */
  Class<?> raw() {
    BoundType found = resolved();
    if (found.type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    if (found.type instanceof GenericArrayType) {
      Class<?> element = found.element().raw();
      return element == null ? null : element.arrayType();
    }
    return found.type instanceof Class<?> plain ? plain : null;
  }

  /** The type arguments, if it has any. */
  List<BoundType> arguments() {
    List<BoundType> arguments = new ArrayList<>();
    if (type instanceof ParameterizedType generic) {
      for (Type argument : generic.getActualTypeArguments()) {
        Nullness of = nullness.argument(arguments.size());
        arguments.add(new BoundType(argument, of, parameters));
      }
    }
    return arguments;
  }

  /** The type of the elements; null if it is no array. */
  BoundType element() {
    Type element = null;
    if (type instanceof GenericArrayType array) {
      element = array.getGenericComponentType();
    } else if (type instanceof Class<?> plain) {
      element = plain.getComponentType();
    }
    return element == null ? null : new BoundType(element, nullness.argument(0), parameters);
  }

  /** Appends the names of the class and of its type arguments, until the text is too long. */
  void appendTo(StringBuilder text, int most) {
    BoundType found = resolved();
    Class<?> raw = found.raw();
    text.append(raw == null ? found.type.getTypeName() : raw.getName());
    for (BoundType argument : found.arguments()) {
      if (text.length() > most) {
        return;
      }
      text.append('<');
      argument.appendTo(text, most);
      text.append('>');
    }
  }

  /** The types that the type parameters of a class and of all its supertypes stand for. */
  static Map<TypeVariable<?>, BoundType> parameters(Class<?> type, List<BoundType> arguments) {
    Map<TypeVariable<?>, BoundType> parameters = new HashMap<>();
    TypeVariable<?>[] own = type.getTypeParameters();
    for (int i = 0; i < arguments.size(); i++) {
      parameters.put(own[i], arguments.get(i));
    }
    addParametersAbove(type, parameters);
    return parameters;
  }

  private static void addParametersAbove(
      Class<?> type, Map<TypeVariable<?>, BoundType> parameters) {
    for (Type supertype : above(type)) {
      if (supertype instanceof ParameterizedType generic) {
        Class<?> raw = (Class<?>) generic.getRawType();
        TypeVariable<?>[] names = raw.getTypeParameters();
        for (int i = 0; i < names.length; i++) {
          parameters.put(names[i], new BoundType(generic.getActualTypeArguments()[i], parameters));
        }
        addParametersAbove(raw, parameters);
      } else {
        addParametersAbove((Class<?>) supertype, parameters);
      }
    }
  }

  private static List<Type> above(Class<?> type) {
    List<Type> above = new ArrayList<>(List.of(type.getGenericInterfaces()));
    if (type.getGenericSuperclass() != null) {
      above.add(type.getGenericSuperclass());
    }
    return above;
  }

  /**
   * The type arguments of a class for which its supertype has the type arguments in {@code of}.
   * They are type parameters that stand for nothing where the supertype does not tell.
   */
  static List<BoundType> argumentsBelow(
      Class<?> below, Class<?> type, Map<TypeVariable<?>, BoundType> of) {
    TypeVariable<?>[] parameters = below.getTypeParameters();
    List<BoundType> arguments = new ArrayList<>();
    for (TypeVariable<?> parameter : parameters) {
      arguments.add(new BoundType(parameter, Map.of()));
    }
    for (Type supertype : above(below)) {
      if (supertype instanceof ParameterizedType generic && generic.getRawType() == type) {
        Type[] given = generic.getActualTypeArguments();
        for (int i = 0; i < given.length; i++) {
          int place = List.of(parameters).indexOf(given[i]);
          BoundType stands = of.get(type.getTypeParameters()[i]);
          if (place >= 0 && stands != null) {
            arguments.set(place, stands);
          }
        }
      }
    }
    return arguments;
  }
}
