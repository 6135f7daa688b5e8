package io.github.serow.exact;

import io.github.serow.schema.Mapping;
import java.util.List;
import java.util.Set;

/** A class of lists or sets. Its plain values are arrays of the elements, in order of iteration. */
class Elements extends ExactClass {
  private final Set<Class<?>> classes;
  private final Form.Steps steps;

  /**
   * Creates a class.
   *
   * @param type the class that shapes name
   * @param classes the classes of objects
   * @param steps make an array of elements and a collection again; the first one throws for an
   *     object that would come back as one of another class
   */
  Elements(Class<?> type, Set<Class<?>> classes, boolean isMutable, Form.Steps steps) {
    super(type, 1, isMutable);
    this.classes = classes;
    this.steps = steps;
  }

  @Override
  boolean takes(Object value) {
    return value != null && classes.contains(value.getClass());
  }

  @Override
  boolean isAt(Class<?> declared) {
    return classes.stream().anyMatch(declared::isAssignableFrom);
  }

  @Override
  boolean hasSubclasses() {
    return !classes.equals(Set.of(type));
  }

  @Override
  boolean hasManyParts() {
    return true;
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    for (Object element : (Object[]) steps.plain(value)) {
      visitor.part(0, element);
    }
  }

  @Override
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    return Form.sequence(of.get(0), steps, isTracked);
  }
}
