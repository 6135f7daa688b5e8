package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.mapping.ObjectMapping;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;

/** The only object of its class, such as a Scala {@code object}. */
final class SingletonObject extends ExactClass {
  /** The field with a Scala {@code object}. */
  private static final String MODULE = "MODULE$";

  private final Object object;

  private SingletonObject(Class<?> type, Object object) {
    super(type, 0, false);
    this.object = object;
  }

  /** Whether it is the class of a Scala {@code object}. Does not initialize it. */
  static boolean isOne(Class<?> type) {
    try {
      Field field = type.getDeclaredField(MODULE);
      return type.getName().endsWith("$")
          && field.getType() == type
          && Modifier.isStatic(field.getModifiers());
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  static ExactClass ofModule(Class<?> type) throws ReflectiveOperationException {
    return of(type, MODULE);
  }

  /** {@code field}: the name of the static field with the object. */
  static ExactClass of(Class<?> type, String field) throws ReflectiveOperationException {
    Field found = type.getDeclaredField(field);
    found.setAccessible(true);
    return new SingletonObject(type, found.get(null));
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    if (value != object) {
      throw new MisfitException("a row has another object than the one of " + type.getName());
    }
  }

  @Override
  boolean takes(Object value) {
    return value == object;
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    ObjectMapping.Maker maker =
        new ObjectMapping.Maker(MethodHandles.constant(Object.class, object), false, null, false);
    return record(List.of(), maker);
  }
}
