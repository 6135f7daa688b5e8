package io.github.serow;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.internal.encode.GivenRows;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.mapping.Mapper;
import io.github.serow.internal.types.TypeForms;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The type of a row. It is immutable.
 *
 * <p>The text form has these types:
 *
 * <ul>
 *   <li>{@code i64} ({@link Long}; {@link Integer}, {@link Short} and {@link Byte} are accepted
 *       too), {@code f64} ({@link Double}), {@code str} ({@link String}), {@code bool} ({@link
 *       Boolean}), {@code null};
 *   <li>{@code int} ({@link java.math.BigInteger}; values of {@code i64} are accepted and
 *       converted), {@code decimal} ({@link java.math.BigDecimal} with its scale), {@code complex}
 *       ({@link Complex}), {@code uuid} ({@link java.util.UUID}), {@code ndarray} ({@link
 *       NdArray});
 *   <li>{@code bytes} ({@code byte[]}), {@code bytearray} ({@link java.nio.ByteBuffer}, from its
 *       position to its limit);
 *   <li>{@code date} ({@link java.time.LocalDate}), {@code time} ({@link java.time.LocalTime}),
 *       {@code timetz} ({@link java.time.OffsetTime}), {@code timestamp} ({@link
 *       java.time.LocalDateTime}), {@code timestamptz} ({@link java.time.OffsetDateTime}, or {@link
 *       java.time.ZonedDateTime} in a region), {@code duration} ({@link java.time.Duration});
 *   <li>{@code T?}: T or null; {@code A|B}: a union;
 *   <li>{@code [T]}: a list ({@link List}) of any length, {@code [A, B]} and {@code [A,]}: lists of
 *       fixed shape;
 *   <li>{@code (T, ...)}: a tuple ({@code Object[]}) of any length, {@code (A, B)} and {@code
 *       (A,)}: tuples of fixed shape;
 *   <li>{@code {T}}: a set ({@link java.util.Set}), {@code frozenset{T}}: an immutable set ({@link
 *       FrozenSet}), {@code {K: V}}: a map ({@link java.util.Map});
 *   <li>{@code {"a": A, "b"?: B}}: a map with these keys, where the second may be missing;
 *   <li>{@code Part{key: i64}}: a record ({@link Record} or {@link Row}), {@code enum Color{RED,
 *       GREEN}}: one of these members ({@link Enum} or {@link EnumMember}).
 * </ul>
 *
 * <pre>{@code
 * Schema schema = Schema.parse("(i64, str?, [f64])");
 * schema.typeList(); // {5, 1, 10, 3, 11, 2, 7}
 * schema.equals(Schema.infer(rows));
 * }</pre>
 */
@NullMarked
public final class Schema {
  private final int[] typeList;

  /** Made when it is first needed; two threads may make equal ones. */
  private Hashed hashed;

  /** The bytes of a type list, and their hash. */
  private record Hashed(byte[] bytes, long fingerprint) {}

  /** A schema from a canonical type list. */
  Schema(int[] typeList) {
    this.typeList = typeList;
  }

  /**
   * Parses the text form of a schema.
   *
   * @param text the text form, or the numbers of a type list, for example {@code 5 1 10 3 11 2 7}
   * @return the schema in its canonical form
   * @throws SchemaException if the text has a mistake; the error shows its position
   * @throws LimitException if the schema nests too deep or has too many fields
   */
  public static Schema parse(String text) {
    Objects.requireNonNull(text, "text");
    return new Schema(TypeForms.ofText(text));
  }

  /**
   * Infers the most specific schema that fits all rows.
   *
   * <p>A null among values makes an optional, and values of several types make a union. A list
   * whose elements have one type may have any length. A tuple has a fixed shape, unless tuples of
   * one element type have several lengths. Without rows, the type is {@code never}.
   *
   * @param rows the rows; each may be a tuple, a list or a single value
   * @return their schema
   * @throws EncodeException if a value has no type in serow
   * @throws LimitException if containers nest more than 64 deep
   */
  public static Schema infer(List<?> rows) {
    return Inference.ofAll(GivenRows.of(rows));
  }

