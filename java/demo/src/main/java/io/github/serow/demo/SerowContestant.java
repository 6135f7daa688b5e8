package io.github.serow.demo;

import io.github.serow.Serow;
import java.util.ArrayList;
import java.util.List;

/** serow as its users call it: {@code dumps} and {@code loads}, with no schema given. */
final class SerowContestant implements Contestant {

  @Override
  public List<?> decode(List<byte[]> messages) {
    if (messages.size() == 1) {
      return Serow.loads(messages.get(0));
    }
    List<Object> rows = new ArrayList<>();
    for (byte[] message : messages) {
      rows.addAll(Serow.loads(message));
    }
    return rows;
  }

  @Override
  public List<byte[]> encode(List<?> rows) {
    return List.of(Serow.dumps(rows));
  }
}
