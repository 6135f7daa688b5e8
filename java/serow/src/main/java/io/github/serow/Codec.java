package io.github.serow;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.CodecParts;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.codec.SingleRecords;
import io.github.serow.internal.encode.GivenRows;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.message.Messages;
import io.github.serow.internal.wire.Format;
import java.lang.ref.Reference;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Encodes and decodes rows of one schema. It is thread-safe.
 *
 * <p>A codec never widens its schema. A row that does not fit is an {@link EncodeException}, and a
 * message whose schema can't be converted to the codec's is a {@link SchemaException}. A null
 * argument is a {@link NullPointerException} that names the argument.
 *
 * <pre>{@code
 * try (Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str?)"))) {
 *   byte[] bytes = codec.encode(List.of(new Object[] {1L, "almond"}, new Object[] {2L, null}));
 *   List<Object[]> rows = codec.decode(bytes);
 * }
 * }</pre>
 *
 * @param <T> the class of a row: {@code Object[]} for tuples, your own class, or {@link Object} for
 *     any row
 */
public final class Codec<T> implements AutoCloseable {
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

  private final Schema schema;
  private final Format format;
  private final Threads threads;

  /**
   * Single records, and the binding; null once closed. Codecs of equal schemas share a binding; the
   * last one frees it.
   */
  private volatile SingleRecords records;

  private Codec(Binding binding, Wire wire) {
    this(
        new SingleRecords(binding, new SchemaSet(), true),
        Compression.none().on(wire),
        Threads.one());
  }

  private Codec(SingleRecords records, Format format, Threads threads) {
    schema = records.binding().schema();
    this.format = format;
    this.threads = threads;
    this.records = records;
  }

  /**
   * Creates a codec for objects of one class. It encodes on the frame wire.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type) {
    return of(type, Wire.FRAME);
  }

  /**
   * Creates a codec for objects of one class. {@link Schema#of} defines its schema. Decoding calls
   * the class's constructor, whatever the message contains.
   *
   * <pre>{@code
   * record Part(long key, String name, Optional<BigDecimal> price) {}
   * Codec<Part> codec = Codec.of(Part.class, Wire.FRAME);
   * List<Part> parts = codec.decode(codec.encode(List.of(new Part(1, "almond", Optional.empty()))));
   * }</pre>
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type, Wire wire) {
    return of(type, wire, Mappings.standard());
  }

  /**
   * Creates a codec for objects of one class, with converters or access of the caller's.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type, Wire wire, Mappings mappings) {
    return mapped(type, wire, mappings);
  }

  /**
   * Creates a codec for objects of one class, with converters or access of the caller's. It encodes
   * on the frame wire.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type, Mappings mappings) {
    return of(type, Wire.FRAME, mappings);
  }

  /**
   * Creates a codec for objects of a generic type. It encodes on the frame wire.
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
    return of(type, Wire.FRAME);
  }

  /**
   * Creates a codec for objects of a generic type.
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static <T> Codec<T> of(TypeReference<T> type, Wire wire) {
    return of(type, wire, Mappings.standard());
  }

  /**
   * Creates a codec for objects of a generic type, with converters or access of the caller's.
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static <T> Codec<T> of(TypeReference<T> type, Wire wire, Mappings mappings) {
    return mapped(Objects.requireNonNull(type, "type").type(), wire, mappings);
  }

  /**
   * Creates a codec for objects of a generic type, with converters or access of the caller's. It
   * encodes on the frame wire.
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static <T> Codec<T> of(TypeReference<T> type, Mappings mappings) {
    return of(type, Wire.FRAME, mappings);
  }

  /**
   * Creates a codec for objects of a type that is known at run time only, such as the parameter of
   * a method. It encodes on the frame wire.
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
    return of(type, Wire.FRAME, Mappings.standard());
  }

  /**
   * Creates a codec for objects of a type that is known at run time only, with converters or access
   * of the caller's.
   *
   * @param type a class, or a type with all its type arguments
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @param mappings converters, and access to closed modules
   * @return the codec
   * @throws SchemaException if the type has no schema
   */
  public static Codec<Object> of(Type type, Wire wire, Mappings mappings) {
    return mapped(type, wire, mappings);
  }

