package io.github.serow.internal.mapping;

import java.lang.invoke.MethodHandles.Lookup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a {@link Mapper} knows besides the classes themselves.
 *
 * @param converters by the class that is converted
 * @param lookups access to modules that are closed to serow
 */
public record MapperOptions(Map<Class<?>, Converter> converters, List<Lookup> lookups) {
  public static final MapperOptions NONE = new MapperOptions(Map.of(), List.of());

  /** These options with one more converter, which replaces an earlier one of the class. */
  public MapperOptions with(Class<?> type, Converter converter) {
    Map<Class<?>, Converter> all = new HashMap<>(converters);
    all.put(type, converter);
    return new MapperOptions(Map.copyOf(all), lookups);
  }

  /** These options with one more lookup. */
  public MapperOptions with(Lookup lookup) {
    return new MapperOptions(
        converters, Stream.concat(lookups.stream(), Stream.of(lookup)).toList());
  }
}
