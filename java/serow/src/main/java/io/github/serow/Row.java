package io.github.serow;

import io.github.serow.internal.schema.Names;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.schema.ValueHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A decoded record: the values of its fields with their names. It is immutable. It is encoded like
 * a Java record with the same name and components.
 *
 * <pre>{@code
 * Row part = Row.of("Part", List.of("key", "name"), 1L, "almond");
 * part.get("name"); // "almond"
 * }</pre>
 */
@NullMarked
public final class Row {
  static {
    SharedSecrets.give(new TypeAccess());
  }

  private final Names names;
  private final Object[] values;

  /** Wraps the array without a copy; it must not change. */
  Row(Names names, Object[] values) {
    this.names = names;
    this.values = values;
  }

  /**
   * Creates a row.
   *
   * @param name the name of the record type
   * @param fields the names of its fields
   * @param values the value of each field
   * @return the row
   * @throws IllegalArgumentException if the numbers of names and values differ, a name occurs
   *     twice, or a name has a lone surrogate
   */
  public static Row of(String name, List<String> fields, @Nullable Object... values) {
    Names.checked(List.of(name), "the name of a record");
    Names.checked(fields, "the name of a field");
    if (fields.size() != values.length) {
      throw new IllegalArgumentException(
          values.length + " values for the " + fields.size() + " fields " + fields);
    }
    return new Row(new Names(name, fields), Arrays.copyOf(values, values.length, Object[].class));
  }

  /**
   * The name of the record type.
   *
   * @return the simple name of a Java record
   */
  public String name() {
    return names.name;
  }

  /**
   * The names of its fields.
   *
   * @return the unmodifiable names, in order
   */
  public List<String> fields() {
    return names.fields;
  }

  /**
   * The number of fields.
   *
   * @return the number of names and of values
   */
  public int size() {
    return values.length;
  }

  /**
   * The value of a field.
   *
   * @param field the index of the field, 0 for the first
   * @return its value, which may be null
   * @throws IndexOutOfBoundsException if there is no such field
   */
  public @Nullable Object get(int field) {
    return values[Objects.checkIndex(field, values.length)];
  }

  /**
   * The value of a field.
   *
   * @param field the name of the field
   * @return its value, which may be null
   * @throws NoSuchElementException if there is no such field
   */
  public @Nullable Object get(String field) {
    int place = names.place(field);
    if (place < 0) {
      throw new NoSuchElementException(names.name + " has no field \"" + field + "\"");
    }
    return values[place];
  }

  /**
   * The values of all fields.
   *
   * @return the unmodifiable values, in the order of the fields
   */
  public List<@Nullable Object> values() {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  Names names() {
    return names;
  }

  /** The internal array, which must not be modified. */
  Object[] sharedValues() {
    return values;
  }

  /** Rows are equal if their names and values are equal. Arrays are equal if their elements are. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Row row
        && names.equals(row.names)
        && Arrays.deepEquals(values, row.values);
  }

  @Override
  public int hashCode() {
    return (int) ValueHash.mix(ValueHash.of(values), names.hashCode());
  }

  /** The name and the fields, for example {@code Part{key=1, name=almond}}. */
  @Override
  public String toString() {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      String value = Arrays.deepToString(new Object[] {values[i]});
      fields.add(names.fields.get(i) + "=" + value.substring(1, value.length() - 1));
    }
    return names.name + "{" + String.join(", ", fields) + "}";
  }
}
