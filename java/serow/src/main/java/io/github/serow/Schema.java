package io.github.serow;

import io.github.serow.encode.Inference;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeLibrary;
import io.github.serow.mapping.Mapper;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The type of a row. It is immutable.
 *
 * <p>In text the types are {@code i64} (a {@link Long}; {@link Integer}, {@link Short} and {@link
 * Byte} are taken for one), {@code f64} ({@link Double}), {@code str} ({@link String}), {@code
 * bool} ({@link Boolean}), {@code null}, {@code int} ({@link java.math.BigInteger}; what {@code
 * i64} takes becomes one), {@code bytes} ({@code byte[]}), {@code bytearray} ({@link
 * java.nio.ByteBuffer}, from its position to its limit), {@code date} ({@link
 * java.time.LocalDate}), {@code time} ({@link java.time.LocalTime}), {@code timetz} ({@link
 * java.time.OffsetTime}), {@code timestamp} ({@link java.time.LocalDateTime}), {@code timestamptz}
 * ({@link java.time.OffsetDateTime}, or {@link java.time.ZonedDateTime} in a region), {@code
 * duration} ({@link java.time.Duration}), {@code decimal} ({@link java.math.BigDecimal}, with its
 * scale), {@code uuid} ({@link java.util.UUID}) and {@code complex} ({@link Complex}); {@code T?}
 * is T or null; {@code [T]} a list ({@link List}) and {@code (T, ...)} a tuple ({@code Object[]})
 * of any length; {@code [A, B]} and {@code [A,]}, {@code (A, B)} and {@code (A,)} are lists and
 * tuples of fixed shape; {@code {T}} is a set ({@link java.util.Set}), {@code frozenset{T}} one
 * that can't be changed ({@link FrozenSet}), {@code {K: V}} a map ({@link java.util.Map}), {@code
 * {"a": A, "b"?: B}} a map with these keys (the second may be missing), {@code Part{key: i64}} a
 * record ({@link Record} or {@link Row}), {@code enum Color{RED, GREEN}} one of these members
 * ({@link Enum} or {@link EnumMember}); {@code A|B} is a union.
 *
 * <pre>{@code
 * Schema schema = Schema.parse("(i64, str?, [f64])");
 * schema.typeList(); // {5, 1, 10, 3, 11, 2, 7}
 * schema.equals(Schema.infer(rows));
 * }</pre>
 */
public final class Schema {
  private final int[] typeList;

  /** A schema of a canonical type list, which only native code makes. */
  Schema(int[] typeList) {
    this.typeList = typeList;
  }

  /**
   * The schema that a text spells.
   *
   * @param text the text form, or the type list as numbers, such as {@code 5 1 10 3 11 2 7}
   * @return the schema in its canonical form
   * @throws SchemaException if there is a mistake in the text; the message points at it
   * @throws LimitException if the schema is too deep or has too many fields
   */
  public static Schema parse(String text) {
    Objects.requireNonNull(text, "text");
    NativeLibrary.require();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new Schema(Native.parseSchema(utf8, utf8.length));
  }

  /**
   * The schema that all rows fit, and that says as much as can be said of them.
   *
   * <p>A null among values makes an optional; values of several types make a union. A list whose
   * elements are of one type is of any length; a tuple is of fixed shape, unless tuples of one
   * element type come in several lengths. No rows at all are of type {@code never}.
   *
   * @param rows the rows; each may be a tuple, a list or a single value
   * @return their schema
   * @throws EncodeException if a value in them is of no type that serow has
   * @throws LimitException if lists, dicts and the like nest more than 64 deep
   */
  public static Schema infer(List<?> rows) {
    Objects.requireNonNull(rows, "rows");
    NativeLibrary.require();
    return Inference.ofAll(rows.toArray());
  }

  /**
   * The schema of objects of a class. Nothing is asked of an object, so it is the same for all.
   *
   * <p>A record is one with its components; a class with a constructor without arguments, and with
   * public getters and setters of one type, is one with its properties in the order of their names.
   * Of these, primitive ones are never null, and others are optional unless an annotation called
   * {@code NonNull}, {@code NotNull} or {@code Nonnull} says that they are not. Elements, keys and
   * values are not null unless they are an {@link java.util.Optional}, which is its value or null.
   *
   * <p>Properties may be of primitive types but {@code char}, of their wrappers, of the classes
   * that are listed above for types of single values, {@link java.time.Instant}, enums, records and
   * beans, arrays, {@link List}, {@link java.util.Set}, {@link FrozenSet}, {@link java.util.Map}
   * and {@link java.util.Optional}. {@code int}, {@code short} and {@code byte} are {@code i64} and
   * {@code float} is {@code f64}: what does not fit them is an error where it is decoded.
   *
   * <p>A case class of Scala's is a record with the parameters of its first constructor, which may
   * be Scala's options, tuples, collections and large numbers too.
   *
   * <pre>{@code
   * record Part(long key, String name, List<Integer> sizes) {}
   * Schema.of(Part.class).toString(); // "Part{key: i64, name: str?, sizes: [i64]?}"
   * }</pre>
   *
   * @param type the class
   * @return the schema
   * @throws SchemaException if something in it has no type, or a generic type does not say of what
   *     it is; the message names the place
   */
  public static Schema of(Class<?> type) {
    Objects.requireNonNull(type, "type");
    NativeLibrary.require();
    return Mapper.of(type).schema();
  }

  /**
   * The schema as a flat list of codes in prefix order, which is what a message holds. {@code
   * docs/wire-format.md} has the codes.
   *
   * @return a fresh copy
   */
  public int[] typeList() {
    return typeList.clone();
  }

  /** The array itself, which must not be changed. */
  int[] sharedTypeList() {
    return typeList;
  }

  /**
   * A name for the schema: the xxh3-64 of its type list, each code as a varint. Schemas that differ
   * may have equal fingerprints, though it takes intent to find two.
   *
   * @return all 64 bits; as a number it may be negative
   */
  public long fingerprint() {
    return Native.schemaFingerprint(typeList);
  }

  /** The text of the canonical form, which {@link #parse} reads. */
  @Override
  public String toString() {
    return Native.schemaText(typeList);
  }

  /** Schemas are equal if their type lists are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Schema schema && Arrays.equals(typeList, schema.typeList);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(typeList);
  }
}
