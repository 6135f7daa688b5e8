package io.github.serow;

import java.lang.invoke.MethodHandle;
import java.util.List;

/** A class of objects with named parts: Java's records and beans, and Scala's case classes. */
final class MappedObject extends Mapped {
  /**
   * A component of a record, or a property of a bean.
   *
   * @param name its name
   * @param type its class, which may be a primitive one
   * @param mapped what it is in the schema
   * @param getter reads it of an object. Its type is {@code (Object)long} for integers of any size,
   *     {@code (Object)double} for floats, {@code (Object)boolean}, or {@code (Object)Object}
   * @param setter writes it to a bean; null for others. Its type is {@code (Object, type)void},
   *     with {@code Object} for what is not primitive
   */
  record Property(
      String name, Class<?> type, Mapped mapped, MethodHandle getter, MethodHandle setter) {}

  final Class<?> type;
  final List<Property> properties;

  /**
   * Makes an object. Its type is {@code (types of the properties)Object} for what is no bean, with
   * {@code Object} for what is not primitive, and {@code ()Object} for a bean.
   */
  final MethodHandle constructor;

  private final Names names;

  /** {@code name}: what the type is called in the schema. */
  MappedObject(Class<?> type, String name, List<Property> properties, MethodHandle constructor) {
    this.type = type;
    this.properties = properties;
    this.constructor = constructor;
    names = new Names(name, properties.stream().map(Property::name).toList());
  }

  boolean isBean() {
    return !properties.isEmpty() && properties.get(0).setter() != null;
  }

  @Override
  void describe(TypeList list) {
    list.add(TypeList.RECORD_BEGIN).name(names.name);
    for (Property property : properties) {
      list.add(TypeList.FIELD).name(property.name);
      property.mapped.describe(list);
    }
    list.add(TypeList.STRUCT_END);
  }

  @Override
  void bind(Type bound) {
    super.bind(bound);
    for (int i = 0; i < properties.size(); i++) {
      properties.get(i).mapped.bind(bound.parts.get(i));
    }
  }

  @Override
  boolean isFixed() {
    return !isBean() && properties.stream().allMatch(property -> property.mapped.isFixed());
  }

  @Override
  boolean unwraps() {
    return true;
  }

  @Override
  boolean wraps() {
    return true;
  }

  /** An object of another class, even one that extends this, has more that would be lost. */
  static void check(Object value, Class<?> type) throws Misfit {
    if (value == null || value.getClass() != type) {
      throw Misfit.MISFIT;
    }
  }

  @Override
  Object unwrap(Object value) throws Misfit {
    check(value, type);
    Object[] values = new Object[properties.size()];
    try {
      for (int i = 0; i < values.length; i++) {
        values[i] = properties.get(i).getter.invoke(value);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new EncodeException("a getter of " + type.getName() + " has failed: " + e);
    }
    return new Row(names, values);
  }

  @Override
  Object wrap(Object plain) {
    Object[] values = ((Row) plain).sharedValues();
    try {
      if (!isBean()) {
        return constructor.invokeWithArguments(values);
      }
      Object bean = constructor.invoke();
      for (int i = 0; i < values.length; i++) {
        properties.get(i).setter.invoke(bean, values[i]);
      }
      return bean;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** The error where a constructor or setter throws {@code e}. */
  static DecodeException failed(Throwable e) {
    DecodeException error = new DecodeException("cannot make the object: " + e);
    error.initCause(e);
    return error;
  }
}
