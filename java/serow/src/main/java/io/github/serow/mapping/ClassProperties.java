package io.github.serow.mapping;

import io.github.serow.SchemaException;
import io.github.serow.SerowException;
import io.github.serow.scala.CaseClass;
import io.github.serow.scala.ScalaNames;
import io.github.serow.scala.ScalaTypes;
import io.github.serow.schema.Marks;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out how objects of a class are read and made. In this order: as a record, as a Scala case
 * class, as a bean with setters or fields ({@link BeanProperties}), by a constructor with the
 * properties as parameters ({@link ConstructorProperties}), or by a builder ({@link
 * BuilderProperties}). A Kotlin data class is made by its constructor, even if it could be made as
 * a bean.
 */
final class ClassProperties {
  private ClassProperties() {}

  /**
   * The mapping of a class.
   *
   * @throws SchemaException if serow can't read or make its objects
   */
  static ObjectMapping mapping(Properties properties) {
    try {
      return inspect(properties);
    } catch (SerowException e) {
      throw e;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw Mapper.refused(
          properties.place,
          "is of a class that can't be used ("
              + e
              + "); open its package to serow, or give serow access with"
              + " Mappings.standard().withLookup(MethodHandles.lookup())");
    }
  }

  private static ObjectMapping inspect(Properties properties) throws ReflectiveOperationException {
    Class<?> type = properties.type;
    if (type.isRecord()) {
      return ofRecord(properties);
    }
    CaseClass caseClass = CaseClass.of(type);
    if (caseClass != null) {
      return ofCaseClass(properties, caseClass);
    }
    if (type.isAnonymousClass()
        || type.isLocalClass()
        || type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
      throw properties.refused("which needs an enclosing instance; make it a static class");
    }
    boolean isAbstract = Modifier.isAbstract(type.getModifiers());
    ConstructorProperties constructor = ConstructorProperties.of(properties);
    if (constructor != null && constructor.isOfDataClass()) {
      return constructor.mapping();
    }
    if (!isAbstract && BeanProperties.hasConstructor(type)) {
      BeanProperties bean = new BeanProperties(properties);
      // A constructor without arguments is of no use for final fields.
      if (constructor == null || !constructor.setsFinalField() || bean.hasMethods()) {
        return bean.mapping();
      }
    }
    if (constructor != null) {
      return constructor.mapping();
    }
    BuilderProperties builder = BuilderProperties.of(properties);
    if (builder != null) {
      return builder.mapping();
    }
    throw properties.refused(
        isAbstract
            ? "which is abstract; " + Advice.SEALED
            : "which is not a record and has no constructor without arguments and no builder, and "
                + ConstructorProperties.whyNot(properties));
  }

  private static ObjectMapping ofRecord(Properties properties) throws ReflectiveOperationException {
    Class<?> type = properties.type;
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    List<Method> accessors = new ArrayList<>();
    ConstructorArguments arguments = new ConstructorArguments(properties);
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      types[i] = component.getType();
      accessors.add(component.getAccessor());
      Marks marks = Marks.of(component, component.getAnnotatedType());
      arguments.add(
          new Properties.Member(component.getName(), component.getGenericType(), marks),
          types[i],
          properties.getter(component.getName(), component.getAccessor()));
    }
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    return arguments.mapping(
        Marks.of(type).name(type.getSimpleName()),
        constructor,
        KeptArguments.of(constructor).areRead(accessors));
  }

  private static ObjectMapping ofCaseClass(Properties properties, CaseClass of)
      throws ReflectiveOperationException {
    Class<?> type = properties.type;
    if (of.isInner()) {
      throw properties.refused("which needs an enclosing instance; move it out of that class");
    }
    if (type.getName().endsWith("$")) {
      throw Mapper.refused(
          properties.place,
          "is a Scala object, which has only one value; use a case class or an enum of Java's");
    }
    List<Type> types = ScalaTypes.of(of);
    Parameter[] parameters = of.constructor().getParameters();
    KeptArguments kept = KeptArguments.of(of.constructor());
    boolean isKeeping = true;
    ConstructorArguments arguments = new ConstructorArguments(properties);
    for (int i = 0; i < parameters.length; i++) {
      Field field = of.fields().get(i);
      isKeeping &= kept.fields(i).contains(field);
      MethodHandle getter = properties.handles.getter(field);
      Marks marks = Marks.of(parameters[i], field);
      arguments.add(
          new Properties.Member(of.names().get(i), types.get(i), marks), field.getType(), getter);
    }
    return arguments.mapping(Marks.of(type).name(ScalaNames.of(type)), of.constructor(), isKeeping);
  }
}
