package io.github.serow.internal.schema;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What Jackson's annotations keep out of its output, or out of its input. serow does not obey them,
 * but must not write a password that they hide. So such a property needs an annotation of serow's.
 */
public final class LeftOut {
  private static final Set<String> PROPERTIES = Set.of("JsonIgnore", "JsonBackReference");
  private static final Set<String> ACCESS = Set.of("READ_ONLY", "WRITE_ONLY");

  private LeftOut() {}

  /**
   * Why a property can't be written as if Jackson's annotations were not there.
   *
   * @param name of the property in Java
   * @param of the class of the property; null if it is unknown
   * @param owner the class that has the property
   * @return words that follow the name of the class; null if nothing leaves the property out, or
   *     {@code @Ignore} or {@code @Name} decides
   */
  public static String why(
      String name, PropertyAnnotations annotations, Class<?> of, Class<?> owner) {
    if (annotations.isIgnored() || annotations.isNamed()) {
      return null;
    }
    return annotations
        .all()
        .filter(LeftOut::isLeftOutBy)
        .map(LeftOut::simpleName)
        .findFirst()
        .or(() -> byClass(List.of(name, annotations.givenName()), of, owner))
        .map(
            it ->
                ("whose %s is left out by @%s, which serow does not obey; add @Ignore to leave it"
                        + " out, or @Name to write it")
                    .formatted(name, it))
        .orElse(null);
  }

  private static boolean isLeftOutBy(Annotation annotation) {
    return switch (simpleName(annotation)) {
      case "JsonProperty" ->
          ACCESS.contains(String.valueOf(PropertyAnnotations.attribute(annotation, "access")));
      // Of a property, it is about the properties inside it.
      case "JsonIgnoreProperties" -> names(annotation).length > 0;
      case "JsonIncludeProperties" -> true;
      default -> PROPERTIES.contains(simpleName(annotation));
    };
  }

  /**
   * The annotation of the class that has the property, or of the class of the property.
   *
   * @param names of the property, in Java and for Jackson
   */
  private static Optional<String> byClass(List<String> names, Class<?> of, Class<?> owner) {
    for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
      for (Annotation annotation : at.getDeclaredAnnotations()) {
        boolean isListed = Arrays.stream(names(annotation)).anyMatch(names::contains);
        String simple = simpleName(annotation);
        if (simple.equals("JsonIgnoreProperties") && isListed
            || simple.equals("JsonIncludeProperties") && !isListed) {
          return Optional.of(simple);
        }
      }
    }
    return Optional.ofNullable(of)
        .filter(type -> PropertyAnnotations.of(type).hasOneOf(Set.of("JsonIgnoreType")))
        .map(type -> "JsonIgnoreType");
  }

  private static String simpleName(Annotation annotation) {
    return annotation.annotationType().getSimpleName();
  }

  private static String[] names(Annotation annotation) {
    return PropertyAnnotations.attribute(annotation, "value") instanceof String[] names
        ? names
        : new String[0];
  }
}
