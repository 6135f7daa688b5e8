package io.github.serow.demo;

import io.github.serow.Codec;
import io.github.serow.Schema;
import io.github.serow.Serow;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** serow with a codec that is compiled before the first row. */
final class SerowCompiledContestant implements Contestant {
  private Codec<Object> codec;
  private double compiledIn;

  @Override
  public List<?> decode(List<byte[]> messages) {
    if (codec == null) {
      compile(Serow.loads(messages.get(0)));
    }
    List<Object> rows = codec.decodeAll(messages.get(0));
    for (byte[] message : messages.subList(1, messages.size())) {
      rows.addAll(codec.decodeAll(message));
    }
    return rows;
  }

  @Override
  public List<byte[]> encode(List<?> rows) {
    if (codec == null) {
      compile(rows);
    }
    return List.of(codec.encodeAll(rows));
  }

  /** Creates the codec for the schema of {@code rows}, and compiles it. */
  private void compile(List<?> rows) {
    codec = Codec.ofAny(Schema.infer(rows));
    long begun = System.nanoTime();
    codec.compile();
    compiledIn = (System.nanoTime() - begun) / 1e6;
  }

  @Override
  public Map<String, String> about() {
    return Map.of(
        "tier",
        codec == null ? "-" : codec.tier().name().toLowerCase(Locale.ROOT),
        "compiled in",
        String.format(Locale.ROOT, "%.1f", compiledIn));
  }
}
