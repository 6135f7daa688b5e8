package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.mapping.ObjectMapping.Maker;
import io.github.serow.internal.mapping.ObjectMapping.Property;
import io.github.serow.internal.schema.Names;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * A class whose value is all its fields, such as a case class, a Java record or a bean.
 *
 * <p>Java records are made by their constructor. Objects of other classes are made empty by the
 * caller, and then their fields are set, also final ones: no other constructor is known to do no
 * more than that.
 */
final class FieldsClass extends ExactClass {
  /** A long or a double counts as two of the 255 parameters that a method may have. */
  private static final int MOST_PARAMETERS = 120;

  private final List<ExactField> fields;

  /** The fields that are not primitive, which are the parts of the class. */
  private final List<ExactField> references;

  private final Maker maker;

  private FieldsClass(Class<?> type, boolean isMutable, List<ExactField> fields, Maker maker) {
    super(type, (int) fields.stream().filter(ExactField::isReference).count(), isMutable);
    this.fields = fields;
    this.references = fields.stream().filter(ExactField::isReference).toList();
    this.maker = maker;
  }

  static ExactClass of(Class<?> type, RowClasses classes)
      throws MisfitException, ReflectiveOperationException {
    if (type.isHidden() || type.isSynthetic() || type.getName().contains("$anon$")) {
      throw new MisfitException("which has no name of its own");
    }
    List<Field> found = fieldsOf(type);
    List<String> names = names(found);
    boolean isMutable =
        found.stream().anyMatch(field -> !Modifier.isFinal(field.getModifiers()))
            || !hasEquality(type);
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    List<ExactField> fields = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      Field field = found.get(i);
      field.setAccessible(true);
      MethodHandle setter = type.isRecord() ? null : lookup.unreflectSetter(field);
      fields.add(
          ExactField.of(names.get(i), field.getType(), lookup.unreflectGetter(field), setter));
    }
    if (type.isRecord()) {
      Class<?>[] parameters = found.stream().map(Field::getType).toArray(Class<?>[]::new);
      Maker maker = byConstructor(type.getDeclaredConstructor(parameters), fields);
      return new FieldsClass(type, isMutable, fields, maker);
    }
    Supplier<?> empty = classes.maker(type);
    if (empty == null) {
      throw new MisfitException("of which no empty object can be made");
    }
    MethodHandle made =
        MethodHandles.publicLookup()
            .findVirtual(Supplier.class, "get", MethodType.methodType(Object.class))
            .bindTo(empty);
    return new FieldsClass(type, isMutable, fields, new Maker(made, true, null, true));
  }

  /**
   * A tuple of primitive values, such as {@code Tuple2$mcII$sp}, which {@code (1, 2)} is. It has
   * the fields of {@code Tuple2} too, but they are null.
   */
  static ExactClass ofSpecializedTuple(Class<?> type)
      throws MisfitException, ReflectiveOperationException {
    Constructor<?> constructor = type.getConstructors()[0];
    List<ExactField> fields = new ArrayList<>();
    for (Class<?> element : constructor.getParameterTypes()) {
      String name = "_" + (fields.size() + 1);
      String getter = name + "$mc" + element.descriptorString() + "$sp";
      MethodHandle get = MethodHandles.publicLookup().unreflect(type.getMethod(getter));
      fields.add(ExactField.of(name, element, get, null));
    }
    return new FieldsClass(type, false, fields, byConstructor(constructor, fields));
  }

  /** Makes objects by a constructor that takes the fields in their order. */
  private static Maker byConstructor(Constructor<?> constructor, List<ExactField> fields)
      throws MisfitException, IllegalAccessException {
    if (fields.size() > MOST_PARAMETERS) {
      throw new MisfitException("which has too many fields for one constructor");
    }
    constructor.setAccessible(true);
    MethodHandle handle = MethodHandles.lookup().unreflectConstructor(constructor).asFixedArity();
    for (int i = 0; i < fields.size(); i++) {
      handle = ExactField.ofSlot(handle, i, fields.get(i).type());
    }
    List<Class<?>> slots = fields.stream().<Class<?>>map(ExactField::slot).toList();
    return new Maker(handle.asType(MethodType.methodType(Object.class, slots)), false, null, false);
  }

  /** Without equality, two equal objects are not the same as one object twice. */
  private static boolean hasEquality(Class<?> type) throws NoSuchMethodException {
    return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
  }

  /** The fields that are the value: those of superclasses first. */
  private static List<Field> fieldsOf(Class<?> type) throws MisfitException {
    List<Field> fields = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      List<Field> own = new ArrayList<>(Arrays.asList(at.getDeclaredFields()));
      own.removeIf(field -> Modifier.isStatic(field.getModifiers()));
      if (!own.isEmpty() && at.getName().startsWith("java.")) {
        throw new MisfitException("which extends a class of the JDK that has fields");
      }
      if (own.stream().anyMatch(it -> it.isSynthetic() || it.getName().equals("$outer"))) {
        throw new MisfitException("which belongs to an object of another class");
      }
      own.removeIf(field -> Modifier.isTransient(field.getModifiers()));
      fields.addAll(0, own);
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

  @Override
  Class<?> partType(int part) {
    return references.get(part).type();
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    for (int i = 0; i < references.size(); i++) {
      visitor.part(i, references.get(i).get(value));
    }
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    Iterator<Mapping> parts = of.iterator();
    List<Property> properties = new ArrayList<>();
    for (ExactField field : fields) {
      properties.add(field.property(field.isReference() ? parts.next() : null));
    }
    return record(properties, maker);
  }
}
