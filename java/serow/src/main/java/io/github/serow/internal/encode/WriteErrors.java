package io.github.serow.internal.encode;

import io.github.serow.EncodeException;
import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.LimitException;
import io.github.serow.Row;
import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.SizeGuard;
import io.github.serow.internal.value.ValueKind;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.TypeMismatch;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Describes what failed while a row was written. */
public final class WriteErrors {
  /** In place of a row's index: the row is a single record. */
  public static final int RECORD = -1;

  private static final String TWICE_IN_SET = "that has an element twice";
  private static final String TWICE_IN_MAP = "that has a key twice";

  private WriteErrors() {}

  /**
   * The exception for a failure, which may have a place in the row.
   *
   * @param isMapped whether the rows are of a caller's class
   * @return the failure itself if it is an exception of the caller's own, or has all that it needs
   */
  public static RuntimeException of(Type root, boolean isMapped, long row, RuntimeException error) {
    RuntimeException cause = PlacedException.cause(error);
    FieldPath path = PlacedException.path(error);
    if (cause instanceof TypeMismatch mismatch) {
      return ofMismatch(root, isMapped, row, path, mismatch);
    }
    if (cause instanceof FieldReadException unread) {
      addField(path, unread);
      return unreadable(row, path, path.in(root), unread);
    }
    if (cause instanceof LimitException) {
      return new LimitException(
          name(row) + path.described(path.in(root)) + ": " + cause.getMessage());
    }
    return cause;
  }

  private static String name(long row) {
    return row == RECORD ? "record" : "row " + row;
  }

  private static long index(long row) {
    return row == RECORD ? 0 : row;
  }

  private static RuntimeException ofMismatch(
      Type root, boolean isMapped, long row, FieldPath path, TypeMismatch mismatch) {
    Type expected = path.in(root);
    Object value = mismatch.value();
    if (mismatch.getMessage() != null) {
      return at(row, path, expected, mismatch.getMessage());
    }
    if (value == null) {
      boolean isElement = isMapped && path.isAtElement();
      return at(
          row,
          path,
          expected,
          isElement
              ? "null; declare it with @Nullable for types, such as JSpecify's, or as an Optional"
              : "null");
    }
    if ((value instanceof Set || value instanceof Map) && !SizeGuard.isWithin(value)) {
      // It says what is too large.
      new ShapeInspector().of(index(row), value, null);
    }
    return at(row, path, expected, describe(value, expected));
  }

  /** The exception for a getter that failed while a schema was inferred. */
  static EncodeException unreadable(long row, FieldPath path, FieldReadException error) {
    addField(path, error);
    return unreadable(row, path, null, error);
  }

  private static void addField(FieldPath path, FieldReadException error) {
    if (error.field() != null && path.depth() < Limits.MAX_DEPTH) {
      path.enter();
      path.field(error.field());
    }
  }

  private static EncodeException unreadable(
      long row, FieldPath path, Type expected, FieldReadException error) {
    String message =
        name(row) + path.described(expected) + ": cannot read it, because " + error.reason();
    return new EncodeException(message, error.getCause(), index(row), path.steps(), -1);
  }

  /** The exception for a value that has no type. */
  static EncodeException at(long row, FieldPath path, Type expected, Object value) {
    return at(row, path, expected, describe(value, null));
  }

  /** The exception for a mutable value in a set or in a key of a map. */
  static EncodeException unhashable(long row, FieldPath path, Object value) {
    return at(
        row,
        path,
        null,
        describe(value, null)
            + " in a set or in a key of a map, because some languages can't hash it; use Object[]"
            + " for a list, FrozenSet for a set");
  }

  private static EncodeException at(long row, FieldPath path, Type expected, String description) {
    String message = name(row) + path.described(expected) + ": cannot encode " + description;
    return new EncodeException(message, null, index(row), path.steps(), -1);
  }

  private static String describe(Object value, Type expected) {
    String why = expected == null ? null : difference(expected.required(), value);
    return why == null ? describe(value) : describe(value) + " " + why;
  }

  /** Why a container of the right class does not fit. */
  private static String difference(Type type, Object value) {
    return switch (type.code()) {
      case TypeCodes.SET -> ValueKind.isSet(value) ? TWICE_IN_SET : null;
      case TypeCodes.FROZENSET -> value instanceof FrozenSet ? TWICE_IN_SET : null;
      case TypeCodes.MAP -> value instanceof Map ? TWICE_IN_MAP : null;
      case TypeCodes.DICT_BEGIN ->
          value instanceof Map<?, ?> map
              ? new Names(null, type.names(), type.maybe()).difference(map)
              : null;
      case TypeCodes.UNION_BEGIN ->
          type.parts().stream()
              .map(arm -> difference(arm, value))
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      default -> null;
    };
  }

  private static String describe(Object value) {
    if (value == null) {
      return "null";
    }
    String name = value.getClass().getTypeName();
    if (value instanceof Object[] fields) {
      return "a tuple of " + fields.length + " (" + name + ")";
    }
    if (value instanceof List<?> list) {
      return "a list of " + list.size() + " (" + name + ")";
    }
    if (value instanceof Set<?> set) {
      String kind = value instanceof FrozenSet ? "a frozenset of " : "a set of ";
      return kind + set.size() + " (" + name + ")";
    }
    if (value instanceof Map<?, ?> map) {
      return "a map of " + map.size() + " (" + name + ")";
    }
    if (value instanceof Row row) {
      return "a row of " + row.name() + row.fields();
    }
    if (value instanceof Enum || value instanceof EnumMember) {
      return value + " (" + name + ")";
    }
    CompositeType type = CompositeTypes.of(value);
    String refusal = type == null ? advice(value) : type.refusal(value);
    return refusal == null ? name : name + (type == null ? ", " : " ") + refusal;
  }

  /** What to use instead of a value without a type; null if it has one. */
  private static String advice(Object value) {
    if (ValueKind.of(value) != ValueKind.OTHER) {
      return null;
    }
    Class<?> type = value.getClass();
    String advice = ValueAdvice.of(value);
    if (advice == null) {
      advice = ScalaClass.advice(value);
    }
    if (advice != null) {
      return advice;
    }
    Class<?> above = type;
    while (above.getClassLoader() != null) {
      above = above.getSuperclass();
    }
    if (type == above || Modifier.isAbstract(above.getModifiers())) {
      return "which has no type; use a String, a number, or a Codec of a class with a converter";
    }
    return above == Object.class
        ? "which is no record; encode it with a Codec of its class"
        : "whose class may add anything; encode a plain " + above.getTypeName();
  }
}
