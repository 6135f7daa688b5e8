package io.github.serow.demo;

import io.github.serow.Codec;
import io.github.serow.Schema;
import io.github.serow.Serow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** serow's {@code dumps} and {@code loads}, without a schema. */
final class SerowContestant implements Contestant {
  private static final int SAMPLE = 64;

  /** Some of the rows decoded last, to describe them. */
  private List<Object> sample = List.of();

  @Override
  public List<?> decode(List<byte[]> messages) {
    List<Object> rows = Serow.loads(messages.get(0));
    for (byte[] message : messages.subList(1, messages.size())) {
      rows.addAll(Serow.loads(message));
    }
    sample = new ArrayList<>(rows.subList(0, Math.min(SAMPLE, rows.size())));
    return rows;
  }

  @Override
  public List<byte[]> encode(List<?> rows) {
    return List.of(Serow.dumps(rows));
  }

  /** The inferred schema and the tier. */
  @Override
  public Map<String, String> about() {
    Schema schema = Schema.infer(sample);
    Codec<Object> codec = Codec.ofAny(schema);
    return Map.of(
        "schema", schema.toString(),
        "type list",
            Arrays.stream(schema.typeList())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" ")),
        "tier", codec.tier().name().toLowerCase(Locale.ROOT));
  }
}
