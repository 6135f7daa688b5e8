package io.github.serow.mapping;

import io.github.serow.schema.Marks;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether the value of a field would be lost if decoding does not set it. These are not
 * lost: transient and ignored fields, locks and loggers, constants, and final fields with an
 * immutable value that the constructor computes again ({@link ComputedFields}).
 */
final class LostFields {
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

  private final Properties properties;
  private final Map<Class<?>, Set<String>> computed = new HashMap<>();

  LostFields(Properties properties) {
    this.properties = properties;
  }

  /** Whether the value of a field would be lost if nothing sets it. */
  boolean contains(String name, Field field) {
    if (Modifier.isTransient(field.getModifiers()) || Marks.of(field).isIgnored()) {
      return false;
    }
    if (Modifier.isFinal(field.getModifiers()) && isAlwaysTheSame(field)) {
      return false;
    }
    // A class of this name may have a converter.
    return !isHelper(field.getType()) || properties.hasType(name, field.getGenericType());
  }

  private static boolean isHelper(Class<?> type) {
    String name = type.getName();
    return name.startsWith(LOCKS) || LOGGERS.contains(name) || name.equals(LAZY);
  }

  private boolean isAlwaysTheSame(Field field) {
    return ScalarMapping.isImmutable(field.getType())
        && computed
            .computeIfAbsent(
                field.getDeclaringClass(), it -> ComputedFields.of(it, properties.type))
            .contains(field.getName());
  }
}
