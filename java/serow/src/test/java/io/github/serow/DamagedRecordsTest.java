package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.row.SequenceNode;
import io.github.serow.internal.wire.RecordIn;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Decodes damaged single records, which have no checksum. Each must give a value or a {@link
 * SerowException}, and memory only for the bytes that were read as values. {@code
 * -Dserow.damaged=10000000} sets their number.
 */
class DamagedRecordsTest {
  private static final long COUNT = Long.getLong("serow.damaged", 20_000);

  /** Records that are made from those of one schema. */
  private static final int OF_ONE_SCHEMA = 2000;

  /** The length of the fingerprint. */
  private static final int BEFORE = 8;

  /** The most bytes of memory for the values in a byte of a record, for example empty maps. */
  private static final long VALUES = 200;

  /** The most bytes of memory for four million empty dicts, which an error reads twice. */
  private static final long EMPTY_VALUES = 1L << 30;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  enum Color {
    RED,
    GREEN
  }

  /** A class of the caller's. */
  record Part(
      long key,
      byte small,
      Optional<String> name,
      long[] times,
      int[] counts,
      short[] shorts,
      float[] parts,
      double[] prices,
      boolean[] bits,
      byte[] raw,
      Map<String, Integer> sizes,
      Set<Color> colors,
      List<List<Color>> more) {
    Part {
      if (key < 0) {
        throw new IllegalArgumentException("negative key");
      }
    }

    static Part random(Random random) {
      int length = random.nextInt(12);
      return new Part(
          random.nextInt(100),
          (byte) random.nextInt(),
          Optional.of("alm\u00f6nd").filter(name -> random.nextBoolean()),
          random.longs(length).toArray(),
          random.ints(length).toArray(),
          new short[length],
          new float[length],
          random.doubles(length).toArray(),
          new boolean[length],
          new byte[length],
          Map.of("a", length, "b", 7),
          Set.of(Color.RED, Color.GREEN),
          List.of(List.of(), List.of(Color.GREEN)));
    }
  }

  /** A codec, and records of it. The readers are null if rows are objects of a caller's class. */
  private record Source(
      Node type, RecordReader generated, Codec<?> codec, List<byte[]> records, long seed) {
    static Source of(String text, List<byte[]> records, long seed) {
      Schema schema = Schema.parse(text);
      Node type = RandomRowsTest.node(schema);
      RecordReader generated = RecordReader.generated(type);
      return new Source(
          type, generated, Codec.ofAny(schema).withoutSchemaAndChecksum(), records, seed);
    }
  }

  /** A value, or the message of an error. */
  private record Outcome(Object value, String error, int read) {}

  private final AtomicLong values = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();

