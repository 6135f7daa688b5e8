package io.github.serow.encode;

import io.github.serow.EncodeException;
import io.github.serow.FrozenSet;
import io.github.serow.LimitException;
import io.github.serow.logical.CompositeType;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.FieldPath;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Limits;
import io.github.serow.schema.Names;
import io.github.serow.schema.Type;
import io.github.serow.wire.PrimitiveArray;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes rows to native code, which infers their types. Inference only needs the classes of
 * values. So a description is one byte of tag per value. For a container the number of its values
 * (four bytes, little-endian) and their descriptions follow; in a map each key precedes its value.
 * The tag of a composite value is the code of its type.
 *
 * <p>For a dict with fixed keys, a record or an enum, the index of its names follows the tag; for a
 * dict or record then the description of each field. The names themselves are sent once,
 * separately: a number for the kind, the name of the type (not for a dict), the number of names,
 * and the names. Names are UTF-8 after their length, and all numbers take four bytes.
 */
public final class RowShapes {
  private static final byte NULL = 0;
  private static final byte BOOL = 1;
  private static final byte I64 = 2;
  private static final byte F64 = 3;
  private static final byte STR = 4;
  private static final byte LIST = 5;
  private static final byte TUPLE = 6;
  private static final byte SET = 7;
  private static final byte FROZENSET = 8;
  private static final byte MAP = 9;
  private static final byte FIELDS = 10;
  private static final byte ENUM = 11;

  private static final int DICT_NAMES = 0;
  private static final int RECORD_NAMES = 1;
  private static final int ENUM_NAMES = 2;

  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private byte[] bytes = new byte[256];
  private int length;
  private int row;
  private Type expected;

  /** Number of elements that the row may still have. */
  private int elements;

  /** The path of the current value. */
  private final FieldPath path = new FieldPath();

  /** The indices of names that were sent. Keys are {@link Names} and {@link Enumeration}. */
  private final Map<Object, Integer> told = new HashMap<>();

  /** The keys of the last dict. The next dict usually has the same. */
  private Names dict;

  private final ByteArrayOutputStream names = new ByteArrayOutputStream();

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** The names that these rows use for the first time. */
  byte[] names() {
    return names.toByteArray();
  }

  void clear() {
    length = 0;
    names.reset();
  }

  /**
   * Appends the description of {@code value}, which is row {@code row}. Appends nothing on error.
   *
   * @param expected the type of the rows before it, for the error's message; may be null
   * @throws EncodeException if a value has no type in serow
   * @throws LimitException if containers nest too deep
   */
  void add(int row, Object value, Type expected) {
    this.row = row;
    this.expected = expected;
    elements = Limits.MAX_ROW_ELEMENTS;
    path.clear();
    int begin = length;
    try {
      add(value, false);
    } catch (FieldReadException e) {
      length = begin;
      throw EncodeDiagnostics.unreadable(row, path, e);
    } catch (RuntimeException e) {
      length = begin;
      throw e;
    }
  }

  /** {@code hashed}: the value is inside an element of a set or a key of a map. */
  private void add(Object value, boolean hashed) {
    switch (ValueKind.of(value)) {
      case NULL -> put(NULL);
      case I64 -> put(I64);
      case F64 -> put(F64);
      case STR -> put(STR);
      case BOOL -> put(BOOL);
      case TUPLE -> addAll(TUPLE, (Object[]) value, hashed);
      case FROZENSET -> addAll(FROZENSET, ((FrozenSet<?>) value).toArray(), true);
      case RECORD -> addFields(ValueKind.names(value), ValueKind.fields(value), hashed);
      case ENUM -> addMember(ValueKind.enumeration(value));
      case LIST -> {
        checkHash(value, hashed);
        Object[] numbers = PrimitiveArray.boxed(value);
        addAll(LIST, numbers == null ? ((List<?>) value).toArray() : numbers, false);
      }
      case SET -> {
        checkHash(value, hashed);
        addAll(SET, ((Set<?>) value).toArray(), true);
      }
      case MAP -> {
        checkHash(value, hashed);
        addMap(RowWriter.entries((Map<?, ?>) value));
      }
      case COMPOSITE -> addComposite(value, hashed);
      case OTHER -> addForeign(value, hashed);
    }
  }