  /** {@code type} is that of a row, which the callers' signatures tie to {@code T}. */
  private static <T> Codec<T> mapped(Type type, Wire wire, Mappings mappings) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(wire, "wire");
    Objects.requireNonNull(mappings, "mappings");
    return new Codec<>(mappings.bindings().of(type), wire);
  }

  /**
   * Creates a codec for tuples. It encodes on the frame wire.
   *
   * @param schema the schema of a row: a tuple of fixed shape or of any length, or a union of
   *     tuples
   * @return the codec
   * @throws SchemaException if rows of the schema are not always tuples; see {@link #ofAny}
   */
  public static Codec<Object[]> of(Schema schema) {
    return of(schema, Wire.FRAME);
  }

  /**
   * Creates a codec for tuples.
   *
   * @param schema the schema of a row: a tuple of fixed shape or of any length, or a union of
   *     tuples
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @return the codec
   * @throws SchemaException if rows of the schema are not always tuples; see {@link #ofAny}
   */
  public static Codec<Object[]> of(Schema schema, Wire wire) {
    Codec<Object[]> codec = make(schema, wire);
    if (!codec.open().type().isTuple()) {
      throw new SchemaException(
          "rows of " + schema + " are not tuples (Object[]); use Codec.ofAny");
    }
    return codec;
  }

  /**
   * Creates a codec for rows of any type. It encodes on the frame wire.
   *
   * @param schema the schema of a row, which may also be a list or a single value
   * @return the codec
   */
  public static Codec<Object> ofAny(Schema schema) {
    return ofAny(schema, Wire.FRAME);
  }

  /**
   * Creates a codec for rows of any type.
   *
   * @param schema the schema of a row, which may also be a list or a single value
   * @param wire the wire for {@link #encode}; {@link #decode} reads every wire
   * @return the codec
   */
  public static Codec<Object> ofAny(Schema schema, Wire wire) {
    return make(schema, wire);
  }

  private static <T> Codec<T> make(Schema schema, Wire wire) {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(wire, "wire");
    return new Codec<>(Binding.of(schema), wire);
  }

  /**
   * The schema of this codec's rows.
   *
   * @return the schema of a row
   */
  public Schema schema() {
    return schema;
  }

  /**
   * Encodes rows to a message.
   *
   * @param rows the rows; may be empty
   * @return the message
   * @throws EncodeException if a row does not fit the schema; it describes the first such row
   * @throws LimitException if the message exceeds 2 GiB
   * @throws IllegalStateException if the codec is closed
   */
  public byte[] encode(List<? extends T> rows) {
    Object[] all = GivenRows.of(rows);
    return Messages.toBytes(open(), all, format, threads, null);
  }

  /**
   * Encodes rows to a buffer, at its position. The position is moved to the end of the message.
   * serow may also overwrite bytes after the message.
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
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   * @throws IllegalStateException if the codec is closed
   */
  public int encodeInto(List<? extends T> rows, ByteBuffer buffer) {
    Object[] all = GivenRows.of(rows);
    Objects.requireNonNull(buffer, "buffer");
    Binding binding = open();
    if (buffer.isReadOnly()) {
      throw new java.nio.ReadOnlyBufferException();
    }
    return Messages.toBuffer(binding, all, format, threads, buffer);
  }

  /**
   * Decodes a message of either wire to rows of this codec's schema. If the message has another
   * schema, fields are matched by name: unknown fields are skipped, and missing fields are null if
   * the schema allows it. {@code docs/evolution.md} has the rules.
   *
   * @param message a whole message
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   * @throws LimitException if the rows take more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if rows of the message's schema can't be converted; it names the field
   * @throws IllegalStateException if the codec is closed
   */
  public List<T> decode(byte[] message) {
    Objects.requireNonNull(message, "message");
    return rows(Messages.read(message, options()));
  }

  /**
   * Decodes a message of either wire to rows of this codec's schema. If the message has another
   * schema, fields are matched by name: unknown fields are skipped, and missing fields are null if
   * the schema allows it. {@code docs/evolution.md} has the rules.
   *
   * <p>The memory of a direct buffer must not be freed by another thread during the call, as by
   * closing a shared arena. Java has no means to prevent this.
   *
   * @param message a whole message, from the buffer's position to its limit; after success the
   *     position is at the limit
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   * @throws LimitException if the rows take more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if rows of the message's schema can't be converted; it names the field
   * @throws IllegalStateException if the codec is closed
   */
  public List<T> decode(ByteBuffer message) {
    Objects.requireNonNull(message, "message");
    return rows(Messages.read(message, options()));
  }

  /**
   * Encodes one row to a single record: the fingerprint of the schema and the row, without a
   * schema, a header or a checksum. The reader must have the schema. {@code docs/wire-format.md}
   * has the form.
   *
   * @param row the row; may be null if the schema allows it
   * @return the record
   * @throws EncodeException if the row does not fit the schema
   * @throws LimitException if the record exceeds 2 GiB
   * @throws IllegalStateException if the codec is closed
   */
  public byte[] encodeOne(T row) {
    return openRecords().encode(row);
  }

  /**
   * Encodes one row to a single record in a buffer, at its position. The position is moved to the
   * end of the record.
   *
   * @param row the row; may be null if the schema allows it
   * @param buffer a writable buffer, on the heap or direct
   * @return the length of the record in bytes
   * @throws BufferTooSmallException if the record does not fit; then nothing is written
   * @throws EncodeException if the row does not fit the schema; then nothing is written
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   * @throws IllegalStateException if the codec is closed
   */
  public int encodeOneInto(T row, ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "buffer");
    SingleRecords records = openRecords();
    if (buffer.isReadOnly()) {
      throw new java.nio.ReadOnlyBufferException();
    }
    return records.encode(row, buffer);
  }

  /**
   * Decodes a single record to a row of this codec's schema. If the record has another schema that
   * the codec knows ({@link #withSchemas}), it is converted as rows of a message are.
   *
   * @param record a whole record
   * @return its row
   * @throws DecodeException if the bytes are not a whole record of its schema
   * @throws LimitException if the rows take more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if the schema of the record is unknown ({@link
   *     SchemaException#fingerprint}), or its rows can't be converted
   * @throws IllegalStateException if the codec is closed
   */
  public T decodeOne(byte[] record) {
    Objects.requireNonNull(record, "record");
    return row(openRecords().decode(record, 0, record.length));
  }

  /**
   * Decodes a single record to a row of this codec's schema. If the record has another schema that
   * the codec knows ({@link #withSchemas}), it is converted as rows of a message are.
   *
   * @param record a whole record, from the buffer's position to its limit; after success the
   *     position is at the limit
   * @return its row
   * @throws DecodeException if the bytes are not a whole record of its schema
   * @throws LimitException if the rows take more memory than {@link #withMaxMemory} allows
   * @throws SchemaException if the schema of the record is unknown ({@link
   *     SchemaException#fingerprint}), or its rows can't be converted
   * @throws IllegalStateException if the codec is closed
   */
  public T decodeOne(ByteBuffer record) {
    Objects.requireNonNull(record, "record");
    return row(openRecords().decode(record));
  }

  /**
   * A codec whose single records have no fingerprint, for writers and readers that agree on the
   * schema by other means. It is closed separately.
   *
   * @return a codec of the same schema
   * @throws IllegalStateException if this codec is closed
   */
  public Codec<T> withoutFingerprint() {
    return new Codec<>(openRecords().withoutFingerprint(), format, threads);
  }

  /**
   * A codec that also reads single records of other schemas, which it converts to its own. It is
   * closed separately.
   *
   * @param schemas the schemas of writers; schemas that are added later count too
   * @return a codec of the same schema
   * @throws IllegalStateException if this codec is closed
   */
  public Codec<T> withSchemas(SchemaSet schemas) {
    Objects.requireNonNull(schemas, "schemas");
    return new Codec<>(openRecords().withSchemas(schemas), format, threads);
  }

  /**
   * A codec that compresses messages, and streams ({@link Writer}). Every codec reads compressed
   * messages. Single records are never compressed. The codec is closed separately.
   *
   * @param compression the compression
   * @return a codec of the same schema and wire
   * @throws IllegalStateException if this codec is closed
   */
  public Codec<T> withCompression(Compression compression) {
    Objects.requireNonNull(compression, "compression");
    return new Codec<>(openRecords(), compression.on(format.wire()), threads);
  }

  /**
   * A codec that encodes and decodes large messages, and streams, on several threads. The bytes are
   * the same. Messages of {@link Wire#ROW} without compression use the calling thread only. The
   * codec is closed separately.
   *
   * @param threads how many threads a call may use
   * @return a codec of the same schema, wire and compression
   * @throws IllegalStateException if this codec is closed
   */
  public Codec<T> withThreads(Threads threads) {
    Objects.requireNonNull(threads, "threads");
    return new Codec<>(openRecords(), format, threads);
  }

  /**
   * A codec that keeps or drops what the times of other languages lack. It is closed separately.
   *
   * @param times what becomes of it
   * @return a codec of the same schema, wire, compression and threads
   * @throws IllegalStateException if this codec is closed
   */
  public Codec<T> withTimes(Times times) {
    Objects.requireNonNull(times, "times");
    return new Codec<>(openRecords().withTimes(times), format, threads);
  }

  /**
   * A codec that limits the memory of what it decodes. A message of a few bytes may hold many large
   * rows. serow counts what the objects would take before it makes them: {@code docs/security.md}
   * says what counts. The codec is closed separately.
   *
   * @param bytes the most bytes that the rows of a message, or the row of a single record, may take
   *     as Java objects; more is a {@link LimitException}. For streams it is the default of {@link
   *     Reader.Options#withMaxMemory}. Without this there is no limit.
   * @return a codec of the same schema, wire, compression and threads
   * @throws IllegalArgumentException if the number is negative
   * @throws IllegalStateException if this codec is closed
   */
  public Codec<T> withMaxMemory(long bytes) {
    return new Codec<>(openRecords().withMaxMemory(bytes), format, threads);
  }

  /** Sound: the factory methods guarantee that all rows are {@code T} or null. */
  @SuppressWarnings("unchecked")
  private T row(Object row) {
    return (T) row;
  }

  /** Sound: the factory methods guarantee that all rows are {@code T} or null. */
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
   * @throws IllegalStateException if the codec is closed
   */
  public void compile() {
    Binding binding = open();
    if (!NativeLibrary.isLoaded() || Messages.isInJava(format)) {
      return;
    }
    Native.planCompile(binding.plan().address(), format.wire().ordinal());
    Reference.reachabilityFence(binding);
  }

  /**
   * What encodes rows of this codec's schema and wire at this moment.
   *
   * @return the tier
   * @throws IllegalStateException if the codec is closed
   */
  public Tier tier() {
    Binding binding = open();
    if (!NativeLibrary.isLoaded() || Messages.isInJava(format)) {
      return Tier.JAVA;
    }
    boolean isCompiled = Native.planIsCompiled(binding.plan().address(), format.wire().ordinal());
    Reference.reachabilityFence(binding);
    return isCompiled ? Tier.JIT : Tier.INTERPRETER;
  }

  /**
   * The code that {@link #compile} compiles, for humans.
   *
   * @return LLVM's intermediate representation as text
   * @throws SerowException if it cannot be generated, or the native library is not loaded or was
   *     built without the compiler
   * @throws IllegalStateException if the codec is closed
   */
  public String ir() {
    Binding binding = open();
    NativeLibrary.require("the compiler");
    String ir = Native.planIr(binding.plan().address(), format.wire().ordinal());
    Reference.reachabilityFence(binding);
    return ir;
  }

  /**
   * Releases the codec's resources. Calls in progress complete; later calls throw an {@link
   * IllegalStateException}. Closing a codec again has no effect. A codec that is never closed is
   * freed after it becomes unreachable.
   */
  @Override
  public void close() {
    records = null;
  }

  private Binding open() {
    return openRecords().binding();
  }

  /** What belongs to the schema. */
  Binding binding() {
    return open();
  }

  /** How messages are written. */
  Format format() {
    return format;
  }

  /** The threads that calls may use. */
  Threads threads() {
    return threads;
  }

  /** How rows are read. */
  ReadOptions options() {
    return openRecords().options().withThreads(threads);
  }

  private SingleRecords openRecords() {
    SingleRecords open = records;
    if (open == null) {
      throw new IllegalStateException("this codec is closed");
    }
    return open;
  }

  /** The schema, the wire and the compression, for humans. */
  @Override
  public String toString() {
    Compression compression = format.compression();
    String end = compression.isNone() ? ")" : ", " + compression + ")";
    return "Codec(" + schema + ", " + format.wire() + end;
  }
}
