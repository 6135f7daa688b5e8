package io.github.serow.spark.exact;

import io.github.serow.SerowException;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.mapping.ObjectMapping.Property;
import io.github.serow.mapping.ScalarMapping;
import io.github.serow.schema.Mapping;
import io.github.serow.wire.Narrow;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a class that is a record in the schema, with handles of the types that {@link
 * ObjectMapping} has. Primitive fields are never objects. A float is the integer of its bits, and a
 * char the integer of its code.
 */
final class FieldList {
  /** Maximum parameters of a constructor; a long or a double counts as two. */
  private static final int MOST_SLOTS = 250;

  private static final MethodHandle OF_BITS =
      own(Float.class, "intBitsToFloat", float.class, int.class);
  private static final MethodHandle BITS =
      own(Float.class, "floatToRawIntBits", int.class, float.class);
  private static final MethodHandle CHAR =
      own(Narrow.class, "toChar", char.class, long.class)
          .asType(MethodType.methodType(char.class, int.class));

  /**
   * A field.
   *
   * @param slot the class that the schema has; {@code Object} if it is not primitive
   * @param setter null if the constructor sets it
   */
  private record Field(
      String name, Class<?> type, Class<?> slot, MethodHandle getter, MethodHandle setter) {
    boolean isReference() {
      return !type.isPrimitive();
    }
  }

  private final List<Field> fields = new ArrayList<>();

  /** The fields that are not primitive, which are the parts of the class. */
  private final List<Field> references = new ArrayList<>();

  private static MethodHandle own(Class<?> type, String name, Class<?> result, Class<?> parameter) {
    try {
      return MethodHandles.lookup()
          .findStatic(type, name, MethodType.methodType(result, parameter));
    } catch (ReflectiveOperationException e) {
      throw new SerowException("serow can't find its own method; please report it", e);
    }
  }

  /** Adds a field; {@code setter} is null if the constructor sets it. */
  void add(String name, Class<?> type, MethodHandle getter, MethodHandle setter) {
    Class<?> slot =
        !type.isPrimitive()
            ? Object.class
            : type == float.class || type == char.class ? int.class : type;
    MethodHandle get = type == float.class ? filterResult(getter, BITS) : getter;
    Class<?> got =
        slot == Object.class || slot == boolean.class || slot == double.class ? slot : long.class;
    MethodHandle set = setter;
    if (set != null) {
      set = ofSlot(set, 1, type).asType(MethodType.methodType(void.class, Object.class, slot));
    }
    Field field =
        new Field(name, type, slot, get.asType(MethodType.methodType(got, Object.class)), set);
    fields.add(field);
    if (field.isReference()) {
      references.add(field);
    }
  }

  private static MethodHandle filterResult(MethodHandle getter, MethodHandle filter) {
    return MethodHandles.filterReturnValue(getter, filter);
  }

  /** Lets a parameter of class {@code type} take what the schema has for it. */
  private static MethodHandle ofSlot(MethodHandle handle, int parameter, Class<?> type) {
    if (type == float.class) {
      return MethodHandles.filterArguments(handle, parameter, OF_BITS);
    }
    return type == char.class ? MethodHandles.filterArguments(handle, parameter, CHAR) : handle;
  }

  int size() {
    return fields.size();
  }

  List<String> names() {
    return fields.stream().map(Field::name).toList();
  }

  /** The number of fields that are not primitive. */
  int references() {
    return references.size();
  }

  Class<?> referenceType(int part) {
    return references.get(part).type;
  }

  void visit(Object value, ExactClass.PartVisitor visitor) throws MisfitException {
    for (int i = 0; i < references.size(); i++) {
      visitor.part(i, get(references.get(i), value));
    }
  }

  private static Object get(Field field, Object value) throws MisfitException {
    try {
      return field.getter.invoke(value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new MisfitException("a field can't be read: " + e);
    }
  }

  /**
   * Makes objects by a constructor or factory that takes the fields in their order.
   *
   * @throws MisfitException if it has too many parameters
   */
  ObjectMapping.Maker maker(MethodHandle constructor) throws MisfitException {
    MethodHandle handle = constructor.asFixedArity();
    MethodType type = MethodType.methodType(Object.class);
    int slots = 0;
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      slots += field.slot == long.class || field.slot == double.class ? 2 : 1;
      handle = ofSlot(handle, i, field.type);
      type = type.appendParameterTypes(field.slot);
    }
    if (slots > MOST_SLOTS) {
      throw new MisfitException("which has too many fields for one constructor");
    }
    return new ObjectMapping.Maker(handle.asType(type), false, null, false);
  }

  /** The mapping at one place; see {@link ExactClass#mapping}. */
  ExactObject mapping(
      ExactClass of, ObjectMapping.Maker maker, List<Mapping> parts, boolean isTracked) {
    List<Property> properties = new ArrayList<>();
    int part = 0;
    for (Field field : fields) {
      Mapping mapping = field.isReference() ? parts.get(part++) : ScalarMapping.of(field.slot);
      properties.add(
          new Property(
              field.name, List.of(), field.slot, mapping, field.getter, field.setter, null));
    }
    return new ExactObject(of, properties, maker, isTracked);
  }
}
