package io.github.serow.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.serow.Codec;
import io.github.serow.Compression;
import io.github.serow.StreamReader;
import io.github.serow.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The process with the rows in Java for {@code make bench-parallel}. It answers the requests that
 * {@code benches/parallel/python_side.py} describes.
 */
public final class ParallelSide {
  /** How often a message is converted before it is measured, so that the JVM compiles the code. */
  private static final int WARM_ROWS = 4_000_000;

  /** A row of TPC-H Part. */
  public record Row(
      long partkey,
      String name,
      String mfgr,
      String brand,
      String type,
      long size,
      String container,
      double retailprice,
      String comment) {

    static Row of(Object[] row) {
      return new Row(
          (Long) row[0],
          (String) row[1],
          (String) row[2],
          (String) row[3],
          (String) row[4],
          (Long) row[5],
          (String) row[6],
          (Double) row[7],
          (String) row[8]);
    }
  }

  /** A message, by its rows and its compression. */
  private record Key(int rows, String compression) {}

  private final List<Row> rows = new ArrayList<>();
  private final Map<Key, byte[]> messages = new HashMap<>();
  private boolean isWarm;

  private ParallelSide() {}

  /** Answers requests until the input ends. */
  public static void main(String[] arguments) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ParallelSide side = new ParallelSide();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      Map<String, Object> said = new HashMap<>();
      try {
        said.put("value", side.answer(json.readTree(line)));
      } catch (IOException | RuntimeException e) {
        said.put("error", e.toString());
      }
      System.out.println(json.writeValueAsString(said));
      if (said.containsKey("error")) {
        return;
      }
    }
  }

  private Object answer(JsonNode request) throws IOException {
    String what = request.get("do").textValue();
    return switch (what) {
      case "load" -> load(Path.of(request.get("stream").textValue()), request.get("rows").asLong());
      case "check" -> check(request);
      case "measure" -> measure(request);
      default -> throw new IllegalArgumentException("the process in Java cannot " + what);
    };
  }

  private int load(Path stream, long most) throws IOException {
    try (StreamReader<Object> reader = StreamReader.ofAny().from(stream)) {
      reader.stream().limit(most).forEach(row -> rows.add(Row.of((Object[]) row)));
    }
    return rows.size();
  }

  private static Key key(JsonNode request) {
    return new Key(request.get("rows").intValue(), request.get("compression").textValue());
  }

  private static Codec<Row> codec(JsonNode request, String threads) {
    Compression compression =
        request.get("compression").textValue().equals("zstd")
            ? Compression.zstd()
            : Compression.none();
    int count =
        threads.equals("auto")
            ? Runtime.getRuntime().availableProcessors()
            : Integer.parseInt(threads);
    return Codec.of(Row.class).withCompression(compression).withThreads(Threads.of(count));
  }

  private int check(JsonNode request) {
    Key key = key(request);
    List<Row> some = rows.subList(0, key.rows);
    Codec<Row> codec = codec(request, request.get("threads").textValue());
    byte[] one = messages.computeIfAbsent(key, any -> codec(request, "1").encodeAll(some));
    if (!Arrays.equals(one, codec.encodeAll(some))) {
      throw new IllegalStateException(
          key.rows + " rows: several threads write other bytes than one");
    }
    if (!some.equals(codec.decodeAll(one))) {
      throw new IllegalStateException(key.rows + " rows did not come back equal");
    }
    return one.length;
  }

  private double measure(JsonNode request) {
    warm();
    Key key = key(request);
    List<Row> some = rows.subList(0, key.rows);
    byte[] message = messages.get(key);
    Codec<Row> codec = codec(request, request.get("threads").textValue());
    boolean isEncode = request.get("verb").textValue().equals("encode");
    double[] seconds = new double[request.get("times").intValue()];
    System.gc();
    for (int i = 0; i < seconds.length; i++) {
      long begun = System.nanoTime();
      Object result = isEncode ? codec.encodeAll(some) : codec.decodeAll(message);
      seconds[i] = (System.nanoTime() - begun) / 1e9;
      if (result == null) {
        throw new IllegalStateException("there is no result");
      }
    }
    Arrays.sort(seconds);
    int middle = seconds.length / 2;
    return (seconds[middle] + seconds[seconds.length - 1 - middle]) / 2;
  }

  /** Runs every code long enough for the JVM's compilers. */
  private void warm() {
    if (isWarm) {
      return;
    }
    isWarm = true;
    for (Key key : messages.keySet()) {
      Codec<Row> codec =
          Codec.of(Row.class)
              .withCompression(
                  key.compression.equals("zstd") ? Compression.zstd() : Compression.none());
      for (int done = 0; done < WARM_ROWS / messages.size(); done += key.rows) {
        codec.encodeAll(rows.subList(0, key.rows));
        codec.decodeAll(messages.get(key));
      }
    }
  }
}
