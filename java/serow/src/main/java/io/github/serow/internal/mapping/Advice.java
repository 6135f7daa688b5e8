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
    put(
        java.util.regex.Pattern.class,
        "keep the text and the flags that it is compiled with, as a String and an int");
    put(java.util.TimeZone.class, "use java.time.ZoneId");
    OF.put("java.sql.Time", "use java.time.LocalTime");
    convert("java.util.Date", "java.time.Instant", "Date::toInstant, Date::from");
    convert("java.sql.Date", "Long", "Date::getTime, Date::new");
    convert("java.sql.Timestamp", "java.time.Instant", "Timestamp::toInstant, Timestamp::from");
    convert("java.net.URI", "URI::toString, URI::create");
    convert("java.util.Currency", "Currency::getCurrencyCode, Currency::getInstance");
    // The tag of a locale that is not well formed lacks parts of it.
    convert(
        "java.util.Locale",
        "locale -> { String tag = locale.toLanguageTag(); if"
            + " (!Locale.forLanguageTag(tag).equals(locale)) throw new"
            + " IllegalArgumentException(tag); return tag; }, Locale::forLanguageTag");
    convert("java.io.File", "File::getPath, File::new");
    // A path of another file system, such as one in a zip file, has no file.
    convert("java.nio.file.Path", "path -> path.toFile().getPath(), Path::of");
    convert("java.time.ZoneId", "ZoneId::getId, ZoneId::of");
    convert("java.time.Period", "Period::toString, Period::parse");
    convert("java.time.MonthDay", "MonthDay::toString, MonthDay::parse");
    // Its own text of a year after 9999 can't be parsed.
    convert(
        "java.time.YearMonth", "java.time.LocalDate", "month -> month.atDay(1), YearMonth::from");
    convert("java.time.Year", "Integer", "Year::getValue, Year::of");
    convert("java.lang.StringBuilder", "StringBuilder::toString, StringBuilder::new");
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
        "register a converter: Mappings.standard().withConverter(%s.class, %s.class, %s)"
            .formatted(name, plain.substring(plain.lastIndexOf('.') + 1), functions));
  }

  /** The advice for a class; null if there is none. */
  static String of(Class<?> type) {
    if (BaseStream.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type)) {
      return "use List";
    }
    return OF.get(type.getName());
  }
}
