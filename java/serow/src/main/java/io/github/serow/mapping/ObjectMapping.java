package io.github.serow.mapping;

import io.github.serow.Row;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** A class of objects with named fields: a Java record, a bean, or a Scala case class. */
public final class ObjectMapping extends Mapping {
  /**
   * A component of a record, or a property of a bean.
   *
   * @param name its name
   * @param type its class, which may be primitive
   * @param mapping its mapping
   * @param getter reads it. Its type is {@code (Object)long} for primitive integers, {@code
   *     (Object)double} for primitive floats, {@code (Object)boolean}, or {@code (Object)Object}
   * @param setter writes it to a bean; null for others. Its type is {@code (Object, type)void},
   *     with {@code Object} for all classes that are not primitive
   */
  public record Property(
      String name, Class<?> type, Mapping mapping, MethodHandle getter, MethodHandle setter) {}

  public final Class<?> type;
  public final List<Property> properties;

  /**
   * Creates an object. Its type is {@code ()Object} for a bean. For others it is {@code (types of
   * the properties)Object}, with {@code Object} for each type that is not primitive.
   */
  public final MethodHandle constructor;

  private final Names names;
  private final Object site;

  /**
   * Creates a mapping.
   *
   * @param name the name of the record type in the schema
   * @param site the identity of this place for the exceptions of the handles
   */
  ObjectMapping(
      Class<?> type,
      String name,
      List<Property> properties,
      MethodHandle constructor,
      Object site) {
    this.site = site;
    this.type = type;
    this.properties = properties;
    this.constructor = constructor;
    names = new Names(name, properties.stream().map(Property::name).toList());
  }

  public boolean isBean() {
    return !properties.isEmpty() && properties.get(0).setter() != null;
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.RECORD_BEGIN).name(names.name);
    for (Property property : properties) {
      list.add(TypeCodes.FIELD).name(property.name);
      property.mapping.describe(list);
    }
    list.add(TypeCodes.STRUCT_END);
  }

  @Override
  public void bind(Type bound) {
    super.bind(bound);
    for (int i = 0; i < properties.size(); i++) {
      properties.get(i).mapping.bind(bound.parts.get(i));
    }
  }

  @Override
  public boolean isFixed() {
    return !isBean() && properties.stream().allMatch(property -> property.mapping.isFixed());
  }

  @Override
  public boolean unwraps() {
    return true;
  }

  @Override
  public boolean wraps() {
    return true;
  }

  /**
   * Refuses objects of other classes, even subclasses, because their extra fields would be lost.
   */
  public static void check(Object value, Class<?> type) throws TypeMismatch {
    if (value == null || value.getClass() != type) {
      throw TypeMismatch.MISMATCH;
    }
  }

  @Override
  public Object site() {
    return site;
  }

  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    check(value, type);
    Object[] values = new Object[properties.size()];
    int i = 0;
    try {
      for (; i < values.length; i++) {
        values[i] = properties.get(i).getter.invoke(value);
      }
    } catch (FieldReadException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new FieldReadException(properties.get(i).name, e);
    }
    return PublicTypes.row(names, values);
  }

  @Override
  public Object wrap(Object plain) {
    Object[] values = PublicTypes.values((Row) plain);
    try {
      if (!isBean()) {
        return constructor.invokeWithArguments(values);
      }
      Object bean = constructor.invoke();
      for (int i = 0; i < values.length; i++) {
        properties.get(i).setter.invoke(bean, values[i]);
      }
      return bean;
    } catch (ConstructionException e) {
      throw new ConstructionException(site, e.getCause());
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(site, e);
    }
  }
}
