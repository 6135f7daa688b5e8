package io.github.serow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name in the schema, where it differs from the name in Java: of a component of a record, of a
 * property (on its field, getter, setter or constructor parameter), of a constant of an enum, or of
 * a record, class or enum itself.
 *
 * <pre>{@code
 * @Name("Part")
 * record PartRow(@Name("part_key") long key, String name) {}
 * Schema.of(PartRow.class).toString(); // "Part{part_key: i64, name: str?}"
 * }</pre>
 */
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
   * The name in the schema.
   *
   * @return the name
   */
  String value();
}
