package io.github.serow.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** The pieces of work that can be timed, with the rows they are done to. */
final class Work {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Entrant entrant;
  private final List<?> rows;
  private final List<byte[]> messages;
  private final List<byte[]> rowMessages = new ArrayList<>();

  /** The results of work, so that the compiler can't leave it out. */
  private Object kept;

  /** Work on rows that the entrant has prepared. Encodes them once, for what is to be decoded. */
  Work(Entrant entrant, List<?> rows) throws Exception {
    this.entrant = entrant;
    this.rows = rows;
    messages = entrant.encode(rows);
    for (Object row : rows) {
      rowMessages.add(entrant.encodeRow(row));
    }
  }

  /** Whether the entrant can do this. */
  boolean has(String name) {
    return !name.equals("encode-retained") || entrant.retainsMemory();
  }

  /** Does a piece of work so many times, with the garbage of before collected first. */
  Sample measure(String name, int times) throws Exception {
    kept = null;
    System.gc();
    long begin = THREADS.getCurrentThreadCpuTime();
    long bytes = 0;
    for (int i = 0; i < times; i++) {
      bytes = once(name);
    }
    long nanoseconds = THREADS.getCurrentThreadCpuTime() - begin;
    return new Sample(nanoseconds, (long) times * rows.size(), bytes);
  }

  /** Does it so often that the JVM has compiled it. */
  void warmUp(String name, long rowsAtLeast) throws Exception {
    for (long done = 0; done < rowsAtLeast; done += rows.size()) {
      once(name);
    }
  }

  /** The number of bytes, or 0 for work by rows, where counting would be a part of it. */
  private long once(String name) throws Exception {
    return switch (name) {
      case "encode-fresh" -> size(keep(entrant.encode(rows)));
      case "encode-retained" -> entrant.encodeRetained(rows);
      case "decode-retained" -> {
        keep(entrant.decode(messages));
        yield size(messages);
      }
      case "encode-row" -> encodeRows();
      case "decode-row" -> decodeRows();
      default -> throw new IllegalArgumentException("no work is called " + name);
    };
  }

  private long encodeRows() throws Exception {
    List<byte[]> encoded = new ArrayList<>(rows.size());
    for (Object row : rows) {
      encoded.add(entrant.encodeRow(row));
    }
    keep(encoded);
    return 0;
  }

  private long decodeRows() throws Exception {
    List<Object> decoded = new ArrayList<>(rowMessages.size());
    for (byte[] message : rowMessages) {
      decoded.add(entrant.decodeRow(message));
    }
    keep(decoded);
    return 0;
  }

  /** The bytes of messages of one row each. */
  long rowBytes() {
    return size(rowMessages);
  }

  private <T> T keep(T result) {
    kept = result;
    return result;
  }

  private static long size(List<byte[]> messages) {
    long bytes = 0;
    for (byte[] message : messages) {
      bytes += message.length;
    }
    return bytes;
  }
}
