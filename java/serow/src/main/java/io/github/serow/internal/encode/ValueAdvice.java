package io.github.serow.internal.encode;

import io.github.serow.internal.value.KeptCollections;
import java.util.Calendar;
import java.util.Date;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.BaseStream;

/** What to use instead of a value whose class has no type in rows without a class. */
final class ValueAdvice {
  private static final String TEXT = "which is not text; use toString";

  private static final String ATOMIC = "which may change; use get";

  private static final String POINT_IN_TIME =
      "which has no local time; use toInstant().atOffset(ZoneOffset.UTC)";

  /** By name, because some are in modules that a program may lack. */
  private static final Map<String, String> OF =
      Map.ofEntries(
          Map.entry("java.time.Instant", "which has no local time; use atOffset(ZoneOffset.UTC)"),
          Map.entry("java.sql.Date", "which is a date; use toLocalDate"),
          Map.entry("java.sql.Time", "which is a time of day; use toLocalTime"),
          Map.entry("java.time.Year", "which is a number; use getValue"),
          Map.entry("java.lang.Character", "which is not text; use String.valueOf"),
          Map.entry("[C", "which is not text; use String.valueOf"),
          Map.entry("java.util.BitSet", "which is no list; use toLongArray"),
          Map.entry("java.util.concurrent.atomic.AtomicInteger", ATOMIC),
          Map.entry("java.util.concurrent.atomic.AtomicLong", ATOMIC),
          Map.entry("java.util.concurrent.atomic.AtomicBoolean", ATOMIC),
          Map.entry("java.util.concurrent.atomic.AtomicReference", ATOMIC),
          Map.entry("java.net.URI", TEXT),
          Map.entry("java.net.URL", TEXT),
          Map.entry("java.io.File", "which is not text; use getPath"),
          Map.entry("java.util.Currency", TEXT),
          Map.entry("java.util.Locale", "which is not text; use toLanguageTag"),
          Map.entry("java.util.regex.Pattern", "which is not text; use pattern"),
          Map.entry("java.time.Period", TEXT),
          Map.entry("java.time.YearMonth", TEXT),
          Map.entry("java.time.MonthDay", TEXT));

  private ValueAdvice() {}

  /** The advice for a value; null if there is none. */
  static String of(Object value) {
    String advice = OF.get(value.getClass().getName());
    if (advice != null) {
      return advice;
    }
    if (value instanceof CharSequence) {
      return TEXT;
    }
    if (value instanceof Date || value instanceof Calendar) {
      return POINT_IN_TIME;
    }
    if (value instanceof java.nio.file.Path) {
      return TEXT;
    }
    if (value instanceof Iterator
        || value instanceof Enumeration
        || value instanceof BaseStream
        || value instanceof Iterable && !(value instanceof java.util.Collection)) {
      return "which may give its elements only once; use a List";
    }
    if (KeptCollections.isQueueOfPriority(value.getClass())) {
      return "which gives its elements in no order; use stream().sorted().toList()";
    }
    return value instanceof Map.Entry ? "which is no tuple; use new Object[] {key, value}" : null;
  }
}
