package io.github.serow.spark.exact;

import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.Mapping;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** The mapping of a class to a record of the same name. */
final class ExactObject extends ObjectMapping {
  private static final MethodHandle IDENTITY = MethodHandles.identity(Object.class);

  private final ExactClass of;

  ExactObject(ExactClass of, List<Property> properties, Maker maker) {
    super(of.type, of.type.getName(), List.of(), properties, maker, new Object());
    this.of = of;
  }

  /**
   * An arm of a union. Arms must be records of different names, so a value of another type becomes
   * the only field of one.
   */
  static ExactObject arm(ExactClass of, Mapping mapping) {
    if (mapping instanceof ExactObject object) {
      return object;
    }
    Property value = new Property("value", List.of(), Object.class, mapping, IDENTITY, null, null);
    return new ExactObject(of, List.of(value), new Maker(IDENTITY, false, null, false));
  }

  /**
   * An arm may have the objects of several classes: the constants of an enum, lists of any size.
   */
  @Override
  public boolean isAbstract() {
    return of.hasSubclasses();
  }

  @Override
  public boolean takes(Object value) {
    return of.takes(value);
  }
}