  /**
   * The schema of objects of a class. It depends only on the class and not on objects.
   *
   * <p>A record class is a record of its components. So is a Scala case class or a Kotlin data
   * class, of the parameters of its constructor. Another class is a record of its fields if it has
   * a constructor without arguments and none of them is final; otherwise of the parameters of a
   * constructor that have the names of its fields or getters, or of what its builder sets. {@link
   * Creator} chooses a constructor. A sealed interface or abstract class is a union of its classes.
   * {@link Name}, {@link Ignore} and {@link Default} change this.
   *
   * <p>Primitive fields are never null. Other fields are optional unless an annotation named {@code
   * NonNull}, {@code NotNull} or {@code Nonnull} marks them, or {@code NullMarked} their class.
   * Elements, keys and values of containers are not null, unless {@code Nullable} marks their type
   * or it is {@link java.util.Optional}.
   *
   * <p>Fields may have primitive types, their wrappers, the classes of single values listed above,
   * {@link java.time.Instant}, {@code char[]}, enums, classes as above, arrays, collections and
   * maps that have a constructor without arguments or are interfaces of them, {@link FrozenSet},
   * {@link java.util.Optional} and {@link java.util.OptionalInt} and the like, and Scala's options,
   * tuples, collections and large numbers. {@code int}, {@code short} and {@code byte} are {@code
   * i64}, {@code float} is {@code f64}, and {@code char} is {@code str}; decoding a value that does
   * not fit them is an error. {@link Mappings} has converters for other classes.
   *
   * <pre>{@code
   * record Part(long key, String name, List<Integer> sizes) {}
   * Schema.of(Part.class).toString(); // "Part{key: i64, name: str?, sizes: [i64]?}"
   * }</pre>
   *
   * @param type the class
   * @return the schema
   * @throws SchemaException if a part has no type, a generic type has no type arguments, or the
   *     value of a field would be lost; the error names the place
   */
  public static Schema of(Class<?> type) {
    return of(type, Mappings.standard());
  }

  /**
   * The schema of objects of a class, with converters or access of the caller's.
   *
   * @param type the class
   * @param mappings converters, and access to closed modules
   * @return the schema
   * @throws SchemaException if a part has no type
   */
  public static Schema of(Class<?> type, Mappings mappings) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(mappings, "mappings");
    return Mapper.of(type, mappings.options()).schema();
  }

  /**
   * The schema of objects of a generic type.
   *
   * @param type the type, with its type arguments
   * @return the schema
   * @throws SchemaException if a part has no type
   */
  public static Schema of(TypeReference<?> type) {
    return of(type, Mappings.standard());
  }

  /**
   * The schema of objects of a generic type, with converters or access of the caller's.
   *
   * @param type the type, with its type arguments
   * @param mappings converters, and access to closed modules
   * @return the schema
   * @throws SchemaException if a part has no type
   */
  public static Schema of(TypeReference<?> type, Mappings mappings) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(mappings, "mappings");
    return Mapper.of(type.type(), mappings.options()).schema();
  }

  /**
   * The schema as a flat list of codes in prefix order, as in a message. {@code
   * docs/wire-format.md} lists the codes. They are unsigned: the value of an enum's member may have
   * codes that are negative as an {@code int}.
   *
   * @return a new copy
   */
  public int[] typeList() {
    return typeList.clone();
  }

  /** The internal array, which must not be modified. */
  int[] sharedTypeList() {
    return typeList;
  }

  /**
   * The xxh3-64 hash of the type list, each code as a varint. Different schemas may have equal
   * fingerprints, but not by accident.
   *
   * @return all 64 bits; the number may be negative
   */
  public long fingerprint() {
    return hashed().fingerprint;
  }

  /** The internal bytes of the type list in messages. They must not be modified. */
  byte[] sharedBytes() {
    return hashed().bytes;
  }

  private Hashed hashed() {
    Hashed made = hashed;
    if (made == null) {
      byte[] bytes = TypeForms.bytes(typeList);
      made = new Hashed(bytes, Hashing.xxh3_64().hashBytesToLong(bytes));
      hashed = made;
    }
    return made;
  }

  /** The text of the canonical form, which {@link #parse} reads. */
  @Override
  public String toString() {
    return TypeForms.text(typeList);
  }

  /** Schemas are equal if their type lists are. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Schema schema && Arrays.equals(typeList, schema.typeList);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(typeList);
  }
}
