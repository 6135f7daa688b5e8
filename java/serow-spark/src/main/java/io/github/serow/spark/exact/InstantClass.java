package io.github.serow.spark.exact;

import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Mapping;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Instant;
import java.util.List;

/** {@link Instant}, whose range is larger than that of a timestamp. */
final class InstantClass extends ExactClass {
  private final FieldList fields = new FieldList();
  private final ObjectMapping.Maker maker;

  InstantClass() throws MisfitException, ReflectiveOperationException {
    super(Instant.class, 0, false);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    fields.add("second", long.class, lookup.unreflect(type.getMethod("getEpochSecond")), null);
    fields.add("nano", int.class, lookup.unreflect(type.getMethod("getNano")), null);
    maker =
        fields.maker(
            lookup
                .findStatic(
                    type,
                    "ofEpochSecond",
                    MethodType.methodType(Instant.class, long.class, long.class))
                .asType(MethodType.methodType(Instant.class, long.class, int.class)));
  }

  @Override
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    return fields.mapping(this, maker, of, isTracked);
  }
}
