package io.github.serow.demo;

import io.github.serow.Compression;
import io.github.serow.demo.Framing.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Answers Python's requests one by one until Python disconnects. */
final class Server {
  private final Framing framing;
  private final Contestant contestant;

  private List<byte[]> received = List.of();
  private List<?> rows = List.of();
  private List<byte[]> encoded = List.of();

  Server(Framing framing, Contestant contestant) {
    this.framing = framing;
    this.contestant = contestant;
  }

  /**
   * Serves until the stream ends. An exception of the contestant is sent to Python as text, and
   * rethrown.
   */
  void serve() throws Exception {
    try {
      for (Optional<Message> next = framing.read(); next.isPresent(); next = framing.read()) {
        answer(next.get());
        framing.flush();
      }
    } catch (FramingException e) {
      throw e;
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      framing.write(Kind.FAILED, e.toString().getBytes(StandardCharsets.UTF_8));
      framing.flush();
      throw e;
    }
  }

  private void answer(Message message) throws Exception {
    switch (message.kind()) {
      case MESSAGES -> receive(message.number(0));
      case DECODE -> decode();
      case ENCODE -> encode();
      case SEND -> send();
      case WARM_UP -> warmUp(message.number(0));
      case READ_STREAM -> readStream(text(message));
      case WRITE_STREAM -> {
        String[] words = text(message).split(" ", 2);
        writeStream(Streams.compression(words[0]), Path.of(words[1]));
      }
      case ABOUT -> about();
      default -> throw new FramingException("Python can't ask for " + message.kind());
    }
  }

  private void receive(long count) throws IOException {
    if (count < 0 || count > Framing.MAX_COUNT) {
      throw new FramingException(Long.toUnsignedString(count) + " messages are too many");
    }
    rows = List.of();
    encoded = List.of();
    received = new ArrayList<>();
    long bytes = 0;
    for (long i = 0; i < count; i++) {
      byte[] data = framing.read(Kind.DATA).payload();
      received.add(data);
      bytes += data.length;
    }
    framing.write(Kind.RECEIVED, Framing.numbers(bytes));
  }

  /** Times only decoding, after a garbage collection; the digest is computed later. */
  private void decode() throws Exception {
    rows = List.of();
    System.gc();
    long begin = System.nanoTime();
    rows = contestant.decode(received);
    long nanoseconds = System.nanoTime() - begin;
    framing.write(Kind.DECODED, decoded(nanoseconds, rows.size(), Digest.of(rows)));
  }

  private static String text(Message message) {
    return new String(message.payload(), StandardCharsets.UTF_8);
  }

  /** As {@link #decode}, from a file. */
  private void readStream(String path) throws Exception {
    rows = List.of();
    System.gc();
    long begin = System.nanoTime();
    rows = Streams.read(Path.of(path));
    long nanoseconds = System.nanoTime() - begin;
    framing.write(Kind.DECODED, decoded(nanoseconds, rows.size(), Digest.of(rows)));
  }

  /** As {@link #encode}, to a file. */
  private void writeStream(Compression compression, Path path) throws Exception {
    System.gc();
    long begin = System.nanoTime();
    long bytes = Streams.write(path, compression, rows);
    long nanoseconds = System.nanoTime() - begin;
    framing.write(Kind.ENCODED, Framing.numbers(nanoseconds, bytes));
  }

  private static byte[] decoded(long nanoseconds, long rows, byte[] digest) {
    byte[] numbers = Framing.numbers(nanoseconds, rows);
    byte[] payload = new byte[numbers.length + digest.length];
    System.arraycopy(numbers, 0, payload, 0, numbers.length);
    System.arraycopy(digest, 0, payload, numbers.length, digest.length);
    return payload;
  }

  private void encode() throws Exception {
    encoded = List.of();
    System.gc();
    long begin = System.nanoTime();
    encoded = contestant.encode(rows);
    long nanoseconds = System.nanoTime() - begin;
    long bytes = encoded.stream().mapToLong(message -> message.length).sum();
    framing.write(Kind.ENCODED, Framing.numbers(nanoseconds, bytes));
  }

  private void send() throws IOException {
    framing.write(Kind.MESSAGES, Framing.numbers(encoded.size()));
    for (byte[] message : encoded) {
      framing.write(Kind.DATA, message);
    }
  }

  private void warmUp(long rounds) throws Exception {
    for (long i = 0; i < rounds; i++) {
      encoded = contestant.encode(contestant.decode(received));
    }
    framing.write(Kind.WARMED_UP, new byte[0]);
  }

  private void about() throws IOException {
    Map<String, String> about = new TreeMap<>(contestant.about());
    about.put("java", Runtime.version().toString());
    StringBuilder lines = new StringBuilder();
    about.forEach((key, value) -> lines.append(key).append('=').append(value).append('\n'));
    framing.write(Kind.ABOUT, lines.toString().getBytes(StandardCharsets.UTF_8));
  }
}
