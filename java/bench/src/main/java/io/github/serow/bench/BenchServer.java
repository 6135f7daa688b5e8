package io.github.serow.bench;

import io.github.serow.demo.Digest;
import io.github.serow.demo.Framing;
import io.github.serow.demo.Framing.Message;
import io.github.serow.demo.FramingException;
import io.github.serow.demo.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Answers Python's requests until Python disconnects.
 *
 * <pre>
 * load skip count path      reads rows, in order
 * shuffle                   puts them in random order
 * check                     tells whether the rows survive all ways to encode and decode
 * warm-up name rows         does a piece of work, not timed
 * measure name times        does it that many times, timed
 * receive unit count        decodes messages as they arrive
 * send unit count           encodes messages of at most that many rows and sends each at
 *                           once; -1 is all rows
 * about                     versions
 * </pre>
 */
final class BenchServer {
  private static final long SEED = 8429;

  private final Framing framing;
  private final Workload workload;
  private final Entrant entrant;
  private List<?> rows = List.of();

  /** Created on first use, because it contains messages. */
  private Work work;

  BenchServer(Framing framing, Workload workload, Entrant entrant) {
    this.framing = framing;
    this.workload = workload;
    this.entrant = entrant;
  }

  /** Serves until the stream ends. An exception of the entrant is sent to Python and rethrown. */
  void serve() throws Exception {
    try {
      for (Optional<Message> next = framing.read(); next.isPresent(); next = framing.read()) {
        String words = new String(next.get().payload(), StandardCharsets.UTF_8);
        tell(answer(words.split(" ", 4)));
      }
    } catch (FramingException e) {
      throw e;
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      framing.write(Kind.FAILED, e.toString().getBytes(StandardCharsets.UTF_8));
      framing.flush();
      throw e;
    }
  }

  private void tell(String lines) throws IOException {
    framing.write(Kind.TOLD, lines.getBytes(StandardCharsets.UTF_8));
    framing.flush();
  }

  private String answer(String[] words) throws Exception {
    return switch (words[0]) {
      case "load" ->
          load(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Path.of(words[3]));
      case "shuffle" -> shuffle();
      case "check" -> check();
      case "warm-up" -> warmUp(words[1], Long.parseLong(words[2]));
      case "measure" -> measure(words[1], Integer.parseInt(words[2]));
      case "receive" -> receive(words[1], Integer.parseInt(words[2]));
      case "send" -> send(words[1], Integer.parseInt(words[2]));
      case "about" -> about();
      default -> throw new IllegalArgumentException("Python can't ask for " + words[0]);
    };
  }

  private String load(int skip, int count, Path path) throws IOException {
    forget();
    rows = entrant.prepare(Table.read(workload, path, skip, count));
    // Move the rows to the old generation as they are. A young collection would lay them out in the
    // order of their list, so shuffled rows would not be scattered.
    System.gc();
    return "rows=" + rows.size() + "\n";
  }

  private String shuffle() {
    forget();
    Collections.shuffle(rows, new Random(SEED));
    return "rows=" + rows.size() + "\n";
  }

  private void forget() {
    work = null;
  }

  private Work work() throws Exception {
    if (work == null) {
      work = new Work(entrant, rows);
    }
    return work;
  }

  private String check() throws Exception {
    byte[] expected = digest(rows);
    List<Object> byRows = new ArrayList<>();
    for (Object row : rows) {
      byRows.add(entrant.decodeRow(entrant.encodeRow(row)));
    }
    boolean isEqual =
        Arrays.equals(expected, digest(entrant.decode(entrant.encode(rows))))
            && Arrays.equals(expected, digest(byRows));
    return "digest=" + HexFormat.of().formatHex(expected) + "\nequal=" + isEqual + "\n";
  }

  private byte[] digest(List<?> some) {
    return Digest.of(some.stream().map(entrant::plain).toList());
  }

  private String warmUp(String name, long count) throws Exception {
    if (work().has(name)) {
      work().warmUp(name, count);
    }
    return "has=" + work().has(name) + "\n";
  }

  private String measure(String name, int times) throws Exception {
    Sample sample = work().measure(name, times);
    return name.endsWith("-row")
        ? new Sample(sample.nanoseconds(), sample.rows(), work().rowBytes(), sample.allocated())
            .lines()
        : sample.lines();
  }

  private String receive(String unit, int count) throws Exception {
    List<Object> received = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] message = framing.read(Kind.DATA).payload();
      if (unit.equals("row")) {
        received.add(entrant.decodeRow(message));
      } else {
        received.addAll(entrant.decode(List.of(message)));
      }
    }
    // Python stops its clock before it looks at the digest.
    tell("rows=" + received.size() + "\n");
    return "digest=" + HexFormat.of().formatHex(digest(received)) + "\n";
  }

  private String send(String unit, int most) throws Exception {
    List<?> rows = most < 0 ? this.rows : this.rows.subList(0, Math.min(most, this.rows.size()));
    int batch = unit.equals("row") ? 1 : entrant.streamBatch();
    framing.write(Kind.MESSAGES, Framing.numbers(-Math.floorDiv(-rows.size(), batch)));
    for (int begin = 0; begin < rows.size(); begin += batch) {
      if (unit.equals("row")) {
        framing.write(Kind.DATA, entrant.encodeRow(rows.get(begin)));
      } else {
        List<?> some = rows.subList(begin, Math.min(begin + batch, rows.size()));
        framing.write(Kind.DATA, entrant.encode(some).get(0));
      }
    }
    return "rows=" + rows.size() + "\n";
  }

  private String about() {
    return "java="
        + Runtime.version()
        + "\ntier="
        + entrant.tier()
        + "\ncompiler="
        + Compiler.exists()
        + "\n";
  }
}
