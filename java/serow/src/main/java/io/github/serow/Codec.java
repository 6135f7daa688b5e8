package io.github.serow;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.CodecParts;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.encode.GivenRows;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.message.Messages;
import io.github.serow.internal.message.SingleRows;
import io.github.serow.internal.message.WriteOptions;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.wire.Format;
import java.lang.ref.Reference;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects to bytes and decodes them, by one schema.
 *
 * <pre>{@code
 * record Part(long key, String name) {}
 *
 * Codec<Part> codec = Codec.of(Part.class);
 * byte[] one = codec.encode(new Part(1, "almond"));
 * Part part = codec.decode(one);
 * byte[] many = codec.encodeAll(List.of(part, part));
 * List<Part> parts = codec.decodeAll(many);
 * }</pre>
 *
 * <p>What {@link #encode} and {@link #encodeAll} make is a message, with its schema and a checksum,
 * unless you choose {@link #withoutSchemaAndChecksum}. {@link #decode} and {@link #decodeAll} find
 * out what the bytes are, and read messages and records of all languages.
 *
 * <p>A codec is immutable and thread-safe: keep it and share it. It need not be closed. What
 * belongs to its schema is cached and shared by all codecs of the schema; the garbage collector
 * frees it.
 *
 * <p>A codec never widens its schema. A row that does not fit is an {@link EncodeException}, and a
 * message whose schema can't be converted to the codec's is a {@link SchemaException}. A null
 * argument is a {@link NullPointerException} that names the argument.
 *
 * @param <T> the class of a row: your own class, {@code Object[]} for tuples, or {@link Object} for
 *     any row
 */
@NullMarked
public final class Codec<T extends @Nullable Object> {
  static {
    CodecParts.give(
        new CodecParts.Access() {
          @Override
          public ReadOptions options(Codec<?> codec) {
            return codec.options();
          }

          @Override
          public Format format(Codec<?> codec) {
            return codec.format();
          }
        });
  }

  private final SingleRows rows;
  private final WriteOptions writing;

  private Codec(SingleRows rows, WriteOptions writing) {
    this.rows = rows;
    this.writing = writing;
  }

  /**
   * Creates a codec for objects of one class. {@link Schema#of} defines its schema. Decoding calls
   * the class's constructor, whatever the message contains.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type) {
    return of(type, Mappings.standard());
  }

  /**
   * Creates a codec for objects of one class, with converters or access of the caller's.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type, Mappings mappings) {
    return mapped(type, mappings);
  }

  /**
   * Creates a codec for objects of a generic type.
   *
   * <pre>{@code
   * Codec<List<Part>> codec = Codec.of(new TypeReference<List<Part>>() {});
   * }</pre>
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static <T> Codec<T> of(TypeReference<T> type) {
    return of(type, Mappings.standard());
  }

  /**
   * Creates a codec for objects of a generic type, with converters or access of the caller's.
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static <T> Codec<T> of(TypeReference<T> type, Mappings mappings) {
    return mapped(Objects.requireNonNull(type, "type").type(), mappings);
  }

  /**
   * Creates a codec for objects of a type that is known at run time only, such as the parameter of
   * a method.
   *
   * <pre>{@code
   * Codec<Object> codec = Codec.of(method.getGenericParameterTypes()[0]);
   * }</pre>
   *
   * @param type a class, or a type with all its type arguments
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static Codec<Object> of(Type type) {
    return of(type, Mappings.standard());
  }

  /**
   * Creates a codec for objects of a type that is known at run time only, with converters or access
   * of the caller's.
   *
   * @param type a class, or a type with all its type arguments
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static Codec<Object> of(Type type, Mappings mappings) {
    return mapped(type, mappings);
  }

  /** {@code type} is that of a row, which the callers' signatures tie to {@code T}. */
  private static <T> Codec<T> mapped(Type type, Mappings mappings) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(mappings, "mappings");
    return of(mappings.bindings().of(type));
  }

  /**
   * Creates a codec for tuples.
   *
   * @param schema the schema of a row: a tuple of fixed shape or of any length, or a union of
   *     tuples
   * @return the codec
   * @throws SchemaException if rows of the schema are not always tuples; see {@link #ofAny}
   */
  public static Codec<Object[]> of(Schema schema) {
    Objects.requireNonNull(schema, "schema");
    Codec<Object[]> codec = of(Binding.of(schema));
    if (!codec.binding().type().isTuple()) {
      throw new SchemaException(
          "rows of " + schema + " are not tuples (Object[]); use Codec.ofAny");
    }
    return codec;
  }

  /**
   * Creates a codec for rows of any type.
   *
   * @param schema the schema of a row, which may also be a list or a single value
   * @return the codec
   */
  public static Codec<@Nullable Object> ofAny(Schema schema) {
    Objects.requireNonNull(schema, "schema");
    return of(Binding.of(schema));
  }

  private static <T extends @Nullable Object> Codec<T> of(Binding binding) {
    return new Codec<>(new SingleRows(binding), WriteOptions.STANDARD);
  }

  /**
   * The schema of this codec's rows.
   *
   * @return the schema of a row
   */
  public Schema schema() {
    return binding().schema();
  }

  /**
   * Says what becomes of rows of another schema, by the rules of {@code docs/evolution.md} and with
   * the defaults and former names of the codec's classes. A test may keep the schemas that were in
   * use, and compare them.
   *
   * <pre>{@code
   * Comparison comparison = codec.compare(Schema.parse("Part{key: i64}"));
   * assertTrue(comparison.isReadable(), comparison.toString());
   * }</pre>
   *
   * @param writer the schema of the rows
   * @return the changes
   * @throws SerowException if the native library is not loaded
   */
  public Comparison compare(Schema writer) {
    Objects.requireNonNull(writer, "writer");
    Binding binding = binding();
    String lines = Native.planCompare(binding.plan().address(), SharedSecrets.typeList(writer));
    Reference.reachabilityFence(binding);
    return Comparison.of(lines);
  }

  /**
   * Encodes one row to a message. The message is on the row wire, unless {@link #withWire} says
   * otherwise.
   *
   * @param row the row; may be null if the schema allows it
   * @return the message
   * @throws EncodeException if the row does not fit the schema
   * @throws LimitException if the message exceeds 2 GiB
   */
  public byte[] encode(T row) {
    return isSingle() ? rows.encode(row) : Messages.toBytes(binding(), given(row), writing, null);
  }

  /**
   * Encodes one row to a buffer, at its position, as {@link #encode} does. The position is moved to
   * the end of the message.
   *
   * @param row the row; may be null if the schema allows it
   * @param buffer a writable buffer, on the heap or direct
   * @return the length of the message in bytes
   * @throws BufferTooSmallException if the message does not fit; the position is unchanged
   * @throws EncodeException if the row does not fit the schema; the position is unchanged
   * @throws ReadOnlyBufferException if the buffer is read-only
   */
  public int encodeInto(T row, ByteBuffer buffer) {
    checkWritable(buffer);
    return isSingle()
        ? rows.encode(row, buffer)
        : Messages.toBuffer(binding(), given(row), writing, buffer);
  }

  /**
   * Decodes one row: a message of one row, of either wire, or a record ({@link
   * #withoutSchemaAndChecksum}).
   *
   * <p>If the bytes have another schema than the codec, fields are matched by name: unknown fields
   * are skipped, and missing fields are null or their default if the schema allows it. {@code
   * docs/evolution.md} has the rules. A message has its schema. That of a record must be in the set
   * of {@link #withSchemas}.
   *
   * @param bytes a whole message or record
   * @return its row
   * @throws DecodeException if the bytes are no whole message or record, or a message of no row or
   *     several
   * @throws LimitException if the row takes more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if rows of the schema can't be converted, which names the field, or if
   *     the schema of a record is unknown ({@link SchemaException#fingerprint})
   */
  public T decode(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return row(rows.decode(bytes, 0, bytes.length));
  }

  /**
   * Decodes one row, as {@link #decode(byte[])} does.
   *
   * @param bytes a whole message or record, from the buffer's position to its limit; after success
   *     the position is at the limit
   * @return its row
   * @throws DecodeException if the bytes are no whole message or record, or a message of no row or
   *     several
   * @throws LimitException if the row takes more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if rows of the schema can't be converted, which names the field, or if
   *     the schema of a record is unknown ({@link SchemaException#fingerprint})
   */
  public T decode(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return row(rows.decode(bytes));
  }

  /**
   * Encodes rows to a message. It is on the row wire if there are at most 128 rows and it takes at
   * most 16 KiB, and otherwise on the frame wire, or where the native library is missing on the row
   * wire too. {@link #withWire} chooses a wire.
   *
   * @param rows the rows; may be empty
   * @return the message
   * @throws EncodeException if a row does not fit the schema; it describes the first such row
   * @throws LimitException if the message exceeds 2 GiB
   */
  public byte[] encodeAll(List<? extends T> rows) {
    return Messages.toBytes(binding(), GivenRows.of(rows), writing, null);
  }

  /**
   * Encodes rows to a buffer, at its position, as {@link #encodeAll} does. The position is moved to
   * the end of the message. serow may also overwrite bytes after the message.
   *
   * <p>After an error the position is unchanged, and the buffer has no message there.
   *
   * <p>The memory of a direct buffer must not be freed by another thread during the call, as by
   * closing a shared arena. Java has no means to prevent this.
   *
   * @param rows the rows; may be empty
   * @param buffer a writable buffer, on the heap or direct
   * @return the length of the message in bytes
   * @throws BufferTooSmallException if the message does not fit
   * @throws EncodeException if a row does not fit the schema
   * @throws ReadOnlyBufferException if the buffer is read-only
   */
  public int encodeAllInto(List<? extends T> rows, ByteBuffer buffer) {
    @Nullable Object[] all = GivenRows.of(rows);
    checkWritable(buffer);
    return Messages.toBuffer(binding(), all, writing, buffer);
  }

  /**
   * Decodes all rows of a message of either wire, or the one of a record, as {@link
   * #decode(byte[])} does.
   *
   * @param bytes a whole message or record
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are no whole message, and no whole record of a schema that
   *     the codec knows
   * @throws LimitException if the rows take more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if rows of the message's schema can't be converted; it names the field
   */
  public List<T> decodeAll(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return decodeAll(ByteBuffer.wrap(bytes));
  }

  /**
   * Decodes all rows of a message of either wire, or the one of a record, as {@link
   * #decode(byte[])} does.
   *
   * <p>The memory of a direct buffer must not be freed by another thread during the call, as by
   * closing a shared arena. Java has no means to prevent this.
   *
   * @param bytes a whole message or record, from the buffer's position to its limit; after success
   *     the position is at the limit
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are no whole message, and no whole record of a schema that
   *     the codec knows
   * @throws LimitException if the rows take more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if rows of the message's schema can't be converted; it names the field
   */
  public List<T> decodeAll(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    if (rows.isRecord(bytes)) {
      List<T> one = new ArrayList<>(1);
      one.add(decode(bytes));
      return one;
    }
    return rows(Messages.read(bytes, options()));
  }

  /**
   * A codec that encodes one row to a record: the row, and the fingerprint of its schema, 8 bytes.
   * It is the shortest and fastest form, and costs two promises. The reader needs the schema: its
   * own, or one of {@link #withSchemas}. And damage may decode to another row, because there is no
   * checksum. {@code docs/records.md} says when this is right.
   *
   * <p>{@link #encodeAll} makes messages as before. Records are never compressed.
   *
   * @return a codec of the same schema
   */
  public Codec<T> withoutSchemaAndChecksum() {
    return new Codec<>(rows.withForm(SingleRows.Form.RECORD), writing);
  }

  /**
   * A codec whose records also lack the fingerprint ({@link #withoutSchemaAndChecksum}), for
   * writers and readers that agree on the schema by other means. It takes all bytes that {@link
   * #decode} gets for a row of its own schema, and its {@link #decodeAll} reads messages only.
   *
   * @return a codec of the same schema
   */
  public Codec<T> withoutFingerprint() {
    return new Codec<>(rows.withForm(SingleRows.Form.VALUE), writing);
  }

  /**
   * A codec that also reads records of other schemas, which it converts to its own.
   *
   * @param schemas the schemas of writers; schemas that are added later count too
   * @return a codec of the same schema
   */
  public Codec<T> withSchemas(SchemaSet schemas) {
    Objects.requireNonNull(schemas, "schemas");
    return new Codec<>(rows.withSchemas(schemas), writing);
  }

  /**
   * A codec that writes messages on one wire, whatever their size, one row too. Every codec reads
   * every wire. Messages of {@link Wire#FRAME} need the native library.
   *
   * @param wire the wire
   * @return a codec of the same schema
   */
  public Codec<T> withWire(Wire wire) {
    Objects.requireNonNull(wire, "wire");
    return new Codec<>(rows, writing.withWire(wire));
  }

  /**
   * A codec that compresses messages, and streams ({@link StreamWriter}). Every codec reads
   * compressed messages. Records are never compressed.
   *
   * @param compression the compression
   * @return a codec of the same schema and wire
   */
  public Codec<T> withCompression(Compression compression) {
    Objects.requireNonNull(compression, "compression");
    return new Codec<>(rows, compression.in(writing));
  }

  /**
   * A codec that encodes and decodes large messages, and streams, on several threads. The bytes are
   * the same. Messages of {@link Wire#ROW} without compression use the calling thread only.
   *
   * @param threads how many threads a call may use
   * @return a codec of the same schema, wire and compression
   */
  public Codec<T> withThreads(Threads threads) {
    Objects.requireNonNull(threads, "threads");
    return new Codec<>(rows, writing.withThreads(threads));
  }

  /**
   * A codec that keeps or drops what the times of other languages lack.
   *
   * @param times what becomes of it
   * @return a codec of the same schema, wire, compression and threads
   */
  public Codec<T> withTimes(Times times) {
    Objects.requireNonNull(times, "times");
    return new Codec<>(rows.withTimes(times), writing);
  }

  /**
   * A codec that limits the memory of what it decodes. A message of a few bytes may hold many large
   * rows. serow counts what the objects would take before it makes them: {@code docs/security.md}
   * says what counts.
   *
   * @param bytes the most bytes that the rows of a message, or the row of a record, may take as
   *     Java objects; more is a {@link LimitException}. For streams it is the default of {@link
   *     StreamReader.Options#withMaxMemory}. Without this there is no limit.
   * @return a codec of the same schema, wire, compression and threads
   * @throws IllegalArgumentException if the number is negative
   */
  public Codec<T> withMaxMemory(long bytes) {
    return new Codec<>(rows.withMaxMemory(bytes), writing);
  }

  /** Whether one row needs no more than {@link SingleRows}. */
  private boolean isSingle() {
    return rows.form() != SingleRows.Form.MESSAGE || writing.isPlain();
  }

  private static @Nullable Object[] given(@Nullable Object row) {
    return new @Nullable Object[] {row};
  }

  private static void checkWritable(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "buffer");
    if (buffer.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
  }

  /** Sound: the factory methods guarantee that all rows are {@code T}. */
  @SuppressWarnings("unchecked")
  private T row(Object row) {
    return (T) row;
  }

  /** Sound: the factory methods guarantee that all rows are {@code T}. */
  @SuppressWarnings("unchecked")
  private List<T> rows(List<Object> rows) {
    return (List<T>) rows;
  }

  /**
   * Compiles the native encoder for this codec's schema and wire, and waits for it. This takes
   * milliseconds, more for wide rows. Otherwise serow compiles it in the background once it pays.
   * Does nothing if the environment variable {@code SEROW_TIER} is {@code interpreter}.
   *
   * <p>Decoding needs no native code per schema: each kind of column is unpacked by the same code,
   * and a Java class, generated for the schema and compiled by the JVM, makes rows of columns.
   *
   * <p>This does nothing for {@link Wire#ROW} without compression, which Java writes and reads,
   * without the native library, or if that was built without the compiler.
   *
   * @throws SerowException if LLVM cannot compile it; the interpreter still encodes the rows
   */
  public void compile() {
    if (isNative()) {
      Binding binding = binding();
      Native.planCompile(binding.plan().address(), format().wire().ordinal());
      Reference.reachabilityFence(binding);
    }
  }

  /**
   * What encodes large messages of this codec's schema and wire at this moment.
   *
   * @return the tier
   */
  public Tier tier() {
    if (!isNative()) {
      return Tier.JAVA;
    }
    Binding binding = binding();
    boolean isCompiled = Native.planIsCompiled(binding.plan().address(), format().wire().ordinal());
    Reference.reachabilityFence(binding);
    return isCompiled ? Tier.JIT : Tier.INTERPRETER;
  }

  private boolean isNative() {
    return NativeLibrary.isLoaded() && !Messages.isInJava(format());
  }

  /**
   * The code that {@link #compile} compiles, for humans.
   *
   * @return LLVM's intermediate representation as text
   * @throws SerowException if it cannot be generated, or the native library is not loaded or was
   *     built without the compiler
   */
  public String ir() {
    NativeLibrary.require("the compiler");
    Binding binding = binding();
    String ir = Native.planIr(binding.plan().address(), format().wire().ordinal());
    Reference.reachabilityFence(binding);
    return ir;
  }

  /** What belongs to the schema. */
  Binding binding() {
    return rows.binding();
  }

  /** How large messages and streams are written. */
  Format format() {
    return writing.format();
  }

  /** How messages and streams are written. */
  WriteOptions writing() {
    return writing;
  }

  /** How rows are read. */
  ReadOptions options() {
    return rows.options().withThreads(writing.threads());
  }

  /** The schema, the wire and the compression, for humans. */
  @Override
  public String toString() {
    String wire = writing.wire() == null ? "" : ", " + writing.wire();
    Compression compression = writing.compression();
    String end = compression.isNone() ? ")" : ", " + compression + ")";
    return "Codec(" + schema() + wire + end;
  }
}
