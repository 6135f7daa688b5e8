package io.github.serow.bench;

import io.github.serow.demo.Contestant;
import java.util.List;

/**
 * A contestant of the demo with {@code Object[]} rows: Pyrolite's pickle, BSON or Protocol Buffers.
 */
final class DemoEntrant implements Entrant {
  private final Contestant contestant;

  DemoEntrant(Contestant contestant) {
    this.contestant = contestant;
  }

  @Override
  public List<byte[]> encode(List<?> rows) throws Exception {
    return contestant.encode(rows);
  }

  @Override
  public List<?> decode(List<byte[]> messages) throws Exception {
    return contestant.decode(messages);
  }

  @Override
  public byte[] encodeRow(Object row) throws Exception {
    return contestant.encodeRow(row);
  }

  @Override
  public Object decodeRow(byte[] message) throws Exception {
    return contestant.decodeRow(message);
  }
}
