package io.github.serow;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.Pool;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.encode.GivenRows;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.message.Messages;
import io.github.serow.internal.message.WriteOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows to bytes and decodes them, without a declared type.
 *
 * <p>A row is a tuple ({@code Object[]}), a {@link Record}, a {@link java.util.Map}, a {@link
 * List}, or a single value. These values are encoded, nested up to 64 deep:
 *
 * <ul>
 *   <li>{@link Long} (also {@link Integer}, {@link Short} and {@link Byte}, which decode to {@code
 *       Long}), {@link Double}, {@link String}, {@link Boolean}, null, and the other single values
 *       that {@link Schema} lists;
 *   <li>constants of enums, and tuples, records, maps, lists and sets;
 *   <li>an {@link java.util.Optional} as its value or null, an array of numbers as a list, and
 *       Scala's options, tuples, collections and case classes (see {@code docs/types.md}).
 * </ul>
 *
 * <p>Decoded values equal the encoded ones; floats keep their bits and strings their chars. Lists
 * decode to {@link java.util.ArrayList}, tuples to {@code Object[]}, records to {@link Row}, and
 * constants of enums to {@link EnumMember}, whatever classes the reader has.
 *
 * <pre>{@code
 * List<Object[]> rows = List.of(new Object[] {1L, "almond", 901.0}, new Object[] {2L, null, 902.0});
 * byte[] bytes = Serow.dumps(rows);
 * List<Object> back = Serow.loads(bytes);
 * Object[] first = (Object[]) back.get(0);
 * }</pre>
 *
 * <p>The schema is inferred from a sample of 64 rows. If a later row does not fit, the schema is
 * widened, so no value is lost or converted. For many messages of one schema use {@link Codec}.
 *
 * <p>The first use loads a native library from the jar; the system property {@code
 * serow.native.path} names another one. Where no library can be loaded, or if the property {@code
 * serow.native} is {@code off}, serow reads and writes {@link Wire#ROW} in Java, and the log says
 * so once; {@link Wire#FRAME}, which {@link #dumps(List)} takes for larger messages, and streams
 * need the library. Java 24 and later print a warning about this unless they are started with
 * {@code --enable-native-access=ALL-UNNAMED} (or {@code =io.github.serow} on the module path). The
 * property {@code serow.memory} limits the native memory that serow keeps between messages, in
 * bytes; {@link #trimMemory} frees it.
 */
@NullMarked
public final class Serow {
  private Serow() {}

  /**
   * How rows are encoded and decoded. It is immutable: each method returns other options.
   *
   * <pre>{@code
   * byte[] bytes = Serow.options().withCompression(Compression.zstd()).dumps(rows);
   * List<Object> back = Serow.options().withMaxMemory(100_000_000).loads(bytes);
   * }</pre>
   */
  public static final class Options {
    private final WriteOptions writing;
    private final ReadOptions reading;

    private Options(WriteOptions writing, ReadOptions reading) {
      this.writing = writing;
      this.reading = reading;
    }

    /**
     * Sets the layout of messages. Without it, it is {@link Wire#ROW} if there are at most 128 rows
     * and the message would take at most 16 KiB without compression, otherwise {@link Wire#FRAME}.
     * {@link #loads} reads every wire.
     *
     * @param wire the wire
     * @return options with this wire
     */
    public Options withWire(Wire wire) {
      Objects.requireNonNull(wire, "wire");
      return new Options(writing.withWire(wire), reading);
    }

    /**
     * Sets the compression of messages. {@link #loads} reads every one.
     *
     * @param compression the compression
     * @return options with this compression
     */
    public Options withCompression(Compression compression) {
      Objects.requireNonNull(compression, "compression");
      return new Options(compression.in(writing), reading);
    }

    /**
     * Sets how many threads may make or read a large message. The bytes are the same.
     *
     * @param threads the threads
     * @return options with these threads
     */
    public Options withThreads(Threads threads) {
      Objects.requireNonNull(threads, "threads");
      return new Options(writing.withThreads(threads), reading.withThreads(threads));
    }

    /**
     * Keeps or drops what the times of other languages lack. Without this, it is {@link
     * Times#EXACT}.
     *
     * @param times what becomes of it
     * @return options with these times
     */
    public Options withTimes(Times times) {
      Objects.requireNonNull(times, "times");
      return new Options(writing, reading.withTimes(times));
    }

    /**
     * Limits the memory of decoded rows. A message of a few bytes may hold many large rows. serow
     * counts what the objects would take before it makes them: {@code docs/security.md} says what
     * counts. Without this there is no limit.
     *
     * @param bytes the most bytes that the rows of a message may take as Java objects; more is a
     *     {@link LimitException}
     * @return options with this limit
     * @throws IllegalArgumentException if the number is negative
     */
    public Options withMaxMemory(long bytes) {
      return new Options(writing, reading.withMaxMemory(bytes));
    }

    /**
     * Encodes rows.
     *
     * @param rows the rows; may be empty
     * @return the message
     * @throws EncodeException if a value has no type in serow; the error tells where it is
     * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
     */
    public byte[] dumps(List<?> rows) {
      Object[] all = GivenRows.of(rows);
      Inference inference = new Inference();
      Binding binding = Binding.of(inference.sample(all)).with(reading.times());
      return Messages.toBytes(binding, all, writing, inference);
    }

    /**
     * Decodes a message from any program.
     *
     * @param message a whole message
     * @return its rows, in a list that may be modified
     * @throws DecodeException if the bytes are not a whole message
     * @throws LimitException if the rows take more memory than they may
     */
    public List<@Nullable Object> loads(byte[] message) {
      Objects.requireNonNull(message, "message");
      return Messages.read(message, reading);
    }

    /**
     * Decodes a message from any program.
     *
     * @param message a whole message, from the buffer's position to its limit; after success the
     *     position is at the limit
     * @return its rows, in a list that may be modified
     * @throws DecodeException if the bytes are not a whole message
     * @throws LimitException if the rows take more memory than they may
     */
    public List<@Nullable Object> loads(ByteBuffer message) {
      Objects.requireNonNull(message, "message");
      return Messages.read(message, reading);
    }
  }

  private static final Options STANDARD = new Options(WriteOptions.STANDARD, ReadOptions.of(null));

  /**
   * Options that are all at their defaults: those of {@link #dumps(List)} and {@link
   * #loads(byte[])}.
   *
   * @return the options
   */
  public static Options options() {
    return STANDARD;
  }

  /**
   * Encodes rows, on the wire that suits the size of the message. It is {@link Wire#ROW} if there
   * are at most 128 rows and the message takes at most 16 KiB, otherwise {@link Wire#FRAME}.
   *
   * @param rows the rows; may be empty
   * @return the message
   * @throws EncodeException if a value has no type in serow; the error tells where it is
   * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
   */
  public static byte[] dumps(List<?> rows) {
    return STANDARD.dumps(rows);
  }

  /**
   * Encodes rows.
   *
   * @param rows the rows; may be empty
   * @param wire the layout of the message
   * @return the message
   * @throws EncodeException if a value has no type in serow; the error tells where it is
   * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
   */
  public static byte[] dumps(List<?> rows, Wire wire) {
    return STANDARD.withWire(wire).dumps(rows);
  }

  /**
   * Decodes a message from any program.
   *
   * @param message a whole message
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<@Nullable Object> loads(byte[] message) {
    return STANDARD.loads(message);
  }

  /**
   * Decodes a message from any program.
   *
   * @param message a whole message, from the buffer's position to its limit; after success the
   *     position is at the limit
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<@Nullable Object> loads(ByteBuffer message) {
    return STANDARD.loads(message);
  }

  /**
   * Frees the memory that serow keeps for later calls. Without this, calls of serow free what was
   * idle for ten seconds; so it helps a program that will not call serow for some time. Calls that
   * run in other threads keep their memory.
   */
  public static void trimMemory() {
    Pool.freeIdle();
  }
}
