package io.github.serow.schema;

import io.github.serow.Default;
import io.github.serow.Ignore;
import io.github.serow.Name;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The annotations of a property, which may be at its field, its getter, or elsewhere. */
public final class Marks {
  /** Annotations of any library that mark a property as never null. */
  private static final Set<String> NEVER_NULL = Set.of("NonNull", "NotNull", "Nonnull");

  private final List<AnnotatedElement> elements;

  /** Whether an annotation that reflection does not show says that values are never null. */
  private final boolean isNeverNull;

  private Marks(List<AnnotatedElement> elements, boolean isNeverNull) {
    this.elements = elements;
    this.isNeverNull = isNeverNull;
  }

  /** The annotations of these elements; a null is no element. */
  public static Marks of(AnnotatedElement... elements) {
    return new Marks(Arrays.stream(elements).filter(Objects::nonNull).toList(), false);
  }

  /** These annotations, and one that says that values are never null. */
  public Marks andNeverNull() {
    return new Marks(elements, true);
  }

  /** These annotations and those of one more element, which may be null. */
  public Marks and(AnnotatedElement element) {
    return element == null
        ? this
        : new Marks(Stream.concat(elements.stream(), Stream.of(element)).toList(), isNeverNull);
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
    return isNeverNull
        || elements.stream()
            .flatMap(element -> Arrays.stream(element.getAnnotations()))
            .anyMatch(it -> isNeverNull(it.annotationType().getSimpleName()));
  }

  /** Whether an annotation with this simple name says that values are never null. */
  public static boolean isNeverNull(String annotation) {
    return NEVER_NULL.contains(annotation);
  }
}
