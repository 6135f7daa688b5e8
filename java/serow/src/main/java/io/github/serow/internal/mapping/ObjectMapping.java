package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.Type;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** A class of objects with named fields, such as a Java record, a bean or a Scala case class. */
public final class ObjectMapping extends Mapping {
  /**
   * A component of a record, or a property of a bean.
   *
   * @param name its name in the schema
   * @param was its former names in schemas
   * @param type its class if it is primitive and no {@code char}; otherwise {@code Object}
   * @param mapping its mapping
   * @param getter reads it
   * @param setter sets it; null for an argument of the constructor
   * @param fallback the value of its default; null if it has none
   */
  public record Property(
      String name,
      List<String> was,
      Class<?> type,
      Mapping mapping,
      MethodHandle getter,
      MethodHandle setter,
      Object fallback) {
    /** The class that the getter's value has in generated code: the widest of its kind. */
    Class<?> widest() {
      return switch (type.descriptorString()) {
        case "B", "S", "I", "J" -> long.class;
        case "F", "D" -> double.class;
        case "Z" -> boolean.class;
        default -> Object.class;
      };
    }

    /** Reads it where no code is generated. */
    Object of(Object object) throws Throwable {
      return getter.asType(MethodType.methodType(widest(), Object.class)).invoke(object);
    }
  }

  /**
   * How an object is made.
   *
   * @param constructor makes the object, or its builder
   * @param arguments for each parameter of the constructor, the index of its property; null if they
   *     have the same order
   * @param bySetters whether setters get the properties
   * @param build makes the object of its builder; null if there is no builder
   * @param isMutable whether the object itself has the setters
   * @param isChecked whether the object may change what it gets, so that each property is read
   *     again and compared ({@link KeptValue})
   */
  public record Maker(
      MethodHandle constructor,
      int[] arguments,
      boolean bySetters,
      MethodHandle build,
      boolean isMutable,
      boolean isChecked) {
    /** For objects that are known to keep what they get. */
    public Maker(
        MethodHandle constructor, boolean bySetters, MethodHandle build, boolean isMutable) {
      this(constructor, null, bySetters, build, isMutable, false);
    }

    /** The index of the property that a parameter of the constructor gets. */
    int argument(int parameter) {
      return arguments == null ? parameter : arguments[parameter];
    }
  }

  final Class<?> javaClass;

  /** Whether objects may be of subclasses. */
  final boolean hasSubclasses;

  final List<Property> properties;
  final Maker maker;
  private final Type type;

  /** The former names of the record type. */
  private final List<String> was;

  /** A lookup of the class whose nestmate generated code may be; null if there is none. */
  final Lookup home;

  /**
   * Creates a mapping.
   *
   * @param hasSubclasses whether objects may be of subclasses, whose own fields would be lost
   * @param name the name of the record type in the schema
   * @param was the former names of the record type
   * @param home a lookup of the class whose nestmate generated code may be; null if there is none
   */
  public ObjectMapping(
      Class<?> javaClass,
      boolean hasSubclasses,
      String name,
      List<String> was,
      List<Property> properties,
      Maker maker,
      Lookup home) {
    this.javaClass = javaClass;
    this.home = home;
    this.hasSubclasses = hasSubclasses;
    this.properties = properties;
    this.maker = maker;
    this.was = was;
    type =
        Type.struct(
            name,
            properties.stream().map(Property::name).toList(),
            new BitSet(),
            properties.stream().map(property -> property.mapping.type()).toList());
  }

  /** The former names of the record type and of its fields. */
  Former former() {
    return new Former(was, properties.stream().map(Property::was).toList());
  }

  @Override
  public Type type() {
    return type;
  }

  @Override
  public Node node(Place place) {
    return new ObjectNode(place, this);
  }

  @Override
  public boolean isRow(Object value) {
    return javaClass.isInstance(value);
  }

  @Override
  public boolean isFixed() {
    return !maker.isMutable && properties.stream().allMatch(property -> property.mapping.isFixed());
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
      Object first = newObject();
      Object second = newObject();
      for (int i = 0; i < values.length; i++) {
        Object value = properties.get(i).of(first);
        values[i] = Objects.deepEquals(value, properties.get(i).of(second)) ? value : null;
      }
      return values;
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return new Object[values.length];
    }
  }

  private Object newObject() throws Throwable {
    Object made = maker.constructor.invoke();
    return maker.build == null ? made : maker.build.invoke(made);
  }
}
