package io.github.serow.internal.schema;

import io.github.serow.EncodeException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/** A record class: its names, and the accessors of its components. */
public final class RecordClass {
  private static final ClassCache<RecordClass> CLASSES = new ClassCache<>(RecordClass::ofRecord);

  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

  private final Names names;
  private final MethodHandle[] getters;

  /** Names that are known to equal these, because every record is compared. */
  private Names equal;

  private RecordClass(String name, List<String> fields, MethodHandle[] getters) {
    names = new Names(name, fields);
    equal = names;
    this.getters = getters;
  }

  private static RecordClass ofRecord(Class<?> type) {
    List<String> fields = new ArrayList<>();
    List<MethodHandle> getters = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      PropertyAnnotations annotations = PropertyAnnotations.of(component);
      String leftOut = LeftOut.why(component.getName(), annotations, component.getType(), type);
      if (leftOut != null) {
        throw new EncodeException("a row or value is of record " + type.getName() + ", " + leftOut);
      }
      if (!annotations.isIgnored()) {
        fields.add(annotations.name(component.getName()));
        Method accessor = component.getAccessor();
        getters.add(getter(accessor, () -> MethodHandles.lookup().unreflect(accessor)));
      }
    }
    String name = PropertyAnnotations.of(type).name(type.getSimpleName());
    return new RecordClass(name, fields, getters.toArray(MethodHandle[]::new));
  }

  /**
   * Creates a class whose objects have these fields, which are read directly.
   *
   * @param name the name of the record type in a schema
   * @param names the names of the fields in a schema
   * @throws EncodeException if a field can't be read
   */
  public static RecordClass of(String name, List<String> names, List<Field> fields) {
    MethodHandle[] getters = new MethodHandle[fields.size()];
    for (int i = 0; i < getters.length; i++) {
      Field field = fields.get(i);
      getters[i] = getter(field, () -> MethodHandles.lookup().unreflectGetter(field));
    }
    return new RecordClass(name, names, getters);
  }

  private interface Access {
    MethodHandle handle() throws ReflectiveOperationException;
  }

  private static <T extends AccessibleObject & Member> MethodHandle getter(T of, Access access) {
    try {
      of.setAccessible(true);
      return access.handle().asType(GETTER);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new EncodeException(
          "the components of record "
              + of.getDeclaringClass().getName()
              + " can't be read; open its package to the module io.github.serow");
    }
  }

  /**
   * The record class of {@code type}.
   *
   * @throws EncodeException if its components can't be read
   */
  public static RecordClass of(Class<?> type) {
    return CLASSES.get(type);
  }

  public Names names() {
    return names;
  }

  /** Whether records of this class are of a type with these names. */
  public boolean isOf(Names other) {
    if (other == equal) {
      return true;
    }
    if (!names.equals(other)) {
      return false;
    }
    equal = other;
    return true;
  }

  /**
   * Reads the components of a record of this class.
   *
   * @throws FieldReadException if an accessor throws an exception
   */
  public Object[] fields(Object value) {
    Object[] fields = new Object[getters.length];
    int i = 0;
    try {
      for (; i < fields.length; i++) {
        fields[i] = (Object) getters[i].invokeExact(value);
      }
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw FieldReadException.ofField(names.fields.get(i), e);
    }
    return fields;
  }
}
