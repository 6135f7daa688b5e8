package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Maps whose keys are data take bytes for their entries, and not for each different key. */
class DataKeysTest {
  private static final int ROWS = 500;

  private static List<Object> rows(IntFunction<Map<String, Object>> row) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row.apply(i));
    }
    return rows;
  }

  private static Object value(int i) {
    return switch (i % 4) {
      case 0 -> (Object) (long) i;
      case 1 -> i / 2.0;
      case 2 -> "value " + i;
      default -> Map.of("host" + i, (long) i);
    };
  }

  /** Each row has a key of its own, with values of four types. */
  private static List<Object> keyed() {
    return rows(i -> new LinkedHashMap<>(Map.of("id", (long) i, "host" + i, value(i))));
  }

  /** Each row lacks some of 100 keys. */
  private static List<Object> fixed() {
    Random random = new Random(1);
    return rows(
        i -> {
          Map<String, Object> row = new LinkedHashMap<>();
          for (int key = 0; key < 100; key++) {
            if (random.nextInt(20) > 0) {
              row.put("key" + key, key % 2 == 0 ? (Object) (long) i : i / 2.0);
            }
          }
          return row;
        });
  }

  private static byte[] oneByOne(List<Object> rows, Wire wire) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter<Object> writer = StreamWriter.ofAny().withWire(wire).to(out)) {
      for (Object row : rows) {
        writer.write(row);
      }
      writer.finish();
    }
    return out.toByteArray();
  }

  private static List<Object> read(byte[] stream) throws IOException {
    List<Object> rows = new ArrayList<>();
    try (StreamReader<Object> reader =
        StreamReader.ofAny().from(new ByteArrayInputStream(stream))) {
      reader.forEach(rows::add);
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void bytesGrowWithTheEntries(Wire wire) throws IOException {
    List<Object> rows = keyed();
    byte[] message = Serow.dumps(rows, wire);
    byte[] stream = oneByOne(rows, wire);
    assertEquals(rows, Serow.loads(message));
    assertEquals(rows, read(stream));
    assertTrue(message.length < 30 * ROWS, message.length + " bytes");
    assertTrue(stream.length < 30 * ROWS, stream.length + " bytes");
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void keysThatAreMissingNowAndThenStayFixed(Wire wire) throws IOException {
    List<Object> rows = fixed();
    assertTrue(Schema.infer(rows).toString().startsWith("{\"key0\"?: "));
    byte[] stream = oneByOne(rows, wire);
    assertEquals(rows, read(stream));
    assertTrue(stream.length < 1000 * ROWS, stream.length + " bytes");
  }

  @Test
  void javaInfersAsRustDoes() {
    assertEquals("{str: i64|f64|str|{str: i64}}", Schema.infer(keyed()).toString());
  }
}
