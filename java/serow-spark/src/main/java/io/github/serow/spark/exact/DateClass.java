package io.github.serow.spark.exact;

import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Mapping;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * {@link java.util.Date} and its subclasses in {@code java.sql}, a module that may be missing: the
 * milliseconds since 1970, and the nanoseconds of a timestamp.
 */
final class DateClass extends ExactClass {
  static final String TIMESTAMP = "java.sql.Timestamp";

  private final FieldList fields = new FieldList();
  private final ObjectMapping.Maker maker;

  DateClass(Class<?> type) throws MisfitException, ReflectiveOperationException {
    super(type, 0, true);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    fields.add("time", long.class, lookup.unreflect(type.getMethod("getTime")), null);
    MethodHandle make = lookup.findConstructor(type, MethodType.methodType(void.class, long.class));
    if (type.getName().equals(TIMESTAMP)) {
      fields.add("nanos", int.class, lookup.unreflect(type.getMethod("getNanos")), null);
      MethodHandle set = lookup.unreflect(type.getMethod("setNanos", int.class));
      MethodHandle same = MethodHandles.dropArguments(MethodHandles.identity(type), 1, int.class);
      make = MethodHandles.filterArguments(MethodHandles.foldArguments(same, set), 0, make);
    }
    maker = fields.maker(make);
  }

  @Override
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    return fields.mapping(this, maker, of, isTracked);
  }
}
