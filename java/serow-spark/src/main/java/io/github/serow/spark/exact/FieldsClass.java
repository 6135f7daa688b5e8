package io.github.serow.spark.exact;

import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Names;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * A class whose value is all its fields, such as a case class, a Java record or a bean.
 *
 * <p>Its objects are made by the constructor of a record, or by one that does nothing but set each
 * field to a parameter ({@link StoringConstructor}). Objects of other classes are made empty by the
 * caller, and then their fields are set, also final ones.
 */
final class FieldsClass extends ExactClass {
  private final FieldList fields;
  private final ObjectMapping.Maker maker;

  private FieldsClass(
      Class<?> type, boolean isMutable, FieldList fields, ObjectMapping.Maker maker) {
    super(type, fields.references(), isMutable);
    this.fields = fields;
    this.maker = maker;
  }

  static ExactClass of(Class<?> type, RowClasses classes)
      throws MisfitException, ReflectiveOperationException {
    if (type.isHidden() || type.isSynthetic() || type.getName().contains("$anon$")) {
      throw new MisfitException("which has no name of its own");
    }
    List<Field> found = fieldsOf(type);
    boolean isMutable =
        found.stream().anyMatch(field -> !Modifier.isFinal(field.getModifiers()))
            || !hasEquality(type);
    MethodHandle constructor = constructor(type, found);
    Supplier<?> empty = constructor == null ? classes.maker(type) : null;
    if (constructor == null && empty == null) {
      throw new MisfitException("which has no constructor that only sets all its fields");
    }
    FieldList fields = new FieldList();
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    List<String> names = names(found);
    for (int i = 0; i < found.size(); i++) {
      Field field = found.get(i);
      field.setAccessible(true);
      MethodHandle setter = constructor == null ? lookup.unreflectSetter(field) : null;
      fields.add(names.get(i), field.getType(), lookup.unreflectGetter(field), setter);
    }
    ObjectMapping.Maker maker =
        constructor == null
            ? new ObjectMapping.Maker(emptyObject(empty), true, null, true)
            : fields.maker(constructor);
    return new FieldsClass(type, isMutable, fields, maker);
  }

  /** Without equality, two equal objects are not the same as one object twice. */
  private static boolean hasEquality(Class<?> type) throws NoSuchMethodException {
    return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
  }

  /** The fields that are the value: those of superclasses first. */
  private static List<Field> fieldsOf(Class<?> type) throws MisfitException {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      classes.add(0, at);
    }
    List<Field> fields = new ArrayList<>();
    for (Class<?> at : classes) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers)) {
          continue;
        }
        if (at.getName().startsWith("java.")) {
          throw new MisfitException("which extends a class of the JDK that has fields");
        }
        if (field.isSynthetic() || field.getName().equals("$outer")) {
          throw new MisfitException("which belongs to an object of another class");
        }
        if (!Modifier.isTransient(modifiers)) {
          fields.add(field);
        }
      }
    }
    return fields;
  }

  /** The names of the fields, which differ. */
  private static List<String> names(List<Field> fields) throws MisfitException {
    List<String> names = new ArrayList<>();
    // A field that a subclass has too is preceded by its class.
    for (int i = fields.size() - 1; i >= 0; i--) {
      Field field = fields.get(i);
      String name = field.getName();
      names.add(names.contains(name) ? field.getDeclaringClass().getName() + "." + name : name);
      if (!Names.isName(name)) {
        throw new MisfitException("which has a field whose name is no text");
      }
    }
    Collections.reverse(names);
    return names;
  }

  /** The constructor that takes the fields in their order; null if there is none. */
  private static MethodHandle constructor(Class<?> type, List<Field> fields)
      throws ReflectiveOperationException {
    if (type.isRecord()) {
      Class<?>[] components =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      return handle(type.getDeclaredConstructor(components));
    }
    StoringConstructor storing = StoringConstructor.of(type, fields);
    if (storing == null) {
      return null;
    }
    MethodHandle handle = handle(storing.constructor());
    MethodType inOrder = MethodType.methodType(handle.type().returnType());
    for (Field field : fields) {
      inOrder = inOrder.appendParameterTypes(field.getType());
    }
    return MethodHandles.permuteArguments(handle, inOrder, storing.fieldOfParameter());
  }

  private static MethodHandle handle(Constructor<?> constructor) throws IllegalAccessException {
    constructor.setAccessible(true);
    return MethodHandles.lookup().unreflectConstructor(constructor).asFixedArity();
  }

  private static MethodHandle emptyObject(Supplier<?> maker) throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findVirtual(Supplier.class, "get", MethodType.methodType(Object.class))
        .bindTo(maker);
  }

  @Override
  Class<?> partType(int part) {
    return fields.referenceType(part);
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    fields.visit(value, visitor);
  }

  @Override
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    return fields.mapping(this, maker, of, isTracked);
  }
}
