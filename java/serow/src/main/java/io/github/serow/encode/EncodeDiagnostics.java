package io.github.serow.encode;

import io.github.serow.EncodeException;
import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.LimitException;
import io.github.serow.Row;
import io.github.serow.logical.CompositeType;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.scala.ScalaClass;
import io.github.serow.schema.FieldPath;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.Limits;
import io.github.serow.wire.TypeMismatch;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds out why a row does not fit its schema. A {@link RowWriter} only reports that it doesn't.
 * This class walks the row again to find the first wrong value.
 */
public final class EncodeDiagnostics {
  /** In place of the index of a row: the row of a single record. */
  public static final int RECORD = -1;

  private static final String TWICE_IN_SET = "that has an element twice";
  private static final String TWICE_IN_MAP = "that has a key twice";

  private final Type root;
  private final long row;
  private final FieldPath path = new FieldPath();
  private EncodeException found;

  /** How many values that take no bytes the row may still have. */
  private int zeroSizedLeft = Integer.MAX_VALUE;

  private EncodeDiagnostics(Type root, long row) {
    this.root = root;
    this.row = row;
  }

  /** The error for {@code value} in row {@code row}, which does not fit {@code type}. */
  public static EncodeException find(Type type, long row, Object value) {
    EncodeDiagnostics search = new EncodeDiagnostics(type, row);
    search.visit(type, value);
    return search.found != null ? search.found : changed(row);
  }

  /** The error for a row that fits at the second attempt, or does not fit its own schema. */
  static EncodeException changed(long row) {
    String message =
        name(row)
            + " did not fit the schema and then did; is it being changed while it is encoded?";
    return new EncodeException(message, null, index(row), null, -1);
  }

  private static String name(long row) {
    return row == RECORD ? "record" : "row " + row;
  }

  private static long index(long row) {
    return row == RECORD ? 0 : row;
  }

  /**
   * The error for {@code value} in row {@code row}, whose reading threw {@code error}. This reads
   * the row again to find the place. An exception of a getter becomes the cause of an error that
   * names the field. An exception of a collection is passed on unchanged.
   */
  public static RuntimeException unreadable(
      Type type, long row, Object value, RuntimeException error) {
    EncodeDiagnostics search = new EncodeDiagnostics(type, row);
    try {
      search.visit(type, value);
    } catch (FieldReadException e) {
      addField(search.path, e);
      // An exception of a getter that declares none is the error itself.
      return error instanceof FieldReadException it
          ? unreadable(row, search.path, search.path.in(type), it.reason(), it.getCause())
          : unreadable(
              row,
              search.path,
              search.path.in(type),
              FieldReadException.getterFailed(error),
              error);
    } catch (RuntimeException e) {
      // No getter failed in the second attempt.
    }
    return error instanceof FieldReadException it
        ? unreadable(row, null, null, it.reason(), it.getCause())
        : error;
  }

  /**
   * The error for {@code value} in row {@code row}, whose writing threw {@code error}: with the
   * place if a value is too large by itself, otherwise {@code error}.
   */
  public static LimitException beyondLimit(
      Type type, long row, Object value, LimitException error) {
    EncodeDiagnostics search = new EncodeDiagnostics(type, row);
    search.zeroSizedLeft = Limits.MAX_ROW_ZERO_SIZED;
    try {
      search.visit(type, value);
    } catch (LimitException e) {
      String place = search.path.described(search.path.in(type));
      return new LimitException(name(row) + place + ": " + e.getMessage());
    } catch (RuntimeException e) {
      // A getter that fails now did not when the row was written.
    }
    return error;
  }

  /**
   * The error for a row of unknown schema in which the getter of a field at {@code path} failed.
   */
  static EncodeException unreadable(long row, FieldPath path, FieldReadException error) {
    addField(path, error);
    return unreadable(row, path, null, error.reason(), error.getCause());
  }

  private static void addField(FieldPath path, FieldReadException error) {
    if (error.field() != null && path.depth() < Limits.MAX_DEPTH) {
      path.enter();
      path.field(error.field());
    }
  }

  private static EncodeException unreadable(
      long row, FieldPath path, Type expected, String reason, Throwable cause) {
    String place = path == null ? "" : path.described(expected);
    String message = name(row) + place + ": cannot read it, because " + reason;
    return new EncodeException(message, cause, index(row), path == null ? null : path.steps(), -1);
  }

  /** The error for {@code value} at {@code path}; the expected type may be null. */
  static EncodeException at(long row, FieldPath path, Type expected, Object value) {
    return at(row, path, expected, describe(value));
  }

  /** The error for a value in a set or in a key of a map that can't be hashed. */
  static EncodeException unhashable(long row, FieldPath path, Object value) {
    return at(
        row,
        path,
        null,
        describe(value)
            + " in a set or in a key of a map, because some languages can't hash it; use Object[]"
            + " for a list, FrozenSet for a set");
  }

