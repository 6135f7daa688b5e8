package io.github.serow.demo;

import java.util.ArrayList;
import java.util.List;

/** Rows in batches, as Python's side makes them. */
public final class Batches {

  /** Rows in a message. */
  public static final int SIZE = 1000;

  private Batches() {}

  /** What encodes one batch. */
  public interface Encoder {
    byte[] encode(List<?> batch) throws Exception;
  }

  /** One message a batch. */
  public static List<byte[]> encode(List<?> rows, Encoder encoder) throws Exception {
    List<byte[]> messages = new ArrayList<>();
    for (int begin = 0; begin < rows.size(); begin += SIZE) {
      messages.add(encoder.encode(rows.subList(begin, Math.min(begin + SIZE, rows.size()))));
    }
    return messages;
  }
}
