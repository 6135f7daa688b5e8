package io.github.serow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.NullMarked;

/**
 * Leaves a component of a record or a property of a class out of the schema, so it is neither
 * written nor read. If it is a parameter of the constructor, that gets the value of {@link Default}
 * for it, or else null, zero or false.
 *
 * <pre>{@code
 * record Session(String user, @Ignore Object cache) {}
 * Schema.of(Session.class).toString(); // "Session{user: str?}"
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
public @interface Ignore {}
