package io.github.serow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.NullMarked;

/**
 * The name in the schema, where it differs from the name in Java, and the names that it had before:
 * of a component of a record, of a property (on its field, getter, setter or constructor
 * parameter), of a constant of an enum, or of a record, class or enum itself.
 *
 * <pre>{@code
 * @Name("Part")
 * record PartRow(@Name("part_key") long key, @Name(was = "title") String name) {}
 * Schema.of(PartRow.class).toString(); // "Part{part_key: i64, name: str?}"
 * }</pre>
 *
 * <p>A codec of the class also reads rows that have a former name. If rows have several of the
 * names, it takes the present one, or else the first of {@link #was}.
 */
@NullMarked
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({
  ElementType.RECORD_COMPONENT,
  ElementType.FIELD,
  ElementType.METHOD,
  ElementType.PARAMETER,
  ElementType.TYPE
})
public @interface Name {
  /**
   * The name in the schema. Without it, the name is that in Java.
   *
   * @return the name
   */
  String value() default "";

  /**
   * The names that it had in the schemas of older rows. Two properties of a class, or two constants
   * of an enum, can't have had one name.
   *
   * @return the former names
   */
  String[] was() default {};
}
