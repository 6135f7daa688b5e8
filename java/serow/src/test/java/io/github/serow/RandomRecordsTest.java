package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.encode.WriteErrors;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Compares single records, which Java writes and reads, with native code's row wire. */
class RandomRecordsTest {
  private static final int FINGERPRINT = 8;

  @Provide
  Arbitrary<RandomRowsTest.Sample> samples() {
    return new RandomRowsTest().samples();
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  private static Node type(RandomRowsTest.Sample sample) {
    return RandomRowsTest.node(Schema.parse(sample.schema()));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void recordsEqualThoseOfNativeCode(@ForAll("samples") RandomRowsTest.Sample sample) {
    Schema schema = Schema.parse(sample.schema());
    Codec<Object> codec = Codec.ofAny(schema).withWire(Wire.ROW).withoutSchemaAndChecksum();
    Codec<Object> bare = codec.withoutFingerprint();
    List<Object> rows = sample.rows();
    List<byte[]> values = RecordFrames.values(codec.encodeAll(rows));
    List<Object> decoded = new ArrayList<>();
    List<Object> fromBare = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      byte[] record = codec.encode(rows.get(i));
      ByteBuffer expected = ByteBuffer.allocate(FINGERPRINT + values.get(i).length);
      expected.order(ByteOrder.LITTLE_ENDIAN).putLong(schema.fingerprint()).put(values.get(i));
      assertArrayEquals(expected.array(), record);
      assertArrayEquals(values.get(i), bare.encode(rows.get(i)));
      decoded.add(codec.decode(record));
      fromBare.add(bare.decode(ByteBuffer.wrap(values.get(i)).asReadOnlyBuffer()));
    }
    Same.assertSame(rows, decoded);
    Same.assertSame(rows, fromBare);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void generatedCodeEqualsTheInterpreter(@ForAll("samples") RandomRowsTest.Sample sample) {
    Node type = type(sample);
    RecordWriter writer = RecordWriter.generated(type);
    RecordReader reader = RecordReader.generated(type);
    List<Object> generated = new ArrayList<>();
    List<Object> interpreted = new ArrayList<>();
    for (Object row : sample.rows()) {
      byte[] record = write(writer, row);
      assertArrayEquals(write(RecordWriter.interpreted(type), row), record);
      generated.add(read(reader, record));
      interpreted.add(read(RecordReader.interpreted(type), record));
    }
    Same.assertSame(sample.rows(), generated);
    Same.assertSame(sample.rows(), interpreted);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void generatedCodeFindsTheSameMisfitsAsTheInterpreter(
      @ForAll("samples") RandomRowsTest.Sample sample, @ForAll("mixedRows") List<Object> others) {
    Node type = type(sample);
    RecordWriter generated = RecordWriter.generated(type);
    for (Object other : others) {
      boolean fits = fits(RecordWriter.interpreted(type), other);
      assertEquals(fits, fits(generated, other));
      if (!fits) {
        RuntimeException failure =
            assertThrows(RuntimeException.class, () -> write(generated, other));
        String message = WriteErrors.of(type.type, false, 17, failure).getMessage();
        assertEquals(0, message.indexOf("row 17"), message);
      }
    }
  }

  private static boolean fits(RecordWriter writer, Object row) {
    try {
      write(writer, row);
      return true;
    } catch (RuntimeException e) {
      assertInstanceOf(TypeMismatch.class, PlacedException.cause(e));
      return false;
    }
  }

  /** The value of a record, written not at the begin of the memory. */
  private static byte[] write(RecordWriter writer, Object row) {
    RecordOut out = new RecordOut();
    int end = out.end(5, writer.write(row, out, 5));
    return Arrays.copyOfRange(out.bytes, 5, end);
  }

  private static Object read(RecordReader reader, byte[] value) {
    RecordIn in = new RecordIn(value, 0, value.length);
    Object row = reader.read(in);
    in.end();
    return row;
  }

  /** Cuts records, and changes their bytes. Native code must accept what Java accepts. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void damagedRecordsHaveTheVerdictOfNativeCode(
      @ForAll("samples") RandomRowsTest.Sample sample, @ForAll Random random) {
    Node type = type(sample);
    RecordReader generated = RecordReader.generated(type);
    Codec<Object> codec =
        Codec.ofAny(Schema.parse(sample.schema())).withWire(Wire.ROW).withoutSchemaAndChecksum();
    Codec<Object> bare = codec.withoutFingerprint();
    byte[] like = codec.encodeAll(sample.rows().subList(0, Math.min(1, sample.rows().size())));
    for (Object row : sample.rows().subList(0, Math.min(3, sample.rows().size()))) {
      byte[] record = bare.encode(row);
      for (byte[] damaged : damage(record, random)) {
        compare(codec, bare, generated, like, damaged);
      }
    }
  }

  static List<byte[]> damage(byte[] record, Random random) {
    List<byte[]> all = new ArrayList<>();
    for (int at = 0; at < Math.min(record.length, 200); at++) {
      byte[] cut = Arrays.copyOf(record, at);
      all.add(cut);
      for (int value : new int[] {0, 1, 2, 0x7f, 0x80, 0xff, random.nextInt(256)}) {
        byte[] changed = record.clone();
        changed[at] = (byte) value;
        all.add(changed);
      }
      byte[] longer = new byte[record.length + 1];
      System.arraycopy(record, 0, longer, 0, at);
      longer[at] = (byte) random.nextInt(256);
      System.arraycopy(record, at, longer, at + 1, record.length - at);
      all.add(longer);
    }
    return all;
  }

  private static void compare(
      Codec<Object> codec,
      Codec<Object> bare,
      RecordReader generated,
      byte[] like,
      byte[] damaged) {
    List<Object> expected = null;
    String error = null;
    try {
      expected = codec.decodeAll(RecordFrames.message(like, damaged));
    } catch (DecodeException | LimitException e) {
      error = e.getMessage();
    }
    List<Object> decoded = new ArrayList<>();
    try {
      decoded.add(bare.decode(damaged));
    } catch (DecodeException e) {
      assertEquals(null, expected, () -> e.getMessage() + " for " + Arrays.toString(damaged));
      assertTrue(e.getMessage().matches("(?s)(the )?record.*"), e.getMessage());
      return;
    }
    if (expected == null) {
      throw new AssertionError(error + " for " + Arrays.toString(damaged));
    }
    Same.assertSame(expected, decoded);
    Same.assertSame(expected, new ArrayList<>(Arrays.asList(read(generated, damaged))));
  }
}
