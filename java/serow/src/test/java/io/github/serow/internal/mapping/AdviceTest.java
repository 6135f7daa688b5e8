package io.github.serow.internal.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Codec;
import io.github.serow.EncodeException;
import io.github.serow.Mappings;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.Wire;
import java.io.File;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The converters that errors advise: each value comes back as it was, or is refused. */
class AdviceTest {
  private static final String CONVERTER = "register a converter: ";

  /** Classes whose objects compare by identity. They are compared by their texts. */
  private static final Set<Class<?>> WITHOUT_EQUALS =
      Set.of(StringBuilder.class, AtomicInteger.class, AtomicLong.class, AtomicBoolean.class);

  /** Awkward values of each class that has an advised converter. */
  private static Map<Class<?>, List<?>> values() {
    Timestamp before = new Timestamp(-1);
    before.setNanos(123_456_789);
    Timestamp after = new Timestamp(1_700_000_000_000L);
    after.setNanos(1);
    List<Locale> locales = new ArrayList<>(List.of(Locale.getAvailableLocales()));
    locales.add(new Locale("ja", "JP", "JP"));
    locales.add(new Locale("no", "NO", "NY"));
    locales.add(new Locale("xx", "YY", "a b"));
    locales.add(new Locale("not a language"));
    locales.add(Locale.forLanguageTag("de-Latn-DE-u-co-phonebk-x-own"));
    List<ZoneId> zones =
        new ArrayList<>(ZoneId.getAvailableZoneIds().stream().map(ZoneId::of).toList());
    zones.addAll(List.of(ZoneOffset.UTC, ZoneOffset.ofTotalSeconds(3661), ZoneId.of("UTC+1")));
    Map<Class<?>, List<?>> values = new HashMap<>();
    values.put(
        Date.class,
        List.of(new Date(0), new Date(-1), new Date(Long.MAX_VALUE), new Date(Long.MIN_VALUE)));
    values.put(
        java.sql.Date.class,
        List.of(new java.sql.Date(1_700_000_000_123L), new java.sql.Date(-99_999_999_999_999L)));
    values.put(Timestamp.class, List.of(before, after, new Timestamp(0)));
    values.put(
        URI.class,
        List.of(URI.create(""), URI.create("urn:a:b"), URI.create("http://ü@h:1/%C3%BC?q=ä#f")));
    values.put(Currency.class, List.copyOf(Currency.getAvailableCurrencies()));
    values.put(Locale.class, locales);
    values.put(File.class, List.of(new File(""), new File("a//b/"), new File("/"), new File("ü")));
    values.put(Path.class, List.of(Path.of(""), Path.of("a/../b"), Path.of("/"), Path.of("ü")));
    values.put(ZoneId.class, zones);
    int least = Integer.MIN_VALUE;
    values.put(
        Period.class,
        List.of(Period.ZERO, Period.of(least, Integer.MAX_VALUE, least), Period.ofWeeks(3)));
    values.put(MonthDay.class, List.of(MonthDay.of(2, 29), MonthDay.of(12, 31)));
    values.put(
        YearMonth.class,
        List.of(
            YearMonth.of(12_345, 1),
            YearMonth.of(-1, 12),
            YearMonth.of(Year.MAX_VALUE, 12),
            YearMonth.of(Year.MIN_VALUE, 1)));
    values.put(Year.class, List.of(Year.of(0), Year.of(Year.MAX_VALUE), Year.of(Year.MIN_VALUE)));
    values.put(
        StringBuilder.class, List.of(new StringBuilder(), new StringBuilder("ü\ud83d\ude00\0")));
    values.put(AtomicInteger.class, List.of(new AtomicInteger(least), new AtomicInteger(7)));
    values.put(AtomicLong.class, List.of(new AtomicLong(Long.MIN_VALUE), new AtomicLong(7)));
    values.put(AtomicBoolean.class, List.of(new AtomicBoolean(), new AtomicBoolean(true)));
    values.put(
        BitSet.class,
        List.of(new BitSet(), BitSet.valueOf(new long[] {-1, 0, 1}), BitSet.valueOf(new byte[9])));
    return values;
  }

