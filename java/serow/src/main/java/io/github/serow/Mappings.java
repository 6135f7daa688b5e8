package io.github.serow;

import io.github.serow.internal.codec.ClassBindings;
import io.github.serow.internal.mapping.Converter;
import io.github.serow.internal.mapping.MapperOptions;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.NullMarked;

/**
 * How classes map to types of a schema, where {@link Schema#of(Class)} alone does not know: classes
 * that convert to others, and packages that are closed to serow. It is immutable and thread-safe.
 *
 * <pre>{@code
 * static final Mappings MAPPINGS =
 *     Mappings.standard().withConverter(URI.class, String.class, URI::toString, URI::create);
 *
 * record Site(URI address, List<URI> links) {}
 * Codec<Site> codec = Codec.of(Site.class, MAPPINGS);
 * }</pre>
 *
 * <p>Keep one for the program: it keeps the generated code of its classes.
 */
@NullMarked
public final class Mappings {
  private static final Mappings STANDARD = new Mappings(MapperOptions.NONE);

  private final MapperOptions options;

  /** The bindings of the classes that were used with these mappings. */
  private final ClassBindings bindings;

  private Mappings(MapperOptions options) {
    this.options = options;
    bindings = new ClassBindings(options);
  }

  /**
   * The mappings of {@link Codec#of(Class)}: without converters and lookups.
   *
   * @return the same object each time
   */
  public static Mappings standard() {
    return STANDARD;
  }

  /**
   * Adds a class that is written as another. The converter applies wherever exactly this class is
   * the type of a row, a component, a property, an element, a key or a value, and takes precedence
   * over what serow does with the class otherwise. It never gets a null.
   *
   * <p>If a function throws an exception, the row's error names the place and has the exception as
   * its cause.
   *
   * @param <T> the class
   * @param <P> the class that is written
   * @param type the class; no primitive class
   * @param plain the class that is written: any that has a type, also one with a converter
   * @param to converts for writing; must not return null unless {@code plain} may be null
   * @param from converts what was read; must not return null
   * @return these mappings and the converter
   */
  public <T, P> Mappings withConverter(
      Class<T> type,
      Class<P> plain,
      Function<? super T, ? extends P> to,
      Function<? super P, ? extends T> from) {
    return with(type, Objects.requireNonNull(plain, "plain"), to, from);
  }

  /**
   * Adds a class that is written as a generic type; see {@link #withConverter(Class, Class,
   * Function, Function)}.
   *
   * @param <T> the class
   * @param <P> the type that is written
   * @param type the class; no primitive class
   * @param plain the type that is written
   * @param to converts for writing
   * @param from converts what was read; must not return null
   * @return these mappings and the converter
   */
  public <T, P> Mappings withConverter(
      Class<T> type,
      TypeReference<P> plain,
      Function<? super T, ? extends P> to,
      Function<? super P, ? extends T> from) {
    return with(type, plain.type(), to, from);
  }

  private <T, P> Mappings with(
      Class<T> type,
      Type plain,
      Function<? super T, ? extends P> to,
      Function<? super P, ? extends T> from) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(from, "from");
    if (type.isPrimitive()) {
      throw new IllegalArgumentException("a primitive class can't be converted: " + type);
    }
    return new Mappings(options.with(type, Converter.of(type, plain, to, from)));
  }

  /**
   * Adds access to the classes of a module whose packages are closed to serow: with a lookup of one
   * of its classes, serow may use the private members of all of them.
   *
   * @param lookup {@code MethodHandles.lookup()}, called in a class of that module
   * @return these mappings and the lookup
   * @throws IllegalArgumentException if the lookup lacks access to private members
   */
  public Mappings withLookup(MethodHandles.Lookup lookup) {
    Objects.requireNonNull(lookup, "lookup");
    if (!lookup.hasFullPrivilegeAccess()) {
      throw new IllegalArgumentException(
          lookup + " lacks access to private members; pass MethodHandles.lookup() as it is");
    }
    return new Mappings(options.with(lookup));
  }

  MapperOptions options() {
    return options;
  }

  ClassBindings bindings() {
    return bindings;
  }
}
