package io.github.serow.internal.encode;

import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.NdArray;
import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.types.Shape;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.ValueEquality;
import io.github.serow.internal.value.ValueKind;
import io.github.serow.internal.value.ValueNormalizer;
import io.github.serow.internal.wire.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the shapes of rows. It only needs the classes of values. */
final class ShapeInspector {
  private static final Type LISTS = Type.plain(TypeCodes.LIST_BEGIN);
  private static final Type TUPLES = Type.plain(TypeCodes.TUPLE_BEGIN);
  private static final Type SETS = Type.plain(TypeCodes.SET);
  private static final Type FROZENSETS = Type.plain(TypeCodes.FROZENSET);

  private long row;
  private Type expected;

  /** Number of elements that the row may still have. */
  private int elements;

  /** The path of the current value. */
  private final FieldPath path = new FieldPath();

  /** Names that were checked: {@link Names} and {@link Enumeration}. */
  private final Set<Object> checked = new HashSet<>();

  /** The keys of the last dict. The next dict usually has the same. */
  private Names dict;

  /**
   * The shape of {@code value}, which is row {@code row}.
   *
   * @param expected the type of the rows before it, for the error's message; may be null
   * @throws EncodeException if a value has no type in serow
   * @throws LimitException if containers nest too deep
   */
  Shape of(long row, Object value, Type expected) {
    this.row = row;
    this.expected = expected;
    elements = Limits.MAX_ROW_ELEMENTS;
    path.clear();
    try {
      return of(value, false);
    } catch (FieldReadException e) {
      throw WriteErrors.unreadable(row, path, e);
    }
  }

  /** {@code hashed}: the value is inside an element of a set or a key of a map. */
  private Shape of(Object value, boolean hashed) {
    ValueKind kind = ValueKind.of(value);
    return switch (kind) {
      case NULL -> Shape.scalar(TypeCodes.NULL);
      case I64 -> Shape.scalar(TypeCodes.I64);
      case F64 -> Shape.scalar(TypeCodes.F64);
      case STR -> Shape.scalar(TypeCodes.STR);
      case BOOL -> Shape.scalar(TypeCodes.BOOL);
      case TUPLE -> ofAll(TUPLES, kind.partsOf(value), hashed);
      case FROZENSET -> ofAll(FROZENSETS, kind.partsOf(value), true);
      case RECORD -> ofRecord(ValueKind.names(value), kind.partsOf(value), hashed);
      case ENUM -> ofMember(ValueKind.enumeration(value));
      case LIST, SET, MAP -> {
        checkHash(value, hashed);
        Object[] parts = kind.partsOf(value);
        yield kind == ValueKind.LIST
            ? ofAll(LISTS, parts, false)
            : kind == ValueKind.SET ? ofAll(SETS, parts, true) : ofMap(parts);
      }
      case COMPOSITE -> ofComposite(value, hashed);
      case OTHER -> ofForeign(value, hashed);
    };
  }

  private Shape ofComposite(Object value, boolean hashed) {
    if (value instanceof ByteBuffer || value instanceof NdArray) {
      checkHash(value, hashed);
    }
    CompositeType type = CompositeTypes.of(value);
    return type.refusal(value) != null ? ofForeign(value, hashed) : Shape.scalar(type.code());
  }

  private Shape ofForeign(Object value, boolean hashed) {
    Object plain = ValueNormalizer.plain(value);
    if (plain != value) {
      return of(plain, hashed);
    }
    Type there = expected == null ? null : path.in(expected);
    // Don't show the type never: it means that no value occurred at this place before.
    boolean known = there != null && there.code() != TypeCodes.NEVER;
    throw WriteErrors.at(row, path, known ? there : null, value);
  }

  /** Fails if {@code value}, which some languages can't hash, is in a set or in a key of a map. */
  private void checkHash(Object value, boolean hashed) {
    if (hashed) {
      throw WriteErrors.unhashable(row, path, value);
    }
  }

