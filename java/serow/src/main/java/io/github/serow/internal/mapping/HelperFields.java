package io.github.serow.internal.mapping;

import java.util.Set;

/** Recognizes the classes of fields that hold no data: locks, loggers, and Kotlin's lazy values. */
final class HelperFields {
  /** Loggers of the common libraries. */
  private static final Set<String> LOGGERS =
      Set.of(
          "java.util.logging.Logger",
          "java.lang.System$Logger",
          "org.slf4j.Logger",
          "org.slf4j.ext.XLogger",
          "ch.qos.logback.classic.Logger",
          "org.apache.logging.log4j.Logger",
          "org.apache.log4j.Category",
          "org.apache.log4j.Logger",
          "org.apache.commons.logging.Log",
          "org.jboss.logging.Logger",
          "org.jboss.logging.BasicLogger",
          "org.tinylog.TaggedLogger",
          "com.google.common.flogger.FluentLogger",
          "com.google.common.flogger.GoogleLogger",
          "com.typesafe.scalalogging.Logger",
          "io.github.oshai.kotlinlogging.KLogger",
          "mu.KLogger");

  private static final String LOCKS = "java.util.concurrent.locks.";

  /** The value of a property of Kotlin's that is computed when it is first read. */
  private static final String LAZY = "kotlin.Lazy";

  private HelperFields() {}

  static boolean isHelper(Class<?> type) {
    String name = type.getName();
    return name.startsWith(LOCKS) || LOGGERS.contains(name) || name.equals(LAZY);
  }
}
