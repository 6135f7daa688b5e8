package io.github.serow.mapping;

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

  private static final Map<String, String> OF = new HashMap<>();

  static {
    put(
        Object.class,
        "declare the class of its values, or a sealed interface that all their classes implement;"
            + " for rows of any type use Codec.ofAny");
    put(Row.class, "use a record with its fields");
    put(EnumMember.class, "use an enum with its constants");
    put(Number.class, "name the class of the numbers, such as Long or BigDecimal");
    put(CharSequence.class, "use String");
    put(Iterable.class, "use List");
    put(java.util.Calendar.class, "use java.time.ZonedDateTime");
    OF.put("java.sql.Time", "use java.time.LocalTime");
    convert("java.util.Date", "java.time.Instant", "Date::toInstant, Date::from");
    convert("java.sql.Timestamp", "java.time.Instant", "Timestamp::toInstant, Timestamp::from");
    convert("java.sql.Date", "java.time.LocalDate", "Date::toLocalDate, Date::valueOf");
    convert("java.net.URI", "URI::toString, URI::create");
    convert("java.util.Currency", "Currency::getCurrencyCode, Currency::getInstance");
    convert("java.util.Locale", "Locale::toLanguageTag, Locale::forLanguageTag");
    convert("java.util.TimeZone", "TimeZone::getID, TimeZone::getTimeZone");
    convert("java.util.regex.Pattern", "Pattern::pattern, Pattern::compile");
    convert("java.io.File", "File::getPath, File::new");
    convert("java.nio.file.Path", "Path::toString, Path::of");
    convert("java.time.ZoneId", "ZoneId::getId, ZoneId::of");
    convert("java.time.Period", "Period::toString, Period::parse");
    convert("java.time.YearMonth", "YearMonth::toString, YearMonth::parse");
    convert("java.time.MonthDay", "MonthDay::toString, MonthDay::parse");
    convert("java.lang.StringBuilder", "StringBuilder::toString, StringBuilder::new");
    convert("java.time.Year", "Integer", "Year::getValue, Year::of");
    convert(
        "java.util.concurrent.atomic.AtomicInteger",
        "Integer",
        "AtomicInteger::get, AtomicInteger::new");
    convert("java.util.concurrent.atomic.AtomicLong", "Long", "AtomicLong::get, AtomicLong::new");
    convert(
        "java.util.concurrent.atomic.AtomicBoolean",
        "Boolean",
        "AtomicBoolean::get, AtomicBoolean::new");
    convert("java.util.BitSet", "long[]", "BitSet::toLongArray, BitSet::valueOf");
  }

  private Advice() {}

  private static void put(Class<?> type, String advice) {
    OF.put(type.getName(), advice);
  }

  private static void convert(String type, String functions) {
    convert(type, "String", functions);
  }

  private static void convert(String type, String plain, String functions) {
    String name = type.substring(type.lastIndexOf('.') + 1);
    OF.put(
        type,
        "register a converter: Mappings.standard().withConverter("
            + name
            + ".class, "
            + plain.substring(plain.lastIndexOf('.') + 1)
            + ".class, "
            + functions
            + ")");
  }

  /** The advice for a class; null if there is none. */
  static String of(Class<?> type) {
    if (BaseStream.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type)) {
      return "use List";
    }
    return OF.get(type.getName());
  }
}
