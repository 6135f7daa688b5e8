package io.github.serow;

import io.github.serow.codec.Binding;
import io.github.serow.codec.DecodeContext;
import io.github.serow.codec.EncodeContext;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeLibrary;
import io.github.serow.mapping.Mapper;
import io.github.serow.schema.Mapping;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Encodes and decodes rows of one schema. It may be used by many threads at once.
 *
 * <p>It never widens its schema: a row that does not fit is an {@link EncodeException}, a message
 * of a schema that is not read as this one a {@link SchemaException}. An argument that is null is a
 * {@link NullPointerException} that names the argument.
 *
 * <pre>{@code
 * try (Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str?)"))) {
 *   byte[] bytes = codec.encode(List.of(new Object[] {1L, "almond"}, new Object[] {2L, null}));
 *   List<Object[]> rows = codec.decode(bytes);
 * }
 * }</pre>
 *
 * @param <T> what a row is in Java: {@code Object[]} for tuples, a class of the caller's, or {@link
 *     Object} for any row
 */
public final class Codec<T> implements AutoCloseable {
  private final Schema schema;
  private final Wire wire;

  /** Null once closed. Codecs of equal schemas share what it holds; the last one frees it. */
  private volatile Binding binding;

  private Codec(Binding binding, Wire wire) {
    schema = binding.schema();
    this.wire = wire;
    this.binding = binding;
  }

