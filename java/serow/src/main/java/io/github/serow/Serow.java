package io.github.serow;

import io.github.serow.codec.Binding;
import io.github.serow.codec.DecodeContext;
import io.github.serow.codec.EncodeContext;
import io.github.serow.encode.Inference;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Rows to bytes and back, without saying anything about their types.
 *
 * <p>A row is a tuple ({@code Object[]}), a {@link Record}, a {@link java.util.Map}, a {@link
 * List}, or a single value. Values are {@link Long} (also {@link Integer}, {@link Short} and {@link
 * Byte}, which come back as {@code Long}), {@link Double}, {@link String}, {@link Boolean}, null,
 * those that {@link Schema} lists beside these, constants of enums, and tuples, records, maps,
 * lists and sets of them, nested up to 64 deep. An {@link java.util.Optional} is its value or null;
 * an array of numbers is a list; Scala's options, tuples, collections and case classes are what
 * {@code docs/types.md} says. What comes back is equal to what went in, floats by their bits and
 * strings by their chars; lists come back as {@link java.util.ArrayList}, tuples as {@code
 * Object[]}, records as {@link Row} and constants of enums as {@link EnumMember}, whatever classes
 * there are where they are read.
 *
 * <pre>{@code
 * List<Object[]> rows = List.of(new Object[] {1L, "almond", 901.0}, new Object[] {2L, null, 902.0});
 * byte[] bytes = Serow.dumps(rows);
 * List<Object> back = Serow.loads(bytes);
 * Object[] first = (Object[]) back.get(0);
 * }</pre>
 *
 * <p>The rows' schema is inferred from a sample of 64 of them; where a later row does not fit, the
 * schema is widened, so nothing is lost and nothing is coerced. For many messages of one schema see
 * {@link Codec}.
 *
 * <p>The first use loads a native library out of the jar; the system property {@code
 * serow.native.path} names another one. Java 24 and later warn about this unless they are started
 * with {@code --enable-native-access=ALL-UNNAMED} (or {@code =io.github.serow} on the module path).
 * The property {@code serow.memory} is how many bytes of native memory serow may keep between
 * messages.
 */
public final class Serow {
  private Serow() {}

  /**
   * The message of some rows, column by column: {@code dumps(rows, Wire.FRAME)}.
   *
   * @param rows the rows; may be empty
   * @return the message
   * @throws EncodeException if a value is of no type that serow has; the message names its place
   * @throws LimitException if values nest too deep, or the message is beyond 2 GiB
   */
  public static byte[] dumps(List<?> rows) {
    return dumps(rows, Wire.FRAME);
  }

  /**
   * The message of some rows.
   *
   * @param rows the rows; may be empty
   * @param wire how they lie in the message
   * @return the message
   * @throws EncodeException if a value is of no type that serow has; the message names its place
   * @throws LimitException if values nest too deep, or the message is beyond 2 GiB
   */
  public static byte[] dumps(List<?> rows, Wire wire) {
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(wire, "wire");
    NativeLibrary.require();
    Object[] all = rows.toArray();
    try (Inference inference = new Inference()) {
      Binding binding = Binding.of(inference.sample(all));
      return EncodeContext.toBytes(binding, all, wire, inference);
    }
  }

  /**
   * The rows of a message, whichever program made it.
   *
   * @param message a whole message
   * @return its rows, in a list that may be changed
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<Object> loads(byte[] message) {
    Objects.requireNonNull(message, "message");
    NativeLibrary.require();
    return DecodeContext.read(message, null);
  }

  /**
   * The rows of a message, whichever program made it.
   *
   * @param message a whole message, from the buffer's position to its limit; the position is moved
   *     to the limit if it could be read
   * @return its rows, in a list that may be changed
   * @throws DecodeException if the bytes are not a whole message
   */
  public static List<Object> loads(ByteBuffer message) {
    Objects.requireNonNull(message, "message");
    NativeLibrary.require();
    return DecodeContext.read(message, null);
  }

  /**
   * Has LLVM compile a plan of two instructions, runs it, and compares what it did with the
   * interpreter. For people who want to know whether machine code can be written on this machine.
   *
   * @return what was compiled and how long that took, for people to read
   * @throws SerowException if it does not work
   */
  public static String compilerSelfTest() {
    NativeLibrary.require();
    return Native.compilerSelfTest();
  }
}