  @Test
  @Tag("heavy")
  void damagedRecordsGiveValuesOrErrors() throws Exception {
    long seed = new Random().nextLong();
    System.out.println(COUNT + " damaged records, seed " + seed);
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      JqwikSession.run(() -> distribute(new Random(seed), executor, threads));
    } finally {
      executor.shutdownNow();
    }
    System.out.println(values + " gave a value, " + errors + " an error");
    assertEquals(COUNT, values.get() + errors.get());
    assertTrue(values.get() > COUNT / 100 && errors.get() > COUNT / 10);
  }

  private void distribute(Random random, ExecutorService executor, int threads)
      throws IOException, InterruptedException, ExecutionException {
    List<Path> golden = GoldenTest.records();
    RandomGenerator<RandomRowsTest.Sample> samples = new RandomRowsTest().samples().generator(1000);
    List<Future<?>> running = new ArrayList<>();
    for (long left = COUNT; left > 0; left -= OF_ONE_SCHEMA) {
      Source source = null;
      while (source == null) {
        long seed = random.nextLong();
        source =
            switch (random.nextInt(8)) {
              case 0, 1 -> golden(golden.get(random.nextInt(golden.size())), seed);
              case 2 -> objects(seed);
              default -> drawn(samples.next(random).value(), seed);
            };
      }
      Source each = source;
      int count = (int) Math.min(left, OF_ONE_SCHEMA);
      running.add(executor.submit(() -> check(each, count)));
      if (running.size() > 2 * threads) {
        running.remove(0).get();
      }
      JqwikSession.finishTry();
    }
    for (Future<?> future : running) {
      future.get();
    }
  }

  private static Source golden(Path file, long seed) throws IOException {
    byte[] all = Files.readAllBytes(file);
    List<byte[]> records = new ArrayList<>();
    for (int at = 0; at < all.length; ) {
      int begin = at + Integer.BYTES;
      at = begin + RecordIn.intAt(all, at);
      records.add(Arrays.copyOfRange(all, begin, at));
    }
    String name = file.toString().replace(".records", ".rows");
    for (String line : Files.readAllLines(Path.of(name))) {
      if (line.startsWith("schema ") && !records.isEmpty()) {
        return Source.of(line.substring("schema ".length()), records, seed);
      }
    }
    return null;
  }

  private static Source drawn(RandomRowsTest.Sample sample, long seed) {
    if (sample.rows().isEmpty()) {
      return null;
    }
    List<byte[]> records = new ArrayList<>();
    Source source = Source.of(sample.schema(), records, seed);
    @SuppressWarnings("unchecked")
    Codec<Object> codec = (Codec<Object>) source.codec;
    sample.rows().forEach(row -> records.add(codec.encode(row)));
    return source;
  }

  private static Source objects(long seed) {
    Random random = new Random(seed);
    Codec<Part> codec = Codec.of(Part.class).withWire(Wire.ROW).withoutSchemaAndChecksum();
    if (random.nextBoolean()) {
      codec.compile();
    }
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      records.add(codec.encode(Part.random(random)));
    }
    return new Source(RandomRowsTest.node(codec.schema()), null, codec, records, seed);
  }

  private void check(Source source, int count) {
    Random random = new Random(source.seed);
    List<byte[]> records = source.records;
    Codec<?> codec = source.codec;
    for (int i = 0; i < count; i++) {
      byte[] record = records.get(random.nextInt(records.size()));
      byte[] other = records.get(random.nextInt(records.size()));
      byte[] damaged = damaged(record, other, random);
      try {
        boolean isValue = check(source, codec, damaged);
        (isValue ? values : errors).incrementAndGet();
      } catch (Throwable e) {
        String hex = HexFormat.of().formatHex(damaged);
        throw new AssertionError(hex + " for " + codec.schema(), e);
      }
    }
  }

  /** Decodes a record by each reader. Returns whether it has a value. */
  private static boolean check(Source source, Codec<?> codec, byte[] record) {
    int length = record.length;
    long allowed = (1 << 20) + 4L * length + (hasEmptyElements(source.type) ? EMPTY_VALUES : 0);
    if (source.generated == null || length < BEFORE) {
      // The whole record may have been read, twice for an error.
      return call(() -> codec.decode(record), null, allowed + 2 * VALUES * length).error == null;
    }
    RecordIn in = new RecordIn(record, BEFORE, length);
    RecordReader reader = RecordReader.interpreted(source.type);
    Outcome expected = call(() -> read(reader, in), in, allowed);
    RecordIn again = new RecordIn(record, BEFORE, length);
    Outcome generated = call(() -> read(source.generated, again), again, allowed);
    assertEquals(expected.error, generated.error);
    long most = allowed + 2 * VALUES * (expected.read - BEFORE);
    Outcome decoded = call(() -> codec.decode(record), null, most);
    if (expected.error != null) {
      assertTrue(decoded.error.endsWith(": " + expected.error), decoded.error);
      return false;
    }
    List<Object> value = Arrays.asList(expected.value);
    Same.assertSame(value, new ArrayList<>(Arrays.asList(generated.value)));
    Same.assertSame(value, new ArrayList<>(Arrays.asList(decoded.value)));
    return true;
  }

  private static Object read(RecordReader reader, RecordIn in) {
    try {
      Object value = reader.read(in);
      in.end();
      return value;
    } catch (PlacedException e) {
      throw PlacedException.cause(e);
    }
  }

  /**
   * Calls a reader.
   *
   * @param in what it reads; null if that is unknown
   * @param allowed bytes of memory, besides the memory for the values that {@code in} has read
   */
  private static Outcome call(Supplier<Object> reader, RecordIn in, long allowed) {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    Object value = null;
    String error = null;
    try {
      value = reader.get();
    } catch (SerowException e) {
      error = e.getMessage();
    }
    long allocated = THREADS.getThreadAllocatedBytes(thread) - before;
    int read = in == null ? 0 : in.position();
    long most = allowed + VALUES * Math.max(0, read - BEFORE);
    assertTrue(allocated <= most, allocated + " bytes of memory, not " + most);
    return new Outcome(value, error, read);
  }

  private static boolean hasEmptyElements(Node node) {
    return node instanceof SequenceNode
            && node.parts().stream().allMatch(part -> part.leastBytes() == 0)
        || node.parts().stream().anyMatch(DamagedRecordsTest::hasEmptyElements);
  }

  private static byte[] damaged(byte[] record, byte[] other, Random random) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return Arrays.copyOf(record, random.nextInt(record.length));
    }
    if (kind == 1) {
      return Arrays.copyOf(record, record.length + 1 + random.nextInt(12));
    }
    byte[] value = Arrays.copyOfRange(record, BEFORE, record.length);
    if (kind < 5) {
      int start = BEFORE + random.nextInt(other.length - BEFORE + 1);
      int end = Math.min(other.length, start + random.nextInt(40));
      byte[] part = Arrays.copyOfRange(other, start, end);
      value = replace(value, random.nextInt(9), part, random);
    } else if (kind == 5) {
      value = Arrays.copyOf(value, random.nextInt(value.length + 1));
    } else {
      for (int changes = 1 << Math.max(0, random.nextInt(5) - 2); changes > 0; changes--) {
        value = changed(value, random);
      }
    }
    byte[] damaged = Arrays.copyOf(record, BEFORE + value.length);
    System.arraycopy(value, 0, damaged, BEFORE, value.length);
    return damaged;
  }

  private static byte[] changed(byte[] value, Random random) {
    byte[] some = new byte[1 + random.nextInt(random.nextBoolean() ? 1 : 9)];
    random.nextBytes(some);
    switch (random.nextInt(6)) {
      case 0:
        return replace(value, some.length, some, random);
      case 1:
        return replace(value, 0, some, random);
      case 2:
        return replace(value, some.length, new byte[0], random);
      case 3:
        byte[] ends = {0, 1, 2, 3, 5, 0x7f, (byte) 0x80, (byte) 0xfe, (byte) 0xff};
        return replace(value, 1, new byte[] {ends[random.nextInt(ends.length)]}, random);
      case 4:
        // A number of any size, in place of a count, a length, or a part of a value.
        byte[] number = RecordFrames.varint(random.nextLong() >>> random.nextInt(64));
        return replace(value, 1, number, random);
      default:
        if (value.length > 0) {
          value[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return value;
    }
  }

  /** The value with other bytes in place of {@code length} bytes at any position. */
  private static byte[] replace(byte[] value, int length, byte[] by, Random random) {
    int at = random.nextInt(value.length + 1);
    int after = Math.min(value.length, at + length);
    ByteBuffer replaced = ByteBuffer.allocate(at + by.length + value.length - after);
    return replaced.put(value, 0, at).put(by).put(value, after, value.length - after).array();
  }
}
