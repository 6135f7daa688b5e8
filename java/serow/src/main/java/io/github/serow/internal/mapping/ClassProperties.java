package io.github.serow.internal.mapping;

import io.github.serow.SerowException;
import io.github.serow.internal.kotlin.KotlinClass;
import io.github.serow.internal.mapping.PropertyCollector.Member;
import io.github.serow.internal.scala.CaseClass;
import io.github.serow.internal.scala.ScalaTypes;
import io.github.serow.internal.schema.PropertyAnnotations;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Decides how objects of a class are read and made. The first of these that fits:
 *
 * <ol>
 *   <li>a record, a Scala case class or a Kotlin data class: by its canonical constructor,
 *   <li>the constructor that an annotation chooses,
 *   <li>a constructor without arguments, if no field that holds data is final: by setting fields,
 *   <li>the longest constructor whose parameters are properties by their names,
 *   <li>a builder.
 * </ol>
 */
final class ClassProperties {
  private ClassProperties() {}

  /**
   * The mapping of a class.
   *
   * @throws SchemaException if serow can't read or make its objects
   */
  static ObjectMapping mapping(PropertyCollector properties) {
    try {
      return inspect(properties);
    } catch (SerowException e) {
      throw e;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw Mapper.refused(
          properties.place,
          ("is of a class that can't be used (%s); open its package to serow, or give"
                  + " serow access with Mappings.standard().withLookup(MethodHandles.lookup())")
              .formatted(e));
    }
  }

  private static ObjectMapping inspect(PropertyCollector properties)
      throws ReflectiveOperationException {
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
    KotlinClass kotlin = KotlinClass.of(type);
    if (kotlin != null && kotlin.isObject()) {
      return ofObject(properties);
    }
    Members members = new Members(properties);
    if (Modifier.isAbstract(type.getModifiers())) {
      ObjectMapping built = BuilderProperties.mapping(properties, members);
      if (built == null) {
        throw properties.refused("which is abstract; " + Advice.SEALED);
      }
      return built;
    }
    ConstructorProperties constructors = new ConstructorProperties(properties, members, kotlin);
    ObjectMapping chosen = constructors.chosen();
    if (chosen != null) {
      return chosen;
    }
    if (constructor(type) != null && finalField(members) == null) {
      return ofFields(properties, members);
    }
    ObjectMapping made = constructors.longest();
    if (made == null) {
      made = BuilderProperties.mapping(properties, members);
    }
    if (made == null) {
      throw properties.refused(constructors.whyNot());
    }
    return made;
  }

  private static ObjectMapping ofRecord(PropertyCollector properties)
      throws ReflectiveOperationException {
    Class<?> type = properties.type;
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      String name = component.getName();
      types[i] = component.getType();
      Nullness nullness = Members.nullness(type, name, component.getAnnotatedType());
      members.add(
          new Member(
              name,
              properties.bind(component.getGenericType(), nullness),
              PropertyAnnotations.of(component),
              properties.handles.of(component.getAccessor())));
    }
    return ConstructorProperties.mapping(
        properties, type.getDeclaredConstructor(types), members, null);
  }

  private static ObjectMapping ofCaseClass(PropertyCollector properties, CaseClass of)
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
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      Field field = of.fields().get(i);
      members.add(
          new Member(
              of.names().get(i),
              properties.bind(types.get(i), Nullness.UNKNOWN),
              PropertyAnnotations.of(parameters[i], field),
              properties.handles.getter(field)));
    }
    return ConstructorProperties.mapping(properties, of.constructor(), members, null);
  }

  /** An {@code object} of Kotlin's: its only instance, without properties. */
  private static ObjectMapping ofObject(PropertyCollector properties)
      throws ReflectiveOperationException {
    Field field = properties.type.getDeclaredField("INSTANCE");
    return properties.madeByConstructor(properties.handles.getter(field), null);
  }

  /** The constructor without arguments; null if there is none. */
  static Constructor<?> constructor(Class<?> type) {
    return Arrays.stream(type.getDeclaredConstructors())
        .filter(it -> it.getParameterCount() == 0)
        .findFirst()
        .orElse(null);
  }

  /** The name of a final field that holds data; null if there is none. */
  static String finalField(Members members) {
    for (Map.Entry<String, Field> field : members.fields().entrySet()) {
      if (Modifier.isFinal(field.getValue().getModifiers()) && members.isData(field.getKey())) {
        return field.getKey();
      }
    }
    return null;
  }

  /** Sets fields, also private ones and those of superclasses. No getter or setter is called. */
  private static ObjectMapping ofFields(PropertyCollector properties, Members members)
      throws ReflectiveOperationException {
    members.checkAnnotations();
    for (Map.Entry<String, Field> field : members.fields().entrySet()) {
      if (members.isData(field.getKey())) {
        properties.addField(
            members.ofField(field.getKey()), properties.handles.setter(field.getValue()));
      }
    }
    if (properties.isEmpty()) {
      throw properties.refused("which is not a record and has no field; make it a record");
    }
    return properties.madeByFields(properties.constructor(constructor(properties.type)));
  }
}
