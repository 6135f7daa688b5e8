package io.github.serow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.NullMarked;

/**
 * The value of a component or property that the rows of an older message lack. So a class that gets
 * a new component still reads the messages that were written before.
 *
 * <p>A text, a number, a date or the like is given as its class's {@code toString} writes it, and a
 * constant of an enum by its name in the schema. {@code "[]"} and <code>"{}"</code> are an empty
 * collection and an empty map. A null in a message stays a null. Without this annotation, a class
 * that is made by its fields or a builder has the values of a new object as defaults.
 *
 * <pre>{@code
 * record Part(long key, @Default("1") int count, @Default("EUR") String currency) {}
 * }</pre>
 */
@NullMarked
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({
  ElementType.RECORD_COMPONENT,
  ElementType.FIELD,
  ElementType.METHOD,
  ElementType.PARAMETER
})
public @interface Default {
  /**
   * The value as text.
   *
   * @return the text
   */
  String value();
}
