package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Makes handles of members of the caller's classes, also of private ones: by a lookup that the
 * caller gave for the class's module, or else by reflection.
 */
record MemberHandles(List<Lookup> lookups) {
  MethodHandle of(Method method) throws IllegalAccessException {
    return lookup(method).unreflect(method).asFixedArity();
  }

  MethodHandle getter(Field field) throws IllegalAccessException {
    return lookup(field).unreflectGetter(field);
  }

  MethodHandle setter(Field field) throws IllegalAccessException {
    return lookup(field).unreflectSetter(field);
  }

  MethodHandle of(Constructor<?> constructor) throws IllegalAccessException {
    return lookup(constructor).unreflectConstructor(constructor).asFixedArity();
  }

  /**
   * A lookup in a class whose nestmate generated code may be; null if there is none, because the
   * class is in a module or a loader that does not know serow's classes.
   */
  Lookup home(Class<?> type) {
    try {
      Lookup given = given(type);
      Lookup home =
          MethodHandles.privateLookupIn(type, given == null ? MethodHandles.lookup() : given);
      boolean isKnown = home.findClass(Node.class.getName()) == Node.class;
      return isKnown && home.hasFullPrivilegeAccess() && !type.isHidden() ? home : null;
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** The lookup that the caller gave for the module of a class; null if there is none. */
  private Lookup given(Class<?> type) {
    for (Lookup lookup : lookups) {
      if (lookup.lookupClass().getModule() == type.getModule()) {
        return lookup;
      }
    }
    return null;
  }

  private <M extends AccessibleObject & Member> Lookup lookup(M member)
      throws IllegalAccessException {
    Class<?> type = member.getDeclaringClass();
    Lookup given = given(type);
    if (given != null) {
      return MethodHandles.privateLookupIn(type, given);
    }
    member.setAccessible(true);
    return MethodHandles.lookup();
  }
}
