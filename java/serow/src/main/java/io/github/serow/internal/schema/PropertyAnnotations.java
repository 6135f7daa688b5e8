package io.github.serow.internal.schema;

import io.github.serow.Default;
import io.github.serow.Ignore;
import io.github.serow.Name;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The annotations of a property, which may be at its field, its getter, or elsewhere. */
public final class PropertyAnnotations {
  /** Annotations of any library that mark a property as never null. */
  private static final Set<String> NEVER_NULL = Set.of("NonNull", "NotNull", "Nonnull");

  private static final Set<String> NULLABLE = Set.of("Nullable", "CheckForNull");

  /** Annotations that give a name to a parameter, a field or a getter. */
  private static final Set<String> NAMING = Set.of(Name.class.getSimpleName(), "JsonProperty");

  private final List<AnnotatedElement> elements;

  private PropertyAnnotations(List<AnnotatedElement> elements) {
    this.elements = elements;
  }

  /** The annotations of these elements; a null is no element. */
  public static PropertyAnnotations of(AnnotatedElement... elements) {
    return new PropertyAnnotations(Arrays.stream(elements).filter(Objects::nonNull).toList());
  }

  /** The annotations of a component of a record. Many are not for components, only for fields. */
  public static PropertyAnnotations of(RecordComponent component) {
    try {
      return of(
          component,
          component.getAnnotatedType(),
          component.getAccessor(),
          component.getDeclaringRecord().getDeclaredField(component.getName()));
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("a component of a record has a field", e);
    }
  }

  /** These annotations and those of more elements. */
  public PropertyAnnotations and(AnnotatedElement... more) {
    return new PropertyAnnotations(
        Stream.concat(elements.stream(), Arrays.stream(more)).filter(Objects::nonNull).toList());
  }

  private <A extends Annotation> A find(Class<A> type) {
    for (AnnotatedElement element : elements) {
      A found = element.getAnnotation(type);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The name in the schema; {@code java} unless {@link Name} gives another. */
  public String name(String java) {
    Name name = find(Name.class);
    return name == null || name.value().isEmpty() ? java : name.value();
  }

  /** The former names in the schema. */
  public List<String> formerNames() {
    Name name = find(Name.class);
    return name == null ? List.of() : List.of(name.was());
  }

  /** Whether {@link Name} says something about the name. */
  public boolean isNamed() {
    return find(Name.class) != null;
  }

  /** The name that {@link Name} or Jackson gives; empty if neither does. */
  public String givenName() {
    return all()
        .filter(it -> NAMING.contains(it.annotationType().getSimpleName()))
        .map(it -> attribute(it, "value") instanceof String name ? name : "")
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElse("");
  }

  public boolean isIgnored() {
    return find(Ignore.class) != null;
  }

  /** The text of the default; null if there is none. */
  public String defaultText() {
    Default found = find(Default.class);
    return found == null ? null : found.value();
  }

  /** Whether an annotation of any library says that values are never null. */
  public boolean isNeverNull() {
    return hasOneOf(NEVER_NULL);
  }

  /** Whether an annotation of any library says that values may be null. */
  public boolean isNullable() {
    return hasOneOf(NULLABLE);
  }

  /** An attribute of an annotation of any library; null if it has none with this name. */
  public static Object attribute(Annotation annotation, String name) {
    try {
      return annotation.annotationType().getMethod(name).invoke(annotation);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  Stream<Annotation> all() {
    return elements.stream().flatMap(element -> Arrays.stream(element.getAnnotations()));
  }

  /** Whether an annotation has one of these simple names, whatever its package is. */
  public boolean hasOneOf(Set<String> names) {
    return all().anyMatch(it -> names.contains(it.annotationType().getSimpleName()));
  }
}