  private void addComposite(Object value, boolean hashed) {
    if (value instanceof ByteBuffer) {
      checkHash(value, hashed);
    }
    CompositeType type = CompositeTypes.of(value);
    if (type.refusal(value) != null) {
      addForeign(value, hashed);
    } else {
      put((byte) type.code());
    }
  }

  private void addForeign(Object value, boolean hashed) {
    Object plain = ValueNormalizer.plain(value);
    if (plain != value) {
      add(plain, hashed);
    } else {
      Type there = expected == null ? null : path.in(expected);
      // Don't show the type never: it means that no value occurred at this place before.
      boolean known = there != null && there.kind != Type.Kind.NEVER;
      throw EncodeDiagnostics.at(row, path, known ? there : null, value);
    }
  }

  /** Fails if {@code value}, which is mutable, is in a set or in a key of a map. */
  private void checkHash(Object value, boolean hashed) {
    if (hashed) {
      throw EncodeDiagnostics.unhashable(row, path, value);
    }
  }

  private void addAll(byte tag, Object[] values, boolean hashed) {
    stepInto(values.length);
    put(tag);
    put(values.length);
    for (int i = 0; i < values.length; i++) {
      path.item(i);
      add(values[i], hashed);
    }
    path.leave();
  }

  /** A dict has fixed keys if all keys are names and there are not too many. */
  private void addMap(Object[] entries) {
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
      addFields(dict, values, false);
      return;
    }
    stepInto(entries.length);
    put(MAP);
    put(entries.length / 2);
    for (int i = 0; i < entries.length; i += 2) {
      path.key(i / 2);
      add(entries[i], true);
      path.value(i / 2);
      add(entries[i + 1], false);
    }
    path.leave();
  }

  /** Sets {@link #dict} to these keys. Returns false if a key occurs twice, as in unusual maps. */
  private boolean areOfDict(List<String> keys, Object[] entries) {
    if (dict == null || !dict.fields.equals(keys)) {
      if (!Uniqueness.differ(entries, 2)) {
        return false;
      }
      dict = new Names(null, keys);
    }
    return true;
  }

  private void addFields(Names names, Object[] values, boolean hashed) {
    stepInto(values.length);
    put(FIELDS);
    put(indexOf(names, names.name, names.fields));
    for (int i = 0; i < values.length; i++) {
      path.field(names.fields.get(i));
      add(values[i], hashed);
    }
    path.leave();
  }

  private void addMember(Enumeration of) {
    put(ENUM);
    put(indexOf(of, of.name, of.names));
  }

  /** The index of names, which are sent if they are new. */
  private int indexOf(Object key, String name, List<String> all) {
    Integer index = told.get(key);
    if (index != null) {
      return index;
    }
    all.forEach(this::check);
    if (name == null) {
      tell(DICT_NAMES);
    } else {
      check(name);
      tell(key instanceof Enumeration ? ENUM_NAMES : RECORD_NAMES);
      tell(name);
    }
    tell(all.size());
    all.forEach(this::tell);
    told.put(key, told.size());
    return told.size() - 1;
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

  private void tell(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    tell(utf8.length);
    names.writeBytes(utf8);
  }

  private void tell(int number) {
    for (int shift = 0; shift < 32; shift += 8) {
      names.write(number >> shift);
    }
  }

  private void stepInto(int count) {
    if (path.depth() == Limits.MAX_DEPTH) {
      throw new LimitException(
          "row "
              + row
              + ": lists, maps and the like nest more than "
              + Limits.MAX_DEPTH
              + " deep; does one hold itself?");
    }
    if (count > elements - Limits.CONTAINER_ELEMENTS) {
      throw new LimitException(
          "row "
              + row
              + ": the row has more than 268,435,456 elements, and a list counts as 16 more; a"
              + " list that occurs in it many times is written each time");
    }
    elements -= count + Limits.CONTAINER_ELEMENTS;
    path.enter();
  }

  private void put(int number) {
    for (int shift = 0; shift < 32; shift += 8) {
      put((byte) (number >> shift));
    }
  }

  private void put(byte b) {
    if (length == bytes.length) {
      if (length == MAX_BYTES) {
        throw new LimitException("row " + row + " is larger than a row can be; split it");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, 2L * length));
    }
    bytes[length++] = b;
  }
}