  /**
   * A codec of objects of one class, which writes them column by column.
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
   * A codec of objects of one class. Its rows are of {@link Schema#of}, and decoding gives objects
   * of the class, made by its constructor, whatever the message says.
   *
   * <pre>{@code
   * record Part(long key, String name, Optional<BigDecimal> price) {}
   * Codec<Part> codec = Codec.of(Part.class, Wire.FRAME);
   * List<Part> parts = codec.decode(codec.encode(List.of(new Part(1, "almond", Optional.empty()))));
   * }</pre>
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @param wire how {@link #encode} writes rows; {@link #decode} reads every wire
   * @return the codec
   * @throws SchemaException if the class has no schema
   */
  public static <T> Codec<T> of(Class<T> type, Wire wire) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(wire, "wire");
    NativeLibrary.require();
    Mapping mapping = Mapper.of(type);
    return new Codec<>(Binding.of(mapping.schema(), mapping), wire);
  }

  /**
   * A codec of tuples that writes them column by column.
   *
   * @param schema the schema of a row: a tuple, of fixed shape or any length, or a union of tuples
   * @return the codec
   * @throws SchemaException if rows of the schema need not be tuples; see {@link #ofAny}
   */
  public static Codec<Object[]> of(Schema schema) {
    return of(schema, Wire.FRAME);
  }

  /**
   * A codec of tuples.
   *
   * @param schema the schema of a row: a tuple, of fixed shape or any length, or a union of tuples
   * @param wire how {@link #encode} writes rows; {@link #decode} reads every wire
   * @return the codec
   * @throws SchemaException if rows of the schema need not be tuples; see {@link #ofAny}
   */
  public static Codec<Object[]> of(Schema schema, Wire wire) {
    Codec<Object[]> codec = make(schema, wire);
    if (!codec.open().root().type().isTuple()) {
      throw new SchemaException(
          "rows of " + schema + " are not tuples, that is Object[]; use Codec.ofAny");
    }
    return codec;
  }

  /**
   * A codec of rows of any type, which writes them column by column.
   *
   * @param schema the schema of a row, which may be a list or a single value too
   * @return the codec
   */
  public static Codec<Object> ofAny(Schema schema) {
    return ofAny(schema, Wire.FRAME);
  }

  /**
   * A codec of rows of any type.
   *
   * @param schema the schema of a row, which may be a list or a single value too
   * @param wire how {@link #encode} writes rows; {@link #decode} reads every wire
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
   * @return the schema given to {@link #of}
   */
  public Schema schema() {
    return schema;
  }

  /**
   * The message of some rows.
   *
   * @param rows the rows; may be empty
   * @return the message
   * @throws EncodeException if a row does not fit the schema; of several the first is named
   * @throws LimitException if the message is beyond 2 GiB
   * @throws IllegalStateException if the codec is closed
   */
  public byte[] encode(List<? extends T> rows) {
    Objects.requireNonNull(rows, "rows");
    Binding binding = open();
    return EncodeContext.toBytes(binding, rows.toArray(), wire, null);
  }

  /**
   * Writes the message of some rows to a buffer, at its position, which is moved past it.
   *
   * @param rows the rows; may be empty
   * @param buffer a buffer that may be written to, on the heap or direct
   * @return the length of the message in bytes
   * @throws BufferTooSmallException if it does not fit; nothing is written then
   * @throws EncodeException if a row does not fit the schema; nothing is written then
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   * @throws IllegalStateException if the codec is closed
   */
  public int encodeInto(List<? extends T> rows, ByteBuffer buffer) {
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(buffer, "buffer");
    Binding binding = open();
    if (buffer.isReadOnly()) {
      throw new java.nio.ReadOnlyBufferException();
    }
    return EncodeContext.toBuffer(binding, rows.toArray(), wire, buffer);
  }

  /**
   * The rows of a message, on any wire. Those of another schema are read as rows of this one by the
   * names of their fields, where nothing has to be guessed: fields that this has not are passed
   * over, and those that the message has not are null where they may be. {@code docs/evolution.md}
   * has the rules.
   *
   * @param message a whole message
   * @return its rows, in a list that may be changed
   * @throws DecodeException if the bytes are not a whole message
   * @throws SchemaException if its rows are of a schema that is not read as this one; the message
   *     names the field
   * @throws IllegalStateException if the codec is closed
   */
  public List<T> decode(byte[] message) {
    Objects.requireNonNull(message, "message");
    return rows(DecodeContext.read(message, open()));
  }

  /**
   * The rows of a message, on any wire. Those of another schema are read as rows of this one by the
   * names of their fields, where nothing has to be guessed: fields that this has not are passed
   * over, and those that the message has not are null where they may be. {@code docs/evolution.md}
   * has the rules.
   *
   * @param message a whole message, from the buffer's position to its limit; the position is moved
   *     to the limit if it could be read
   * @return its rows, in a list that may be changed
   * @throws DecodeException if the bytes are not a whole message
   * @throws SchemaException if its rows are of a schema that is not read as this one; the message
   *     names the field
   * @throws IllegalStateException if the codec is closed
   */
  public List<T> decode(ByteBuffer message) {
    Objects.requireNonNull(message, "message");
    return rows(DecodeContext.read(message, open()));
  }

  /** Sound: the methods that make codecs see to it that all rows are {@code T} or null. */
  @SuppressWarnings("unchecked")
  private List<T> rows(List<Object> rows) {
    return (List<T>) rows;
  }

  /**
   * Compiles now what encodes this codec's rows in its wire, and waits for it: some milliseconds,
   * and more for wide rows. Without it that is done in the background once it pays. Does nothing
   * where the environment variable {@code SEROW_TIER} is {@code interpreter}.
   *
   * <p>Of decoding, what turns the records of {@link Wire#ROW} into columns is compiled with it.
   * There is nothing else to compile natively: a column is unpacked by one piece of code for each
   * kind of column and none for each schema, and a class that is generated for the schema makes
   * rows of columns, which the JVM compiles by itself.
   *
   * @throws SerowException if LLVM cannot compile it; rows are encoded all the same
   * @throws IllegalStateException if the codec is closed
   */
  public void compile() {
    Binding binding = open();
    Native.planCompile(binding.plan().address(), wire.ordinal());
    Reference.reachabilityFence(binding);
  }

  /**
   * What encodes this codec's rows on its wire at present.
   *
   * @return {@code "jit"} if it is compiled, or else {@code "interpreter"}
   * @throws IllegalStateException if the codec is closed
   */
  public String tier() {
    Binding binding = open();
    boolean isCompiled = Native.planIsCompiled(binding.plan().address(), wire.ordinal());
    Reference.reachabilityFence(binding);
    return isCompiled ? "jit" : "interpreter";
  }

  /**
   * What {@link #compile} compiles, for people to read.
   *
   * @return LLVM's intermediate representation, as text
   * @throws SerowException if it cannot be made
   * @throws IllegalStateException if the codec is closed
   */
  public String ir() {
    Binding binding = open();
    String ir = Native.planIr(binding.plan().address(), wire.ordinal());
    Reference.reachabilityFence(binding);
    return ir;
  }

  /**
   * Lets go of what the codec holds. Calls in progress come to their end; later ones are an {@link
   * IllegalStateException}. Closing a codec again does nothing, and one that is never closed is
   * cleaned up with the garbage.
   */
  @Override
  public void close() {
    binding = null;
  }

  private Binding open() {
    Binding open = binding;
    if (open == null) {
      throw new IllegalStateException("this codec is closed");
    }
    return open;
  }

  /** The schema and wire, for people. */
  @Override
  public String toString() {
    return "Codec(" + schema + ", " + wire + ")";
  }
}