  /** What the error for a class says to do. */
  private static String advice(Class<?> type) {
    String message = assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
    return message.substring(message.indexOf("; ") + 2);
  }

  /** Compiles and runs what the errors for these classes say. */
  private static Map<Class<?>, Mappings> advised(Set<Class<?>> types, Path directory)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-d", directory.toString()));
    Map<Class<?>, String> names = new HashMap<>();
    for (Class<?> type : types) {
      String name = "Advised" + names.size();
      names.put(type, name);
      String advice = advice(type);
      assertTrue(advice.startsWith(CONVERTER), advice);
      String code =
          String.format(
              "import io.github.serow.Mappings; import java.time.*; import %s;"
                  + " public class %s implements java.util.function.Supplier<Mappings> {"
                  + " public Mappings get() { return %s; } }",
              type.getName(), name, advice.substring(CONVERTER.length()));
      arguments.add(Files.writeString(directory.resolve(name + ".java"), code).toString());
    }
    String[] all = arguments.toArray(String[]::new);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, all));
    Map<Class<?>, Mappings> mappings = new HashMap<>();
    // Not closed, because the lambdas are still needed.
    URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
    for (Map.Entry<Class<?>, String> name : names.entrySet()) {
      Object made = loader.loadClass(name.getValue()).getDeclaredConstructor().newInstance();
      mappings.put(name.getKey(), (Mappings) ((Supplier<?>) made).get());
    }
    return mappings;
  }

  @Test
  void advisedConvertersAreExact(@TempDir Path directory) throws Exception {
    Map<Class<?>, List<?>> values = values();
    Map<Class<?>, Mappings> mappings = advised(values.keySet(), directory);
    Set<String> refused = new TreeSet<>();
    for (Map.Entry<Class<?>, List<?>> entry : values.entrySet()) {
      for (Object value : entry.getValue()) {
        if (!comesBack(entry.getKey(), value, mappings.get(entry.getKey()))) {
          refused.add(value.toString());
        }
      }
    }
    // Their tags are those of other locales.
    assertEquals(Set.of("no_NO_NY", "not a language", "xx_YY_a b"), refused);
    Path zip = directory.resolve("a.zip");
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      assertTrue(!comesBack(Path.class, files.getPath("a"), mappings.get(Path.class)));
    }
  }

  @SuppressWarnings("unchecked") // The class of the value.
  private static <T> boolean comesBack(Class<?> type, Object value, Mappings mappings) {
    Codec<T> codec = Codec.of((Class<T>) type, mappings).withWire(Wire.FRAME);
    byte[] record;
    try {
      record = codec.encode((T) value);
    } catch (EncodeException e) {
      return false;
    }
    Object decoded = codec.decode(record);
    if (WITHOUT_EQUALS.contains(type)) {
      assertEquals(value.toString(), decoded.toString());
    } else {
      assertEquals(value, decoded);
    }
    return true;
  }

  @Test
  void eachAdvisedConverterIsTested() throws ReflectiveOperationException {
    Field all = Advice.class.getDeclaredField("OF");
    all.setAccessible(true);
    Set<String> tested = new TreeSet<>();
    values().keySet().forEach(type -> tested.add(type.getName()));
    Set<String> advised = new TreeSet<>();
    ((Map<?, ?>) all.get(null))
        .forEach(
            (type, text) -> {
              if (text.toString().startsWith(CONVERTER)) {
                advised.add(type.toString());
              }
            });
    assertEquals(advised, tested);
  }

  /** No converter keeps them: flags inside a pattern become flags of the whole. */
  @Test
  void classesWithoutAnExactConverterHaveOtherAdvice() {
    assertEquals(
        "keep the text and the flags that it is compiled with, as a String and an int",
        advice(Pattern.class));
    assertEquals("use java.time.ZoneId", advice(TimeZone.class));
    assertEquals("use java.time.ZonedDateTime", advice(Calendar.class));
    assertEquals("use java.time.LocalTime", advice(java.sql.Time.class));
  }
}
