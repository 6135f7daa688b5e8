package io.github.serow.mapping;

import io.github.serow.Row;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Former;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;

/** A class of objects with named fields, such as a Java record, a bean or a Scala case class. */
public class ObjectMapping extends Mapping {
  /**
   * A component of a record, or a property of a bean.
   *
   * @param name its name in the schema
   * @param was its former names in schemas
   * @param type its class if it is primitive and no {@code char}; otherwise {@code Object}
   * @param mapping its mapping
   * @param getter reads it. Its type is {@code (Object)long} for primitive integers, {@code
   *     (Object)double} for primitive floats, {@code (Object)boolean}, or {@code (Object)Object}
   * @param setter sets it; null for an argument of the constructor. Its type is {@code (Object,
   *     type)void}, with {@code Object} for all classes that are not primitive
   * @param fallback the value of its default; null if it has none
   */
  public record Property(
      String name,
      List<String> was,
      Class<?> type,
      Mapping mapping,
      MethodHandle getter,
      MethodHandle setter,
      Object fallback) {}

  /**
   * How an object is made.
   *
   * @param constructor makes the object, or its builder. If {@code bySetters}, its type is {@code
   *     ()Object}; otherwise {@code (types of the properties)Object}, with {@code Object} for each
   *     type that is not primitive
   * @param bySetters whether setters get the properties
   * @param build makes the object of its builder, with type {@code (Object)Object}; null if there
   *     is no builder
   * @param isMutable whether the object itself has the setters
   * @param isChecked whether the object may change what it gets, so that each property is read
   *     again and compared ({@link KeptValue})
   */
  public record Maker(
      MethodHandle constructor,
      boolean bySetters,
      MethodHandle build,
      boolean isMutable,
      boolean isChecked) {
    /** For objects that are known to keep what they get. */
    public Maker(
        MethodHandle constructor, boolean bySetters, MethodHandle build, boolean isMutable) {
      this(constructor, bySetters, build, isMutable, false);
    }
  }

  public final Class<?> type;
  public final List<Property> properties;

  public final Maker maker;

  private final Names names;
  private final List<String> was;
  private final Object site;

  /**
   * Creates a mapping.
   *
   * @param name the name of the record type in the schema
   * @param was the former names of the record type
   * @param site the identity of this place for the exceptions of the handles
   */
  public ObjectMapping(
      Class<?> type,
      String name,
      List<String> was,
      List<Property> properties,
      Maker maker,
      Object site) {
    this.was = was;
    this.site = site;
    this.type = type;
    this.properties = properties;
    this.maker = maker;
    names = new Names(name, properties.stream().map(Property::name).toList());
  }

  public Names names() {
    return names;
  }

  /** The former names of the record type and of its fields. */
  Former former() {
    return new Former(was, properties.stream().map(Property::was).toList());
  }

  /** Whether objects are instances of subclasses, for example because the class is abstract. */
  public boolean isAbstract() {
    return Modifier.isAbstract(type.getModifiers());
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
      bound.parts.get(i).fallback = properties.get(i).fallback;
    }
    bound.former = former();
  }

  @Override
  public boolean isFixed() {
    return !maker.isMutable && properties.stream().allMatch(property -> property.mapping.isFixed());
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

  /** For an abstract class, whose objects are made by its builder. */
  public static void checkInstance(Object value, Class<?> type) throws TypeMismatch {
    if (!type.isInstance(value)) {
      throw TypeMismatch.MISMATCH;
    }
  }

  @Override
  public boolean takes(Object value) {
    return isAbstract() ? type.isInstance(value) : value != null && value.getClass() == type;
  }

  @Override
  public Object site() {
    return site;
  }

  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    if (!takes(value)) {
      throw TypeMismatch.MISMATCH;
    }
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
      Object object = make(values);
      for (int i = 0; maker.isChecked && i < values.length; i++) {
        KeptValue.check(KeptValue.reader(this, i).invoke(object), values[i], this, i);
      }
      return object;
    } catch (ConstructionException e) {
      throw new ConstructionException(site, e.getCause());
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(site, e);
    }
  }

  private Object make(Object[] values) throws Throwable {
    if (!maker.bySetters) {
      return maker.constructor.invokeWithArguments(values);
    }
    Object object = maker.constructor.invoke();
    for (int i = 0; i < values.length; i++) {
      properties.get(i).setter.invoke(object, values[i]);
    }
    return maker.build == null ? object : maker.build.invoke(object);
  }

  /**
   * The values that a new object has, which are the defaults of properties without another. A value
   * that two new objects do not share, such as a random id, is null. All are null if an object
   * needs its properties.
   */
  public Object[] initialValues() {
    Object[] values = new Object[properties.size()];
    if (!maker.bySetters) {
      return values;
    }
    try {
      Object first = make(new Object[0]);
      Object second = make(new Object[0]);
      for (int i = 0; i < values.length; i++) {
        MethodHandle getter = properties.get(i).getter;
        Object value = getter.invoke(first);
        values[i] = Objects.deepEquals(value, getter.invoke(second)) ? value : null;
      }
      return values;
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return new Object[values.length];
    }
  }
}
