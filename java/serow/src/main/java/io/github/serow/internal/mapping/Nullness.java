package io.github.serow.internal.mapping;

import io.github.serow.internal.kotlin.KotlinClass;
import io.github.serow.internal.schema.PropertyAnnotations;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What the source says about nulls at a use of a type: annotations of any library, an annotation
 * {@code NullMarked} around it, or Kotlin's types.
 *
 * @param isNullable whether it says that values may be null
 * @param isNeverNull whether it says that they are not; both are false if it says nothing
 * @param arguments the same for the type arguments, or for the elements of an array; may be empty
 */
record Nullness(boolean isNullable, boolean isNeverNull, List<Nullness> arguments) {
  static final Nullness UNKNOWN = new Nullness(false, false, List.of());

  private static final Set<String> MARKED = Set.of("NullMarked");
  private static final Set<String> UNMARKED = Set.of("NullUnmarked");

  /** The nullness of a type that is written inside the class {@code within}. */
  static Nullness of(AnnotatedType type, Class<?> within) {
    return of(type, isMarked(within));
  }

  /** The nullness of a type in Kotlin's source. That of a type parameter is unknown. */
  static Nullness of(KotlinClass.KotlinType type) {
    return new Nullness(
        type.isNullable(),
        !type.isNullable() && type.name() != null,
        type.arguments().stream().map(Nullness::of).toList());
  }

  private static Nullness of(AnnotatedType type, boolean isMarked) {
    if (type instanceof AnnotatedWildcardType wildcard) {
      AnnotatedType[] bounds = wildcard.getAnnotatedUpperBounds();
      return bounds.length == 0 ? UNKNOWN : of(bounds[0], isMarked);
    }
    AnnotatedType[] parts = {};
    if (type instanceof AnnotatedParameterizedType generic) {
      parts = generic.getAnnotatedActualTypeArguments();
    } else if (type instanceof AnnotatedArrayType array) {
      parts = new AnnotatedType[] {array.getAnnotatedGenericComponentType()};
    }
    PropertyAnnotations annotations = PropertyAnnotations.of(type);
    boolean isNullable = annotations.isNullable();
    // What a type parameter stands for decides about its nulls.
    boolean isMarkedHere = isMarked && !(type instanceof AnnotatedTypeVariable);
    return new Nullness(
        isNullable,
        annotations.isNeverNull() || isMarkedHere && !isNullable,
        Arrays.stream(parts).map(part -> of(part, isMarked)).toList());
  }

  /** Whether types without an annotation are never null in a class. */
  private static boolean isMarked(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      if (has(at, MARKED) || has(at, UNMARKED)) {
        return has(at, MARKED);
      }
    }
    Package of = type.getPackage();
    return of != null && (has(of, MARKED) || has(of, UNMARKED))
        ? has(of, MARKED)
        : has(type.getModule(), MARKED);
  }

  private static boolean has(AnnotatedElement element, Set<String> names) {
    return PropertyAnnotations.of(element).hasOneOf(names);
  }

  /** The nullness of a type argument. */
  Nullness argument(int i) {
    return i < arguments.size() ? arguments.get(i) : UNKNOWN;
  }
}
