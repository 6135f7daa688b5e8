package io.github.serow.demo;

import java.util.ArrayList;
import java.util.List;

/** Splits rows into the same batches as Python's side. */
public final class Batches {

  /** Rows per message. */
  public static final int SIZE = 1000;

  private Batches() {}

  /** Encodes one batch. */
  public interface Encoder {
    byte[] encode(List<?> batch) throws Exception;
  }

  /** Encodes each batch to a message. */
  public static List<byte[]> encode(List<?> rows, Encoder encoder) throws Exception {
    List<byte[]> messages = new ArrayList<>();
    for (int begin = 0; begin < rows.size(); begin += SIZE) {
      messages.add(encoder.encode(rows.subList(begin, Math.min(begin + SIZE, rows.size()))));
    }
    return messages;
  }
}
