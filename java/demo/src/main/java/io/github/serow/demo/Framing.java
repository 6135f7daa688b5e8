package io.github.serow.demo;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Messages on a byte stream: one byte of kind, four bytes of length (big-endian), and the payload.
 *
 * <p>A stream may end only between two messages. A claimed length must not exceed {@link
 * #MAX_LENGTH}.
 */
public final class Framing implements AutoCloseable {
  static final int MAX_LENGTH = 1 << 28;
  static final int MAX_COUNT = 1 << 20;

  private static final int BUFFER = 1 << 16;

  /** The environment variable with a token by which Python recognizes its child process. */
  private static final String TOKEN_VARIABLE = "SEROW_DEMO_TOKEN";

  /** The address on which Python listens; the JVM might prefer another loopback address. */
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final DataInputStream in;
  private final DataOutputStream out;

  Framing(InputStream in, OutputStream out) {
    this.in = new DataInputStream(new BufferedInputStream(in, BUFFER));
    this.out = new DataOutputStream(new BufferedOutputStream(out, BUFFER));
  }

  /**
   * Connects to the Python process that started this one, and sends the token from the environment.
   */
  public static Framing connect(int port) throws IOException {
    String token = System.getenv(TOKEN_VARIABLE);
    if (token == null) {
      throw new FramingException("Python starts this, with a token in " + TOKEN_VARIABLE);
    }
    Socket socket = new Socket(InetAddress.getByAddress(LOOPBACK), port);
    socket.setTcpNoDelay(true);
    // Closing either stream closes the socket.
    Framing framing = new Framing(socket.getInputStream(), socket.getOutputStream());
    framing.write(Kind.HELLO, token.getBytes(StandardCharsets.UTF_8));
    framing.flush();
    return framing;
  }

  /** Closes the connection. */
  @Override
  public void close() throws IOException {
    in.close();
  }

  /** A message. */
  public record Message(Kind kind, byte[] payload) {

    /** Number {@code index} of a payload of numbers. */
    public long number(int index) throws FramingException {
      if (payload.length < 8 * (index + 1)) {
        throw new FramingException(kind + " has no number " + index);
      }
      return ByteBuffer.wrap(payload).getLong(8 * index);
    }
  }

  /** A payload of numbers: 8 bytes each, big-endian. */
  public static byte[] numbers(long... numbers) {
    ByteBuffer buffer = ByteBuffer.allocate(8 * numbers.length);
    for (long number : numbers) {
      buffer.putLong(number);
    }
    return buffer.array();
  }

  /** Writes a message. It may stay in the buffer until {@link #flush}. */
  public void write(Kind kind, byte[] payload) throws IOException {
    if (payload.length > MAX_LENGTH) {
      throw new FramingException("a message of " + payload.length + " bytes is too long");
    }
    out.writeByte(kind.number());
    out.writeInt(payload.length);
    out.write(payload);
  }

  /** Sends the content of the buffer. */
  public void flush() throws IOException {
    out.flush();
  }

  /** Reads the next message; empty if the stream has ended. */
  public Optional<Message> read() throws IOException {
    int number = in.read();
    if (number < 0) {
      return Optional.empty();
    }
    byte[] header = in.readNBytes(4);
    if (header.length < 4) {
      throw new FramingException("the stream ended inside a header");
    }
    Kind kind = Kind.of(number);
    int length = ByteBuffer.wrap(header).getInt();
    if (length < 0 || length > MAX_LENGTH) {
      String claimed = Integer.toUnsignedString(length);
      throw new FramingException("a message claims " + claimed + " bytes, more than " + MAX_LENGTH);
    }
    byte[] payload = new byte[length];
    int got = in.readNBytes(payload, 0, length);
    if (got < length) {
      throw new FramingException(
          "the stream ended after " + got + " of a message's " + length + " bytes");
    }
    return Optional.of(new Message(kind, payload));
  }

  /** Reads the next message, which must be of this kind. */
  public Message read(Kind expected) throws IOException {
    Message message =
        read().orElseThrow(() -> new FramingException("the stream ended before " + expected));
    if (message.kind() != expected) {
      throw new FramingException("expected " + expected + ", got " + message.kind());
    }
    return message;
  }
}
