package io.github.serow.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The pieces of work that can be timed, with their rows. */
final class Work {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Entrant entrant;
  private final List<?> rows;
  private final List<byte[]> messages;
  private final List<byte[]> rowMessages = new ArrayList<>();

  /** Keeps results reachable, so that the compiler can't remove the work. */
  private Object kept;

  /** Takes rows that the entrant has prepared. Encodes them once, for the decoding work. */
  Work(Entrant entrant, List<?> rows) throws Exception {
    this.entrant = entrant;
    this.rows = rows;
    messages = entrant.encode(rows);
    for (Object row : rows) {
      rowMessages.add(entrant.encodeRow(row));
    }
  }

  /** Whether the entrant supports this work. */
  boolean has(String name) {
    return !name.equals("encode-retained") || entrant.retainsMemory();
  }

  /** Does a piece of work several times, after a garbage collection. */
  Sample measure(String name, int times) throws Exception {
    kept = null;
    System.gc();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    long begin = THREADS.getCurrentThreadCpuTime();
    long bytes = 0;
    for (int i = 0; i < times; i++) {
      bytes = once(name);
    }
    long nanoseconds = THREADS.getCurrentThreadCpuTime() - begin;
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    return new Sample(nanoseconds, (long) times * rows.size(), bytes, allocated);
  }

  /** Repeats the work until the JVM has compiled it. */
  void warmUp(String name, long rowsAtLeast) throws Exception {
    for (long done = 0; done < rowsAtLeast; done += rows.size()) {
      once(name);
    }
  }

  /** Returns the number of bytes, or 0 for work by single rows, where counting would take time. */
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

  /** The total size of the messages of one row each. */
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
