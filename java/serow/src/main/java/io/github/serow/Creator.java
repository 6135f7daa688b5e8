package io.github.serow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.NullMarked;

/**
 * The constructor by which serow makes objects of its class. Each parameter is a property: a field
 * or a getter of the class with the parameter's name and type.
 *
 * <p>A class needs it if several constructors qualify, or if its class file has not the names of
 * parameters, because it is compiled without {@code -parameters}. Then {@link #value} gives them.
 *
 * <pre>{@code
 * final class Part {
 *   private final long key;
 *   private final String name;
 *
 *   @Creator({"key", "name"})
 *   Part(long key, String name) {
 *     this.key = key;
 *     this.name = name;
 *   }
 * }
 * }</pre>
 */
@NullMarked
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.CONSTRUCTOR)
public @interface Creator {
  /**
   * The names of the parameters in their order. Without them, those in the class file count.
   *
   * @return the names
   */
  String[] value() default {};
}