  /** The shape of a list, tuple or set. Most have many elements of one shape, which they share. */
  private Shape ofAll(Type kind, Object[] values, boolean hashed) {
    stepInto(values.length);
    boolean areJoined =
        values.length > Limits.MAX_INFERRED_FIELDS || kind == SETS || kind == FROZENSETS;
    Shape joined = Shape.NEVER;
    List<Shape> fields = null;
    for (int i = 0; i < values.length; i++) {
      path.item(i);
      Shape field = of(values[i], hashed);
      if (i == 0 || areJoined && !field.equals(joined)) {
        joined = joined.join(field);
      } else if (fields == null && !areJoined && !field.equals(joined)) {
        fields = new ArrayList<>(Collections.nCopies(i, joined));
      }
      if (fields != null) {
        fields.add(field);
      }
    }
    path.leave();
    if (areJoined) {
      return Shape.sequence(kind, joined);
    }
    return Shape.fields(kind, fields == null ? Collections.nCopies(values.length, joined) : fields);
  }

  /** A dict has fixed keys if all keys are names and there are not too many. */
  private Shape ofMap(Object[] entries) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < entries.length && keys != null; i += 2) {
      if (ValueNormalizer.plain(entries[i]) instanceof String key && Names.isName(key)) {
        keys.add(key);
      } else {
        keys = null;
      }
    }
    if (keys != null && keys.size() <= Limits.MAX_INFERRED_KEYS && areOfDict(keys, entries)) {
      Object[] values = new Object[keys.size()];
      Arrays.setAll(values, i -> entries[2 * i + 1]);
      return Shape.dict(dict.fields, ofFields(dict, values, false));
    }
    stepInto(entries.length);
    Shape key = Shape.NEVER;
    Shape value = Shape.NEVER;
    for (int i = 0; i < entries.length; i += 2) {
      path.key(i / 2);
      key = key.join(of(entries[i], true));
      path.value(i / 2);
      value = value.join(of(entries[i + 1], false));
    }
    path.leave();
    return Shape.map(key, value);
  }

  /** Sets {@link #dict} to these keys. Returns false if a key occurs twice, as in unusual maps. */
  private boolean areOfDict(List<String> keys, Object[] entries) {
    if (dict == null || !dict.fields.equals(keys)) {
      if (!ValueEquality.differ(entries, 2)) {
        return false;
      }
      dict = new Names(null, keys);
    }
    return true;
  }

  private Shape ofRecord(Names names, Object[] values, boolean hashed) {
    if (!checked.contains(names)) {
      check(names.name);
      names.fields.forEach(this::check);
      checked.add(names);
    }
    Type kind = Type.struct(names.name, names.fields, new BitSet(), List.of());
    return Shape.fields(kind, ofFields(names, values, hashed));
  }

  private List<Shape> ofFields(Names names, Object[] values, boolean hashed) {
    stepInto(values.length);
    Shape[] fields = new Shape[values.length];
    for (int i = 0; i < values.length; i++) {
      path.field(names.fields.get(i));
      fields[i] = of(values[i], hashed);
    }
    path.leave();
    return Arrays.asList(fields);
  }

  private Shape ofMember(Enumeration of) {
    if (!checked.contains(of)) {
      check(of.name);
      of.names.forEach(this::check);
      checked.add(of);
    }
    return Shape.fields(Type.enumeration(of.name, of.names, of.values), List.of());
  }

  private void check(String name) {
    if (!Names.isName(name)) {
      throw new EncodeException(
          "row " + row + ": the name \"" + name + "\" has a lone surrogate",
          null,
          row,
          path.steps(),
          -1);
    }
  }

  private void stepInto(int count) {
    if (path.depth() == Limits.MAX_DEPTH) {
      throw new LimitException(
          ("row %s: lists and other containers nest more than %s deep; does one hold itself?")
              .formatted(row, Limits.MAX_DEPTH));
    }
    if (count > elements - Limits.CONTAINER_ELEMENTS) {
      throw new LimitException("row " + row + ": " + Limits.TOO_MANY_ELEMENTS);
    }
    elements -= count + Limits.CONTAINER_ELEMENTS;
    path.enter();
  }
}
