package io.github.serow.spark.exact;

import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Mapping;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/**
 * A tuple of primitive values, such as {@code Tuple2$mcII$sp}, which {@code (1, 2)} is. It has the
 * fields of {@code Tuple2} too, but they are null.
 */
final class SpecializedTuple extends ExactClass {
  /** All of them, in Scala 2.12, 2.13 and 3. */
  static final List<String> NAMES = names();

  private final FieldList fields = new FieldList();
  private final ObjectMapping.Maker maker;

  SpecializedTuple(Class<?> type) throws MisfitException, ReflectiveOperationException {
    super(type, 0, false);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Constructor<?> constructor = type.getConstructors()[0];
    for (Class<?> element : constructor.getParameterTypes()) {
      String name = "_" + (fields.size() + 1);
      String getter = name + "$mc" + element.descriptorString() + "$sp";
      fields.add(name, element, lookup.unreflect(type.getMethod(getter)), null);
    }
    maker = fields.maker(lookup.unreflectConstructor(constructor));
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String first : List.of("I", "J", "D")) {
      names.add("scala.Tuple1$mc" + first + "$sp");
    }
    List<String> all = List.of("I", "J", "D", "C", "Z");
    for (String first : all) {
      for (String second : all) {
        names.add("scala.Tuple2$mc" + first + second + "$sp");
      }
    }
    return names;
  }

  @Override
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    return fields.mapping(this, maker, of, isTracked);
  }
}
