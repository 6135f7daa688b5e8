package io.github.serow.spark.exact;

import io.github.serow.SerowException;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.mapping.ObjectMapping.Property;
import io.github.serow.internal.mapping.ScalarMapping;
import io.github.serow.internal.wire.Narrow;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * A field of a class that is a record in the schema, with handles of the types that {@link
 * Property} has. A primitive field is never an object: a float is the integer of its bits, and a
 * char the integer of its code.
 *
 * @param type its class
 * @param slot the class that the schema has for it; {@code Object} if it is not primitive
 * @param setter null if the constructor sets it
 */
record ExactField(
    String name, Class<?> type, Class<?> slot, MethodHandle getter, MethodHandle setter) {
  private static final MethodHandle OF_BITS =
      own(Float.class, "intBitsToFloat", float.class, int.class);
  private static final MethodHandle BITS =
      own(Float.class, "floatToRawIntBits", int.class, float.class);
  private static final MethodHandle CHAR =
      own(Narrow.class, "toChar", char.class, long.class)
          .asType(MethodType.methodType(char.class, int.class));

  private static MethodHandle own(Class<?> type, String name, Class<?> result, Class<?> parameter) {
    try {
      return MethodHandles.lookup()
          .findStatic(type, name, MethodType.methodType(result, parameter));
    } catch (ReflectiveOperationException e) {
      throw new SerowException("serow can't find its own method; please report it", e);
    }
  }

  /** A field with these handles, of which {@code setter} may be null. */
  static ExactField of(String name, Class<?> type, MethodHandle getter, MethodHandle setter) {
    Class<?> slot =
        !type.isPrimitive()
            ? Object.class
            : type == float.class || type == char.class ? int.class : type;
    MethodHandle get = type == float.class ? MethodHandles.filterReturnValue(getter, BITS) : getter;
    Class<?> got =
        slot == Object.class || slot == boolean.class || slot == double.class ? slot : long.class;
    MethodHandle set = setter;
    if (set != null) {
      set = ofSlot(set, 1, type).asType(MethodType.methodType(void.class, Object.class, slot));
    }
    return new ExactField(
        name, type, slot, get.asType(MethodType.methodType(got, Object.class)), set);
  }

  /** Lets a parameter of class {@code type} take what the schema has for it. */
  static MethodHandle ofSlot(MethodHandle handle, int parameter, Class<?> type) {
    if (type == float.class) {
      return MethodHandles.filterArguments(handle, parameter, OF_BITS);
    }
    return type == char.class ? MethodHandles.filterArguments(handle, parameter, CHAR) : handle;
  }

  boolean isReference() {
    return !type.isPrimitive();
  }

  /** The object in a field that is not primitive. */
  Object get(Object value) throws MisfitException {
    try {
      return getter.invoke(value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new MisfitException("a field can't be read: " + e);
    }
  }

  /** {@code reference}: the mapping of the objects in a field that is not primitive. */
  Property property(Mapping reference) {
    Mapping mapping = isReference() ? reference : ScalarMapping.of(slot);
    return new Property(name, List.of(), slot, mapping, getter, setter, null);
  }
}
