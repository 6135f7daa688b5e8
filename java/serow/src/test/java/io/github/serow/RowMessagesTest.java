package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.message.RowMessageReader;
import io.github.serow.internal.message.RowMessageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The row wire's messages in Java are those of native code, byte by byte and error by error. */
@Tag("once")
class RowMessagesTest {
  private static final int HEADER = 8;

  /** Errors about the bytes around the rows. */
  private static final Pattern AROUND_ROWS =
      Pattern.compile("DecodeException: (frame \\d+ \\(at|the message|this is not|there are).*");

  private static byte[] dumps(List<?> rows) {
    Object[] all = rows.toArray();
    Inference inference = new Inference();
    Binding binding = Binding.of(inference.sample(all));
    return RowMessageWriter.toBytes(binding, all, null, inference);
  }

  private static byte[] encode(Schema schema, List<?> rows) {
    return RowMessageWriter.toBytes(Binding.of(schema), rows.toArray(), null, null);
  }

  static List<Path> messages() throws IOException {
    return GoldenTest.messages().stream()
        .filter(file -> file.toString().contains(".row."))
        .toList();
  }

  static List<Path> smallMessages() throws IOException {
    return messages().stream().filter(file -> file.toFile().length() < 3_000).toList();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void goldenMessagesAreReadAndWritten(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    List<Object> rows;
    try {
      rows = GoldenTest.rows(file);
    } catch (PartsText.NotInJava e) {
      DecodeException error =
          assertThrows(
              DecodeException.class,
              () -> RowMessageReader.read(message, 0, message.length, ReadOptions.of(null)));
      assertTrue(error.getMessage().contains("cannot decode"), error.getMessage());
      return;
    }
    Same.assertSame(rows, RowMessageReader.read(message, 0, message.length, ReadOptions.of(null)));
    if (!GoldenTest.isDeclared(file)) {
      assertArrayEquals(message, dumps(rows));
    }
    assertArrayEquals(message, GoldenTest.inRowWire(file, rows));
  }

  @Provide
  Arbitrary<RandomRowsTest.Sample> samples() {
    return new RandomRowsTest().samples();
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfASchemaAreTheSameMessage(@ForAll("samples") RandomRowsTest.Sample sample) {
    Schema schema = Schema.parse(sample.schema());
    Codec<Object> codec = Codec.ofAny(schema).withWire(Wire.ROW);
    byte[] message = encode(schema, sample.rows());
    assertArrayEquals(codec.encodeAll(sample.rows()), message);
    Same.assertSame(
        sample.rows(),
        RowMessageReader.read(message, 0, message.length, ReadOptions.of(Binding.of(schema))));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfAllKindsAreTheSameMessage(@ForAll("mixedRows") List<Object> rows) {
    byte[] message = dumps(rows);
    assertArrayEquals(Serow.dumps(rows, Wire.ROW), message);
    Same.assertSame(rows, RowMessageReader.read(message, 0, message.length, ReadOptions.of(null)));
  }

  static Stream<List<?>> manyRows() {
    Object[] tuples = {};
    for (int i = 0; i < 60; i++) {
      tuples = new Object[] {tuples.length == 0 ? (Object) 1L : tuples};
    }
    Object[] deep = tuples;
    String large = "x".repeat(1 << 20);
    return Stream.of(
        Collections.nCopies(65_536, 1L),
        Collections.nCopies(65_537, 1L),
        Collections.nCopies(200_000, null),
        Collections.nCopies(16, large),
        Collections.nCopies(17, large.substring(1)),
        Collections.nCopies(17, large),
        Collections.nCopies(3, "y".repeat(17 << 20)),
        // Values without bytes count towards the size of a frame.
        Collections.nCopies(30, Collections.nCopies(100_000, null)),
        Collections.nCopies(30, Collections.nCopies(65_536, null)),
        Collections.nCopies(25, Collections.nCopies(100_000, new Object[] {})),
        // So do tuples around values.
        Collections.nCopies(200, Collections.nCopies(100, deep)),
        Collections.nCopies(40_000, new Object[] {deep, deep}),
        List.of(Collections.nCopies(3_000_000, null)));
  }

  @ParameterizedTest
  @MethodSource("manyRows")
  void framesEndAtTheSameRows(List<?> rows) {
    byte[] message = dumps(rows);
    assertArrayEquals(Serow.dumps(rows, Wire.ROW), message);
    assertEquals(
        rows.size(),
        RowMessageReader.read(message, 0, message.length, ReadOptions.of(null)).size());
  }

  @Test
  void schemasThatTakeTurnsAreOnceInAMessage() {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      rows.add(i % 700 == 699 ? "text " + i : i % 900 == 899 ? (Object) 0.5 : (Object) (long) i);
    }
    assertArrayEquals(Serow.dumps(rows, Wire.ROW), dumps(rows));
    // The 70,000th row does not fit, and is the first of its frame.
    rows = new ArrayList<>(Collections.nCopies(65_536, 1L));
    rows.add("text");
    assertArrayEquals(Serow.dumps(rows, Wire.ROW), dumps(rows));
  }

  @Test
  void aRowBeyondTheLimitsIsRefused() {
    List<Object> nulls = List.of(1L, Collections.nCopies(3_200_000, null));
    LimitException e = assertThrows(LimitException.class, () -> dumps(nulls));
    assertTrue(
        e.getMessage().startsWith("row 1, field 3145728: the row has millions"), e.getMessage());
    assertThrows(LimitException.class, () -> Serow.dumps(nulls, Wire.ROW));
  }

  /** The rows of a message, or the class and the message of the error. */
  private static Object result(boolean isNative, byte[] message) {
    try {
      return isNative
          ? DecodeContext.read(message, ReadOptions.of(null))
          : RowMessageReader.read(message, 0, message.length, ReadOptions.of(null));
    } catch (DecodeException | LimitException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  /**
   * Compares what native code and Java read. Errors in rows have the same class but may name
   * another place: native code checks the components of values after everything else.
   */
  static boolean isRead(byte[] message) {
    Object expected = result(true, message);
    Object actual;
    try {
      actual = result(false, message);
    } catch (IllegalStateException e) {
      // The wire is now the frame wire, or the message a stream.
      assertTrue(e.getMessage().startsWith("native code reads "), e.getMessage());
      return true;
    }
    if (expected instanceof List<?> rows && actual instanceof List<?> others) {
      Same.assertSame(rows, others);
      return true;
    }
    if (AROUND_ROWS.matcher(expected.toString()).matches()) {
      assertEquals(expected, actual, () -> Arrays.toString(message));
    }
    String kind = expected.toString().split(":")[0];
    assertEquals(kind, actual.toString().split(":")[0], () -> Arrays.toString(message));
    return false;
  }

  /** Java reads small messages, and native code those that are large or have other schemas. */
  @Test
  void eachMessageHasAReader() {
    Schema schema = Schema.parse("(i64, str?)");
    Codec<Object[]> codec = Codec.of(schema).withWire(Wire.ROW);
    Codec<Object[]> wider = Codec.of(Schema.parse("(f64, str?)")).withWire(Wire.ROW);
    for (int count : new int[] {0, 1, 100, 20_000}) {
      List<Object[]> rows = Collections.nCopies(count, new Object[] {7L, "almond"});
      byte[] message = codec.encodeAll(rows);
      Same.assertSame(rows, codec.decodeAll(message));
      Same.assertSame(rows, Serow.loads(message));
      Same.assertSame(
          Collections.nCopies(count, new Object[] {7.0, "almond"}), wider.decodeAll(message));
      ByteBuffer direct = ByteBuffer.allocateDirect(message.length + 3).position(3);
      direct.put(message).flip().position(3);
      Same.assertSame(rows, codec.decodeAll(direct));
      assertEquals(0, direct.remaining());
    }
  }

  @ParameterizedTest
  @MethodSource("smallMessages")
  void everyByteMayBeWrong(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    Random random = new Random(11);
    int refused = 0;
    for (int at = 0; at < message.length; at++) {
      for (int flip : new int[] {1, 2, 0x80, 0xff, 1 + random.nextInt(255)}) {
        byte[] lying = message.clone();
        lying[at] ^= (byte) flip;
        refused += isRead(lying) ? 0 : 1;
        if (at >= HEADER) {
          refused += isRead(LyingContentTest.seal(lying)) ? 0 : 1;
        }
      }
    }
    assertTrue(refused > 0);
  }

  @ParameterizedTest
  @MethodSource("smallMessages")
  void messagesMayBeCutOrGoOn(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    boolean isWholeRead = isRead(message);
    for (int length = 0; length <= message.length + 9; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertEquals(isWholeRead && length == message.length, isRead(cut), "cut at " + length);
      if (length > HEADER) {
        isRead(LyingContentTest.seal(cut));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("smallMessages")
  void manyBytesMayBeWrong(Path file) throws IOException {
    byte[] message = Files.readAllBytes(file);
    Random random = new Random(13);
    for (int round = 0; round < 300; round++) {
      byte[] lying = message.clone();
      for (int count = 1 + random.nextInt(4); count > 0; count--) {
        int at = HEADER + random.nextInt(message.length - HEADER);
        lying[at] = random.nextBoolean() ? (byte) random.nextInt() : lying[random.nextInt(at)];
      }
      isRead(LyingContentTest.seal(lying));
    }
  }
}
