package io.github.serow.internal.mapping;

import io.github.serow.EnumMember;
import io.github.serow.Row;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.BaseStream;

/** What to use instead of a class that has no type. */
final class Advice {
  /** For other classes of Java's library. */
  static final String CONVERTER =
      "register a converter with Mappings.standard().withConverter, or use another class";

  /** For interfaces and abstract classes of the caller. */
  static final String SEALED =
      "make it sealed, or register a converter with Mappings.standard().withConverter";

  /** For classes that contain themselves. */
  static final String RECURSIVE =
      "write a list of all the objects, with indices in place of those inside them, for example by"
          + " a converter (Mappings.standard().withConverter), or mark the field with @Ignore";

  /**
   * Classes that a converter can write: the class, the class that is written, and the functions.
   * The tag of a locale that is not well formed lacks parts of it. A path of another file system,
   * such as one in a zip file, has no file. A year after 9999 has a text of YearMonth that can't be
   * parsed.
   */
  private static final String CONVERTERS =
      """
      java.util.Date Instant Date::toInstant, Date::from
      java.sql.Date Long Date::getTime, Date::new
      java.sql.Timestamp Instant Timestamp::toInstant, Timestamp::from
      java.net.URI String URI::toString, URI::create
      java.util.Currency String Currency::getCurrencyCode, Currency::getInstance
      java.util.Locale String locale -> { String tag = locale.toLanguageTag(); if \
      (!Locale.forLanguageTag(tag).equals(locale)) throw new IllegalArgumentException(tag); \
      return tag; }, Locale::forLanguageTag
      java.io.File String File::getPath, File::new
      java.nio.file.Path String path -> path.toFile().getPath(), Path::of
      java.time.ZoneId String ZoneId::getId, ZoneId::of
      java.time.Period String Period::toString, Period::parse
      java.time.MonthDay String MonthDay::toString, MonthDay::parse
      java.time.YearMonth LocalDate month -> month.atDay(1), YearMonth::from
      java.time.Year Integer Year::getValue, Year::of
      java.lang.StringBuilder String StringBuilder::toString, StringBuilder::new
      java.util.concurrent.atomic.AtomicInteger Integer AtomicInteger::get, AtomicInteger::new
      java.util.concurrent.atomic.AtomicLong Long AtomicLong::get, AtomicLong::new
      java.util.concurrent.atomic.AtomicBoolean Boolean AtomicBoolean::get, AtomicBoolean::new
      java.util.BitSet long[] BitSet::toLongArray, BitSet::valueOf
      """;

  private static final Map<String, String> OF = new HashMap<>();

  static {
    put(
        Object.class,
        "declare the class of its values, or a sealed interface that all their classes implement,"
            + " or register a converter to byte[] by Serow.dumps and Serow.loads; for rows of any"
            + " type use Codec.ofAny");
    put(Row.class, "use a record with its fields");
    put(EnumMember.class, "use an enum with its constants");
    put(Number.class, "name the class of the numbers, such as Long or BigDecimal");
    put(CharSequence.class, "use String");
    put(Iterable.class, "use List");
    put(java.util.Calendar.class, "use java.time.ZonedDateTime");
    put(
        java.util.regex.Pattern.class,
        "keep the text and the flags that it is compiled with, as a String and an int");
    put(java.util.TimeZone.class, "use java.time.ZoneId");
    OF.put("java.sql.Time", "use java.time.LocalTime");
    for (String line : CONVERTERS.lines().toList()) {
      String[] parts = line.split(" ", 3);
      String name = parts[0].substring(parts[0].lastIndexOf('.') + 1);
      OF.put(
          parts[0],
          "register a converter: Mappings.standard().withConverter(%s.class, %s.class, %s)"
              .formatted(name, parts[1], parts[2]));
    }
  }

  private Advice() {}

  private static void put(Class<?> type, String advice) {
    OF.put(type.getName(), advice);
  }

  /** The advice for a class; null if there is none. */
  static String of(Class<?> type) {
    if (BaseStream.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type)) {
      return "use List";
    }
    return OF.get(type.getName());
  }
}