  private static EncodeException at(long row, FieldPath path, Type expected, String description) {
    String message = name(row) + path.described(expected) + ": cannot encode " + description;
    return new EncodeException(message, null, index(row), path.steps(), -1);
  }

  /** Searches for the first misfit in prefix order. Returns true once it is found. */
  private boolean visit(Type type, Object mapped) {
    if (mapped == null && type.kind != Type.Kind.NULL && type.kind != Type.Kind.OPTIONAL) {
      return failAtNull(type);
    }
    Object value;
    try {
      value = type.mapping == null ? mapped : type.mapping.unwrap(mapped);
    } catch (TypeMismatch e) {
      return failAtMapped(type, mapped);
    }
    return switch (type.kind) {
      case I64, F64, STR, BOOL, ENUM -> !ValueKind.takes(type, value) && fail(value);
      case NULL -> {
        countZeroSized();
        yield value != null && fail(value);
      }
      case NEVER -> fail(value);
      case OPTIONAL -> value != null && visit(type.part(), value);
      case MAYBE -> value != Names.MISSING && visit(type.part(), value);
      case TUPLE, TUPLE_SEQUENCE, LIST, LIST_SEQUENCE, SET, FROZENSET, MAP, DICT, RECORD ->
          visitContainer(type, value);
      case UNION -> visitUnion(type, value);
      case LOGICAL -> visitLogical(type, value);
    };
  }

  /** Counts a value that takes no bytes. */
  private void countZeroSized() {
    if (--zeroSizedLeft < 0) {
      throw new LimitException(Limits.TOO_MANY_ZERO_SIZED);
    }
  }

  private boolean visitLogical(Type type, Object value) {
    if (!type.logical.takes(value)) {
      return fail(value);
    }
    String refusal = type.logical.refusal(value);
    if (refusal != null) {
      found = at(row, path, path.in(root), value.getClass().getTypeName() + " " + refusal);
      return true;
    }
    type.logical.checkSize(value);
    return false;
  }

  private boolean visitContainer(Type type, Object value) {
    Object[] values;
    try {
      values =
          switch (type.kind) {
            case TUPLE, TUPLE_SEQUENCE -> RowWriter.tuple(value);
            case LIST, LIST_SEQUENCE -> RowWriter.list(value);
            case SET -> RowWriter.set(value);
            case FROZENSET -> RowWriter.frozenSet(value);
            case MAP -> RowWriter.map(value);
            case DICT -> RowWriter.dict(value, type.names);
            default -> RowWriter.record(value, type.names);
          };
    } catch (TypeMismatch e) {
      return fail(type, value);
    }
    if (type.isFields() && values.length != type.parts.size()) {
      return fail(value);
    }
    if (type.isFields() && values.length == 0) {
      countZeroSized();
    }
    path.enter();
    for (int i = 0; i < values.length; i++) {
      path.part(type, i);
      if (visit(type.parts.get(i % type.parts.size()), values[i])) {
        return true;
      }
    }
    path.leave();
    return false;
  }

  private boolean visitUnion(Type type, Object value) {
    try {
      return visit(type.parts.get(InterpretedWriter.arm(type, value)), value);
    } catch (TypeMismatch e) {
      return fail(value);
    }
  }

  private boolean fail(Object value) {
    found = at(row, path, path.in(root), value);
    return true;
  }

  /** Fails for a value that is not of the Java type. */
  private boolean failAtMapped(Type type, Object value) {
    if (!(type.mapping instanceof ObjectMapping object) || !object.type.isInstance(value)) {
      return fail(value);
    }
    String above = object.type.getSimpleName();
    String why =
        ", because decoding would lose what it adds to "
            + above
            + "; make "
            + above
            + " a sealed type, or register a converter";
    found = at(row, path, path.in(root), value.getClass().getTypeName() + why);
    return true;
  }

  /** Fails for a null among elements, which a type of the caller's would call optional. */
  private boolean failAtNull(Type type) {
    String advice = type.mapping != null && path.isAtElement() ? "; use Optional for it" : "";
    found = at(row, path, path.in(root), "null" + advice);
    return true;
  }

  /**
   * Fails for a container, which may be of the right class.
   *
   * @throws LimitException if it exceeds the size of a row, so that its elements can't be compared
   */
  private boolean fail(Type type, Object value) {
    if (!SizeGuard.isWithin(value)) {
      new RowShapes().of(index(row), value, null);
    }
    String why =
        switch (type.kind) {
          case SET -> ValueKind.isSet(value) ? TWICE_IN_SET : null;
          case FROZENSET -> ValueKind.isFrozenSet(value) ? TWICE_IN_SET : null;
          case MAP -> ValueKind.isMap(value) ? TWICE_IN_MAP : null;
          case DICT -> value instanceof Map<?, ?> map ? type.names.difference(map) : null;
          default -> null;
        };
    String description = why == null ? describe(value) : describe(value) + " " + why;
    found = at(row, path, path.in(root), description);
    return true;
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
