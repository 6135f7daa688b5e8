package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SingleRecordTest {
  private static final Schema SCHEMA = Schema.parse("(i64, str?, [f64])");

  private static Object[] row() {
    return new Object[] {-3L, "alm\u00f6nd", List.of(0.5)};
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** A codec of this schema whose records have no fingerprint. */
  private static Codec<Object> bare(String schema) {
    return Codec.ofAny(Schema.parse(schema)).withoutFingerprint();
  }

  @Test
  void aRecordIsTheFingerprintAndTheValue() {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    Codec<Object[]> bare = codec.withoutFingerprint();
    byte[] record = codec.encode(row());
    byte[] value =
        bytes(11, 1, 15, 'a', 'l', 'm', 0xc3, 0xb6, 'n', 'd', 3, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f);
    assertArrayEquals(value, bare.encode(row()));
    assertEquals(8 + value.length, record.length);
    long named = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertEquals(SCHEMA.fingerprint(), named);
    assertArrayEquals(value, Arrays.copyOfRange(record, 8, record.length));
    Same.assertSame(
        new ArrayList<>(List.of(row(), row())),
        new ArrayList<>(List.of(codec.decode(record), bare.decode(value))));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void buffersAreWrittenAndReadFromTheirPosition(boolean isDirect) {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    byte[] record = codec.encode(row());
    ByteBuffer buffer = isDirect ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
    buffer.position(7);
    assertEquals(record.length, codec.encodeInto(row(), buffer));
    assertEquals(7 + record.length, buffer.position());
    buffer.flip().position(7);
    byte[] written = new byte[record.length];
    buffer.get(7, written);
    assertArrayEquals(record, written);
    Object[] decoded = codec.decode(buffer.slice());
    assertEquals("alm\u00f6nd", decoded[1]);
    assertEquals("alm\u00f6nd", codec.decode(buffer.asReadOnlyBuffer())[1]);
    codec.decode(buffer);
    assertEquals(0, buffer.remaining());
  }

  @Test
  void aBufferThatIsTooSmallStaysAsItIs() {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    int length = codec.encode(row()).length;
    ByteBuffer buffer = ByteBuffer.allocate(length - 1);
    BufferTooSmallException error =
        assertThrows(BufferTooSmallException.class, () -> codec.encodeInto(row(), buffer));
    assertEquals(length, error.needed());
    assertEquals(
        "the record takes 27 bytes and the buffer has 26; use a larger one", error.getMessage());
    assertEquals(0, buffer.position());
    assertArrayEquals(new byte[length - 1], buffer.array());
    assertThrows(
        ReadOnlyBufferException.class,
        () -> codec.encodeInto(row(), ByteBuffer.allocate(99).asReadOnlyBuffer()));
  }

  @Test
  void aMisfitNamesItsPlace() {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    EncodeException error =
        assertThrows(
            EncodeException.class, () -> codec.encode(new Object[] {1L, null, List.of(0.5, "x")}));
    assertEquals("record, field 2.1 (f64): cannot encode java.lang.String", error.getMessage());
    assertEquals(Optional.of(List.of(2, 1)), error.path());
    assertEquals(OptionalLong.of(0), error.row());
    // The memory that the call used is as good as new.
    Object[] row = codec.decode(codec.encode(row()));
    assertEquals(-3L, row[0]);
  }

  @Test
  void optionsAreReplacedByTheirValues() {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    Object[] row = {1L, Optional.of("x"), List.of()};
    assertEquals("x", codec.decode(codec.encode(row))[1]);
    Object[] misfit = {1L, Optional.of(2.5), List.of()};
    String message = assertThrows(EncodeException.class, () -> codec.encode(misfit)).getMessage();
    assertEquals("record, field 1 (str?): cannot encode java.lang.Double", message);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, there are no bytes",
    "7, 7, 'the record is cut: it takes at least 8 bytes, but there are 7'",
    "8, 8, 'record, field 0 (i64): a record is shorter than its values'",
    "26, 8, 'record, field 2 ([f64]): a record is shorter than its values'",
    "29, 8, 'record: a record is longer than its values'"
  })
  void aRecordHasExactlyItsLength(int length, int offset, String message) {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    byte[] record = Arrays.copyOf(codec.encode(row()), length);
    DecodeException error = assertThrows(DecodeException.class, () -> codec.decode(record));
    assertEquals(message, error.getMessage());
    assertEquals(OptionalLong.of(offset), error.offset());
  }

  @Test
  void damageIsReportedWithItsPlace() {
    Codec<Object[]> codec = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    byte[] record = codec.encode(row());
    record[13] = (byte) 0xff;
    DecodeException error = assertThrows(DecodeException.class, () -> codec.decode(record));
    assertEquals(
        "record, field 1 (str?): a string holds bytes that are not UTF-8", error.getMessage());
    assertEquals(Optional.of(List.of(1)), error.path());
    assertEquals(OptionalLong.of(0), error.row());
    assertEquals(OptionalLong.of(8), error.offset());
  }

  @ParameterizedTest
  @CsvSource({
    "i64, '5', 'record: a record is longer than its values'",
    "'(i64, i64)', '5', 'record, field 1 (i64): a record is shorter than its values'",
    "f64, '0 0', 'record: a record is shorter than its values'",
    "bool, '2', 'record: a record has a boolean that is neither 0 nor 1'",
    "i64?, '3', 'record: a record has a boolean that is neither 0 nor 1'",
    "i64|str, '5', 'record: a union has an arm that its schema lacks'",
    "'enum E{A, B}', '9', 'record: a value is not a member of its enum'",
    "'enum E{A, B}', '3', 'record: a value is not a member of its enum'",
    "[i64], '255 1', 'record: a sequence claims more elements than can be there'",
    "[f64], '3', 'record: a record is shorter than its values'",
    "str, '7 97', 'record: a record is shorter than its values'",
    "str, '0 255 255 255 255 255 255 255 255', 'record: a record is shorter than its values'",
    "str, '5 192 128', 'record: a string holds bytes that are not UTF-8'",
    "date, '', 'record: a record is shorter than its values'",
    "duration, '1 3', 'record, (duration): its components are not a valid value: a duration has more nanoseconds than a second'",
    "'{i64}', '5 5 5', 'record, ({i64}): a set holds an element twice'",
    "'{i64: null}', '5 5 5', 'record, ({i64: null}): a map holds a key twice'",
    "never, '', 'record: a value is of type never'",
    "[null], '0 255 255 255 0 0 0 0 0', 'record: a sequence claims more elements than can be there'"
  })
  void wrongValuesAreRefused(String schema, String values, String message) {
    String[] numbers = values.isEmpty() ? new String[0] : values.split(" ");
    byte[] record = new byte[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      record[i] = (byte) Integer.parseInt(numbers[i]);
    }
    if (message.endsWith("longer than its values")) {
      record = bytes(5, 5);
    }
    if (schema.equals("duration")) {
      record = bytes(1, 0x10, 0, 0x28, 0x6b, 0xee);
    }
    byte[] wrong = record;
    Codec<Object> codec = bare(schema);
    String actual = assertThrows(DecodeException.class, () -> codec.decode(wrong)).getMessage();
    assertEquals(message, actual);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{bool: null}",
        "{bool: {bool: null}}",
        "{bool: (null, null)}",
        "{null: bool}",
        "{null: null}",
        "{null}",
        "{bool}",
        "[never]",
        "[bool]",
        "(bool, ...)"
      })
  void aWrongCountTakesLittleMemory(String schema) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    Codec<Object> codec = bare(schema);
    // The first call makes what later ones use again.
    assertThrows(DecodeException.class, () -> codec.decode(new byte[0]));
    for (int length : new int[] {100, 50_000, 4_000_000}) {
      for (int count : new int[] {length / 2 - 100, length / 2, length - 20, 4_000_000}) {
        ByteBuffer record = ByteBuffer.allocate(length);
        // A key, a value that is a map, and then no bools.
        Arrays.fill(record.array(), (byte) 0xff);
        record.put(RecordFrames.varint(count)).put((byte) 1);
        record.put(RecordFrames.varint(length / 2 - 100)).rewind();
        long before = threads.getThreadAllocatedBytes(thread);
        assertThrows(DecodeException.class, () -> codec.decode(record));
        long took = threads.getThreadAllocatedBytes(thread) - before;
        assertTrue(took <= 4L * length + (1 << 20), took + " bytes for " + count);
      }
    }
  }

  @Test
  void manyShortKeysComeBack() {
    Codec<Object> codec = bare("({i64: null}, {i64})");
    Map<Object, Object> map = new LinkedHashMap<>();
    for (long i = -64; i < 64; i++) {
      map.put(i, null);
    }
    for (long i = 64; i < 9000; i++) {
      map.put(i, null);
    }
    Object[] row = {map, new LinkedHashSet<>(map.keySet())};
    Object[] decoded = (Object[]) codec.decode(codec.encode(row));
    assertEquals(Arrays.asList(row), Arrays.asList(decoded));
  }

  @Test
  void anUnknownFingerprintIsNamed() {
    Schema other = Schema.parse("(i64,)");
    Codec<Object[]> writer = Codec.of(other).withoutSchemaAndChecksum();
    Codec<Object[]> reader = Codec.of(SCHEMA).withoutSchemaAndChecksum();
    byte[] record = writer.encode(new Object[] {1L});
    SchemaException error = assertThrows(SchemaException.class, () -> reader.decode(record));
    String named = String.format("0x%016x", other.fingerprint());
    String own = String.format("0x%016x", SCHEMA.fingerprint());
    assertEquals(
        ("the bytes begin neither with SROW, as messages do, nor with the fingerprint of a schema"
                + " that the codec knows; they are damaged, or not serow's, or a record of another"
                + " schema, whose fingerprint is %s (the codec's is %s): for this one, add the schema"
                + " of its writer to a SchemaSet, and give the set to the codec")
            .formatted(named, own),
        error.getMessage());
  }

  @Test
  void recordsOfOtherVersionsAreConverted() {
    Schema earlier = Schema.parse("Part{name: str, gone: [i64], key: i64}");
    Schema current = Schema.parse("Part{key: i64|f64, name: str?, note: str?}");
    SchemaSet schemas = new SchemaSet();
    Codec<Object> writer = Codec.ofAny(earlier).withoutSchemaAndChecksum();
    Codec<Object> reader = Codec.ofAny(current).withSchemas(schemas).withoutSchemaAndChecksum();
    List<String> names = List.of("name", "gone", "key");
    byte[] record =
        writer.encode(Row.of("Part", names, new Object[] {"alm\u00f6nd", List.of(1L), 7L}));
    assertThrows(SchemaException.class, () -> reader.decode(record));
    schemas.add(earlier);
    Row expected =
        Row.of("Part", List.of("key", "name", "note"), new Object[] {7L, "alm\u00f6nd", null});
    assertEquals(expected, reader.decode(record));
    assertEquals(expected, reader.decode(ByteBuffer.wrap(record).asReadOnlyBuffer()));
    assertEquals(expected, reader.decode(reader.encode(expected)));
    record[10] = (byte) 0xff;
    DecodeException error = assertThrows(DecodeException.class, () -> reader.decode(record));
    assertEquals(OptionalLong.of(8), error.offset());
    assertEquals(
        "record, field name (str?): a string holds bytes that are not UTF-8", error.getMessage());
    schemas.add(Schema.parse("(i64,)"));
    Codec<Object[]> other = Codec.of(Schema.parse("(i64,)")).withoutSchemaAndChecksum();
    byte[] tuple = other.encode(new Object[] {1L});
    SchemaException unlike = assertThrows(SchemaException.class, () -> reader.decode(tuple));
    assertTrue(
        unlike.getMessage().contains("the record has schema (i64,), but the codec is for"),
        unlike.getMessage());
  }

  @Test
  void aSetFindsItsSchemas() {
    SchemaSet schemas = new SchemaSet();
    assertEquals(Optional.empty(), schemas.find(SCHEMA.fingerprint()));
    assertSame(schemas, schemas.add(SCHEMA).add(Schema.parse(SCHEMA.toString())));
    assertEquals(Optional.of(SCHEMA), schemas.find(SCHEMA.fingerprint()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 127, 128, 4095, 4096, 4097, 70_000, 300_000})
  void textOfAnyLengthAndKind(int length) {
    Codec<Object> codec = Codec.ofAny(Schema.parse("[str]")).withoutSchemaAndChecksum();
    List<Object> texts = new ArrayList<>();
    for (String part : List.of("a", "\u00e9", "\u20ac", "\ud83d\ude00", "\ud800", "a\udc00")) {
      texts.add(part.repeat(length));
      texts.add("x" + part.repeat(length) + "\ud83d\ude00");
    }
    Object decoded = codec.decode(codec.encode(texts));
    assertEquals(texts, decoded);
    byte[] message = codec.encodeAll(List.of(texts));
    assertEquals(texts, codec.decodeAll(message).get(0));
  }

  @Test
  void moreStringsThanAreCheckedAtOnce() {
    List<Object> texts = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      texts.add(i % 9_000 == 8_999 ? "\u20ac" : i % 1_000 == 0 ? "x".repeat(3_000) : "");
    }
    Codec<Object> codec = Codec.ofAny(Schema.parse("[str]")).withoutSchemaAndChecksum();
    assertEquals(texts, codec.decode(codec.encode(texts)));
  }

  @Test
  void textOfEarlierRecordsDoesNotMatter() {
    Codec<Object[]> codec = Codec.of(Schema.parse("(str, str, i64)")).withoutSchemaAndChecksum();
    byte[] ascii = codec.encode(new Object[] {"bolt", "x", 1L});
    for (String earlier : List.of("\u20ac".repeat(90), "\udc00".repeat(9), "\u00e9".repeat(5000))) {
      Object[] row = {"a", earlier, 2L};
      assertArrayEquals(row, codec.decode(codec.encode(row)));
      assertArrayEquals(ascii, codec.encode(new Object[] {"bolt", "x", 1L}));
      Object[] misfit = {"a", earlier, "no number"};
      assertThrows(EncodeException.class, () -> codec.encode(misfit));
      assertArrayEquals(ascii, codec.encode(new Object[] {"bolt", "x", 1L}));
    }
  }

  /** A class of the caller with arrays. */
  record Reading(
      long id,
      int small,
      float part,
      boolean isGood,
      double[] values,
      float[] narrow,
      int[] counts,
      long[] times,
      short[] shorts,
      boolean[] bits,
      byte[] raw) {}

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 1000, 100_000})
  void arraysOfPrimitivesComeBack(int length) {
    Reading reading =
        new Reading(
            Long.MIN_VALUE,
            -7,
            0.5f,
            true,
            new double[length],
            new float[length],
            new int[length],
            new long[length],
            new short[length],
            new boolean[length],
            new byte[length]);
    for (int i = 0; i < length; i++) {
      reading.values[i] = i / 3.0;
      reading.narrow[i] = i / 4f;
      reading.counts[i] = i * 77_777;
      reading.times[i] = (long) i << i % 64;
      reading.shorts[i] = (short) i;
      reading.bits[i] = i % 3 == 0;
      reading.raw[i] = (byte) i;
    }
    Codec<Reading> codec = Codec.of(Reading.class).withWire(Wire.ROW).withoutSchemaAndChecksum();
    byte[] record = codec.encode(reading);
    byte[] value = RecordFrames.values(codec.encodeAll(List.of(reading))).get(0);
    assertArrayEquals(value, Arrays.copyOfRange(record, 8, record.length));
    Reading decoded = codec.decode(record);
    assertEquals(reading.id, decoded.id);
    assertEquals(reading.small, decoded.small);
    assertEquals(reading.part, decoded.part);
    assertEquals(reading.isGood, decoded.isGood);
    assertArrayEquals(reading.values, decoded.values);
    assertArrayEquals(reading.narrow, decoded.narrow);
    assertArrayEquals(reading.counts, decoded.counts);
    assertArrayEquals(reading.times, decoded.times);
    assertArrayEquals(reading.shorts, decoded.shorts);
    assertArrayEquals(reading.bits, decoded.bits);
    assertArrayEquals(reading.raw, decoded.raw);
  }

  /** A class whose constructor refuses some values, and counts its calls. */
  record Picky(String name, long key) {
    static final AtomicInteger CALLS = new AtomicInteger();

    Picky {
      CALLS.incrementAndGet();
      if (key < 0) {
        throw new IllegalArgumentException("negative key");
      }
    }
  }

  /** Objects that contain others. */
  record Box(long id, List<Picky> picky, int small) {}

  @Test
  void aConstructorRunsOnceAndItsExceptionIsTheCause() {
    Schema schema = Schema.of(Box.class);
    Codec<Box> codec = Codec.of(Box.class).withoutSchemaAndChecksum();
    Codec<Object> plain = Codec.ofAny(schema).withoutSchemaAndChecksum();
    List<Object> picky =
        List.of(
            Row.of("Picky", List.of("name", "key"), new Object[] {"a", 1L}),
            Row.of("Picky", List.of("name", "key"), new Object[] {"b", -1L}));
    List<String> names = List.of("id", "picky", "small");
    byte[] record = plain.encode(Row.of("Box", names, new Object[] {1L, picky, 5L}));
    Picky.CALLS.set(0);
    DecodeException error = assertThrows(DecodeException.class, () -> codec.decode(record));
    assertEquals(2, Picky.CALLS.get());
    assertInstanceOf(IllegalArgumentException.class, error.getCause());
    assertEquals(Optional.of(List.of("picky", 1)), error.path());
    assertTrue(
        error
            .getMessage()
            .endsWith("cannot make the object: java.lang.IllegalArgumentException: negative key"),
        error.getMessage());
    byte[] large = plain.encode(Row.of("Box", names, new Object[] {1L, null, 1L << 40}));
    DecodeException narrow = assertThrows(DecodeException.class, () -> codec.decode(large));
    assertEquals(
        "record, field small (i64): cannot decode 1099511627776 as an int, which has fewer bits",
        narrow.getMessage());
  }

  /** A record whose accessors call serow, or fail. */
  record Calling(String name, long bad) {
    private static final Codec<Object[]> INNER = Codec.of(SCHEMA).withoutSchemaAndChecksum();

    /** Encodes and decodes another record meanwhile. */
    @Override
    public String name() {
      Object[] row = {0L, name, List.of()};
      return (String) INNER.decode(INNER.encode(row))[1];
    }

    /** Fails for this name. */
    @Override
    public long bad() {
      if (name.equals("bad")) {
        throw new IllegalStateException("no value");
      }
      return bad;
    }
  }

  @Test
  void gettersMayCallSerowAndMayFail() {
    Codec<Calling> codec = Codec.of(Calling.class).withoutSchemaAndChecksum();
    Calling calling = new Calling("x".repeat(3000), 1);
    assertEquals(calling.name, codec.decode(codec.encode(calling)).name);
    Calling bad = new Calling("bad", 1);
    EncodeException error = assertThrows(EncodeException.class, () -> codec.encode(bad));
    assertEquals(
        "record, field bad (i64): cannot read it, because the getter failed:"
            + " java.lang.IllegalStateException: no value",
        error.getMessage());
    assertInstanceOf(IllegalStateException.class, error.getCause());
  }

  @Test
  void threadsShareACodec() throws Exception {
    int count = 8;
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CyclicBarrier together = new CyclicBarrier(count);
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str, [i64])")).withoutSchemaAndChecksum();
    try {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int thread = 0; thread < count; thread++) {
        int base = thread;
        results.add(
            threads.submit(
                () -> {
                  together.await();
                  for (int i = 0; i < 5000; i++) {
                    String text = ("t" + base).repeat(i % 500);
                    Object[] row = {(long) i, text, List.of((long) base, (long) i)};
                    Object[] decoded = codec.decode(codec.encode(row));
                    assertArrayEquals(row, decoded);
                  }
                  return true;
                }));
      }
      for (Future<Boolean> result : results) {
        assertTrue(result.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
