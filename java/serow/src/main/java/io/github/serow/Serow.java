package io.github.serow;

import io.github.serow.codec.Binding;
import io.github.serow.encode.Inference;
import io.github.serow.message.Messages;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

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
 * so once; {@link Wire#FRAME}, which {@link #dumps(List)} takes for larger messages, and messages
 * of other schemas than a codec's need the library. Java 24 and later print a warning about this
 * unless they are started with {@code --enable-native-access=ALL-UNNAMED} (or {@code
 * =io.github.serow} on the module path). The property {@code serow.memory} limits the native memory
 * that serow keeps between messages, in bytes.
 */
public final class Serow {
  private Serow() {}

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
    return dumps(rows, Compression.none());
  }

  /**
   * Encodes rows as {@link #dumps(List)} does, with exact or portable times.
   *
   * @param rows the rows; may be empty
   * @param times what becomes of what the times of other languages lack
   * @return the message
   * @throws EncodeException if a value has no type in serow; the error tells where it is
   * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
   */
  public static byte[] dumps(List<?> rows, Times times) {
    Objects.requireNonNull(times, "times");
    return dumps(rows, Compression.none(), times);
  }

  /**
   * Encodes rows, on the wire that suits the size that the message has without compression. It is
   * {@link Wire#ROW} if there are at most 128 rows and it would take at most 16 KiB, otherwise
   * {@link Wire#FRAME}.
   *
   * @param rows the rows; may be empty
   * @param compression how to compress them
   * @return the message
   * @throws EncodeException if a value has no type in serow; the error tells where it is
   * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
   */
  public static byte[] dumps(List<?> rows, Compression compression) {
    return dumps(rows, compression, Times.EXACT);
  }

  private static byte[] dumps(List<?> rows, Compression compression, Times times) {
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(compression, "compression");
    Object[] all = rows.toArray();
    Inference inference = new Inference();
    Binding binding = Binding.of(inference.sample(all)).with(times);
    return Messages.toBytes(
        binding, all, inference, compression.on(Wire.ROW), compression.on(Wire.FRAME));
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
    return dumps(rows, wire, Compression.none(), Threads.one());
  }

  /**
   * Encodes rows.
   *
   * @param rows the rows; may be empty
   * @param wire the layout of the message
   * @param compression how to compress it
   * @return the message
   * @throws EncodeException if a value has no type in serow; the error tells where it is
   * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
   */
  public static byte[] dumps(List<?> rows, Wire wire, Compression compression) {
    return dumps(rows, wire, compression, Threads.one());
  }

  /**
   * Encodes rows.
   *
   * @param rows the rows; may be empty
   * @param wire the layout of the message
   * @param compression how to compress it
   * @param threads how many threads may make it; the bytes are the same
   * @return the message
   * @throws EncodeException if a value has no type in serow; the error tells where it is
   * @throws LimitException if values nest too deep, or the message exceeds 2 GiB
   */
  public static byte[] dumps(List<?> rows, Wire wire, Compression compression, Threads threads) {
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(wire, "wire");
    Objects.requireNonNull(compression, "compression");
    Objects.requireNonNull(threads, "threads");
    Object[] all = rows.toArray();
    Inference inference = new Inference();
    Binding binding = Binding.of(inference.sample(all));
    return Messages.toBytes(binding, all, compression.on(wire), threads, inference);
  }

  /**
   * Decodes a message from any program.
   *
   * @param message a whole message
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<Object> loads(byte[] message) {
    return loads(message, Threads.one());
  }

  /**
   * Decodes a message from any program.
   *
   * @param message a whole message
   * @param threads how many threads may read it
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<Object> loads(byte[] message, Threads threads) {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(threads, "threads");
    return Messages.read(message, null, threads);
  }

  /**
   * Decodes a message from any program, with exact or portable times.
   *
   * @param message a whole message
   * @param times what becomes of what the times of other languages lack
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<Object> loads(byte[] message, Times times) {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(times, "times");
    return Messages.read(message, times);
  }

  /**
   * Decodes a message from any program.
   *
   * @param message a whole message, from the buffer's position to its limit; after success the
   *     position is at the limit
   * @return its rows, in a list that may be modified
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<Object> loads(ByteBuffer message) {
    Objects.requireNonNull(message, "message");
    return Messages.read(message, null, Threads.one());
  }
}
