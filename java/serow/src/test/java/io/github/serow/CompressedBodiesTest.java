package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.zstd.ZstdCompressor;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.compression.BodyCompression;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.message.RowMessageReader;
import io.github.serow.internal.message.RowMessageWriter;
import io.github.serow.internal.wire.RecordOut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compressed bodies of the row wire in Java are those of native code. */
class CompressedBodiesTest {
  private static final int HEADER = 8;
  private static final int FRAME_HEADER = 24;
  private static final int CHECKSUM = 8;
  private static final int LENGTH = 8;

  private static final String DAMAGED = "its compressed body is damaged, or longer than it claims";
  private static final String SHORTER = "its compressed body is shorter than it claims";
  private static final String CLAIMS = "it claims more bytes than so few can be compressed from";

  /** The descriptor of a zstd frame without a window. */
  private static final int SINGLE_SEGMENT = 0x20;

  private static final String CUT = "its compressed body is cut";

  static List<Compression> compressions() {
    return List.of(
        Compression.zstd(1), Compression.zstd(3), Compression.zstd(19), Compression.lz4());
  }

  /** The body as it is in a message. */
  private static byte[] compressed(BodyCompression format, byte[] body) {
    RecordOut out = new RecordOut();
    out.bytes = body.clone();
    int length = format.compress(out, 0, body.length);
    assertTrue(length > 0, "the body stays plain");
    return out.copy(length);
  }

  /** The plain body, or the text of the error. */
  private static Object decompressed(BodyCompression format, byte[] packed) {
    // Bytes before and after the body are none of its business.
    byte[] message = new byte[packed.length + 20];
    Arrays.fill(message, (byte) 0xaa);
    System.arraycopy(packed, 0, message, 10, packed.length);
    try {
      return format.decompress(message, 10, 10 + packed.length, "a test", -1);
    } catch (DecodeException | LimitException e) {
      return e.getMessage();
    }
  }

  /** The compressions that Java has. */
  static List<Compression> ofJava() {
    return List.of(Compression.zstd(), Compression.lz4());
  }

  private static List<Object[]> rows(int count) {
    Random random = new Random(3);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object note = i % 3 == 0 ? "carefully final" : null;
      rows.add(new Object[] {(long) i, "Customer#" + random.nextInt(97), i * 0.25, note});
    }
    return rows;
  }

  /** The message in Java, without native code. */
  private static byte[] dumps(List<?> rows, Compression compression) {
    Object[] all = rows.toArray();
    Inference inference = new Inference();
    Binding binding = Binding.of(inference.sample(all));
    return RowMessageWriter.toBytes(binding, all, BodyCompression.of(compression), inference);
  }

  private static List<Object> readByNativeCode(byte[] message) {
    return DecodeContext.read(message, ReadOptions.of(null));
  }

  private static List<Object> readByJava(byte[] message) {
    return RowMessageReader.read(message, 0, message.length, ReadOptions.of(null));
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int beginOfBody(byte[] message) {
    return HEADER + FRAME_HEADER + little(message).getInt(HEADER + 8);
  }

  private static int compressionOf(byte[] message) {
    return message[HEADER + 2];
  }

  /** The body of the first frame. */
  private static byte[] body(byte[] message) {
    int begin = beginOfBody(message);
    return Arrays.copyOfRange(message, begin, begin + (int) little(message).getLong(HEADER + 16));
  }

  /** The message of one frame with another body. */
  private static byte[] withBody(byte[] message, int compression, byte[] body) {
    int begin = beginOfBody(message);
    ByteBuffer changed = little(new byte[begin + body.length + CHECKSUM]);
    changed.put(message, 0, begin).put(body);
    changed.put(HEADER + 1, (byte) 3).put(HEADER + 2, (byte) compression);
    changed.putLong(HEADER + 16, body.length);
    return LyingContentTest.seal(changed.array());
  }

  private static byte[] claiming(long length, byte[] packed) {
    return little(new byte[LENGTH + packed.length]).putLong(length).put(packed).array();
  }

  /**
   * What native code says of a body; null if it decompresses it, whatever it says of the rows.
   *
   * @param message any message of one schema
   */
  private static String nativeVerdict(byte[] message, int compression, byte[] body) {
    byte[] changed = withBody(message, compression, body);
    try {
      readByNativeCode(changed);
      return null;
    } catch (DecodeException e) {
      String begin = "frame 0 (at byte 8): ";
      String what = e.getMessage().replace(begin, "");
      return List.of(DAMAGED, SHORTER, CLAIMS, CUT).contains(what) ? what : null;
    } catch (LimitException e) {
      return null;
    }
  }

  /** The body of a plain message, compressed by Java and by native code. */
  private static List<byte[]> compressedByAll(BodyCompression format, byte[] message) {
    Compression compression = ofJava().get(format.number() - 1);
    byte[] ofNative =
        Serow.options()
            .withWire(Wire.ROW)
            .withCompression(compression)
            .dumps(readByNativeCode(message));
    return List.of(compressed(format, body(message)), body(ofNative));
  }

  private static String verdict(BodyCompression format, byte[] body) {
    return decompressed(format, body) instanceof String error ? error : null;
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(tries = 25, shrinking = ShrinkingMode.BOUNDED)
  void anyRowsAreReadAndWritten(@ForAll("mixedRows") List<Object> rows) {
    byte[] plain = Serow.dumps(rows, Wire.ROW);
    List<Object> expected = DecodeContext.read(plain, ReadOptions.of(null));
    for (Compression compression : compressions()) {
      byte[] message = Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows);
      Same.assertSame(expected, readByJava(message));
      if (compressionOf(message) != 0) {
        BodyCompression format = BodyCompression.of(compressionOf(message));
        assertArrayEquals(body(plain), (byte[]) decompressed(format, body(message)));
      }
    }
    for (Compression compression : ofJava()) {
      byte[] own = dumps(rows, compression);
      Same.assertSame(expected, readByNativeCode(own));
      Same.assertSame(expected, readByJava(own));
    }
  }

  @Test
  void goldenMessagesAreRead() throws IOException {
    List<Path> files =
        GoldenTest.messages().stream()
            .filter(file -> file.toString().matches(".*[.]row-(zstd|lz4)[.]srow"))
            .toList();
    assertTrue(files.size() >= 3, files.toString());
    for (Path file : files) {
      Same.assertSame(GoldenTest.rows(file), readByJava(Files.readAllBytes(file)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeBodiesComeBack(BodyCompression format) {
    byte[] plain = Serow.dumps(rows(20_000), Wire.ROW);
    for (Compression compression : compressions()) {
      byte[] message =
          Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows(20_000));
      if (compressionOf(message) == format.number()) {
        assertArrayEquals(body(plain), (byte[]) decompressed(format, body(message)));
      }
    }
    byte[] packed = compressed(format, body(plain));
    assertTrue(packed.length < body(plain).length / 2);
    Same.assertSame(
        readByNativeCode(plain), readByNativeCode(withBody(plain, format.number(), packed)));
  }

  /** A window of more than 8 MiB, which large rows at high levels have. */
  @Test
  void theWindowMayBeLarge() {
    byte[] plain = new byte[40 << 20];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) (i * 31 >>> 9);
    }
    byte[] message =
        Serow.options()
            .withWire(Wire.ROW)
            .withCompression(Compression.zstd(20))
            .dumps(List.of(plain));
    assertEquals(1, compressionOf(message));
    byte[] packed = body(message);
    assertEquals(0, packed[LENGTH + 4] & SINGLE_SEGMENT);
    assertTrue((packed[LENGTH + 5] & 0xff) >>> 3 > 13, "a small window");
    assertArrayEquals(plain, (byte[]) readByJava(message).get(0));
  }

  @Test
  void theSameBodiesStayPlain() {
    byte[] noise = new byte[100_000];
    new Random(5).nextBytes(noise);
    List<List<?>> all =
        List.of(
            List.of(noise),
            List.of(),
            List.of("x".repeat(58)),
            List.of("x".repeat(59)),
            List.of("x".repeat(60)));
    for (List<?> rows : all) {
      for (Compression compression : ofJava()) {
        byte[] expected =
            Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows);
        byte[] own = dumps(rows, compression);
        assertEquals(compressionOf(expected), compressionOf(own), rows + " " + compression);
        if (compressionOf(own) == 0) {
          assertArrayEquals(Serow.dumps(rows, Wire.ROW), own);
        }
      }
    }
  }

  /** Readers would refuse a body that shrank by more than they allow. */
  @Test
  void aBodyThatShrinksTooMuchStaysPlain() {
    RecordOut out = new RecordOut();
    out.bytes = new byte[80 << 20];
    assertEquals(-1, BodyCompression.ZSTD.compress(out, 0, 80 << 20));
    assertTrue(BodyCompression.ZSTD.compress(out, 0, 64 << 20) > 0);
    out.bytes = new byte[80 << 20];
    assertTrue(BodyCompression.LZ4.compress(out, 0, 80 << 20) > 0);
  }

  @ParameterizedTest
  @EnumSource
  void bodiesMayBeCutOrGoOnOrLie(BodyCompression format) {
    byte[] message = Serow.dumps(rows(20), Wire.ROW);
    byte[] plain = body(message);
    List<byte[]> bodies = new ArrayList<>();
    for (byte[] packed : compressedByAll(format, message)) {
      for (int length = 0; length <= packed.length + 9; length++) {
        bodies.add(Arrays.copyOf(packed, length));
      }
      byte[] content = Arrays.copyOfRange(packed, LENGTH, packed.length);
      long most = content.length * 1024L + (64 << 20);
      for (long lie :
          new long[] {
            0,
            1,
            plain.length - 1,
            plain.length,
            plain.length + 1,
            plain.length + 8,
            plain.length + 20,
            most,
            most + 1,
            1L << 31,
            1L << 40,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            -1
          }) {
        bodies.add(claiming(lie, content));
      }
      bodies.add(claiming(2 * plain.length, twice(content)));
      bodies.add(claiming(0, new byte[1]));
      bodies.add(claiming(1, new byte[0]));
    }
    for (byte[] body : bodies) {
      String expected = nativeVerdict(message, format.number(), body);
      String actual = verdict(format, body);
      // How a cut body ends is a rule of each library's, so it may be damaged or shorter.
      String same = expected != null && DAMAGED.equals(actual) ? actual : expected;
      assertEquals(same, actual, () -> HexFormat.of().formatHex(body));
    }
  }

  private static byte[] twice(byte[] bytes) {
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
    return twice;
  }

  /**
   * Damages each byte. LZ4 decides as native code does. The library's zstd checks the end of
   * streams of bits more strictly, and some codes less strictly: it refuses bodies that zstd reads
   * as other bytes than the writer's, and the other way round.
   */
  @ParameterizedTest
  @EnumSource
  void everyByteMayBeWrong(BodyCompression format) {
    byte[] message = Serow.dumps(rows(40), Wire.ROW);
    Random random = new Random(11);
    int refused = 0;
    for (byte[] packed : compressedByAll(format, message)) {
      for (int at = 0; at < packed.length; at++) {
        for (int flip : new int[] {1, 0x80, 0xff, 1 + random.nextInt(255)}) {
          byte[] lying = packed.clone();
          lying[at] ^= (byte) flip;
          String actual = verdict(format, lying);
          if (format == BodyCompression.LZ4 || at < LENGTH + 4) {
            String expected = nativeVerdict(message, format.number(), lying);
            assertEquals(expected, actual, () -> HexFormat.of().formatHex(lying));
          }
          refused += actual == null ? 0 : 1;
        }
      }
    }
    assertTrue(refused > 300, refused + " refused");
  }

  @ParameterizedTest
  @EnumSource
  void noiseIsRefusedOrGivesBytes(BodyCompression format) {
    byte[] packed = compressed(format, body(Serow.dumps(rows(60), Wire.ROW)));
    Random random = new Random(13);
    for (int round = 0; round < 2_000; round++) {
      byte[] noise = new byte[1 + random.nextInt(60)];
      random.nextBytes(noise);
      byte[] body = packed.clone();
      int at = LENGTH + random.nextInt(body.length - LENGTH);
      System.arraycopy(noise, 0, body, at, Math.min(noise.length, body.length - at));
      for (byte[] lying : List.of(body, claiming(random.nextInt(100), noise))) {
        String actual = verdict(format, lying);
        assertTrue(actual == null || List.of(DAMAGED, SHORTER).contains(actual), actual);
      }
    }
  }

  /** A body has one zstd frame of this version of zstd, without a dictionary. */
  @Test
  void otherFramesAreRefused() {
    byte[] plain = body(Serow.dumps(rows(300), Wire.ROW));
    byte[] packed = compressed(BodyCompression.ZSTD, plain);
    for (int version = 0x1e; version < 0x28; version++) {
      byte[] old = packed.clone();
      old[LENGTH] = (byte) version;
      assertEquals(DAMAGED, verdict(BodyCompression.ZSTD, old));
    }
    byte[] withDictionary = packed.clone();
    withDictionary[LENGTH + 4] |= 1;
    assertEquals(DAMAGED, verdict(BodyCompression.ZSTD, withDictionary));
    byte[] skippable = new byte[packed.length + 8];
    System.arraycopy(packed, 0, skippable, 0, LENGTH);
    little(skippable).putInt(LENGTH, 0x184d2a50);
    System.arraycopy(packed, LENGTH, skippable, LENGTH + 8, packed.length - LENGTH);
    assertEquals(DAMAGED, verdict(BodyCompression.ZSTD, skippable));
  }

  /** The body of this many zeros. */
  private static byte[] bomb(BodyCompression format, int length) {
    if (format == BodyCompression.LZ4) {
      return compressed(format, new byte[length]);
    }
    // Java does not write such a body, but its begin claims nothing of the kind.
    byte[] packed = new byte[LENGTH + length / 100];
    byte[] zeros = new byte[length];
    int size = new ZstdCompressor().compress(zeros, 0, length, packed, LENGTH, length / 100);
    return claiming(length, Arrays.copyOfRange(packed, LENGTH, LENGTH + size));
  }

  /** A few bytes that claim many, and hold as many or more. */
  @ParameterizedTest
  @EnumSource
  void bombsAreRefused(BodyCompression format) {
    byte[] packed = bomb(format, 100 << 20);
    long most = (packed.length - LENGTH) * 1024L + (64 << 20);
    byte[] content = Arrays.copyOfRange(packed, LENGTH, packed.length);
    boolean isZstd = format.number() == 1;
    assertEquals(isZstd ? CLAIMS : null, verdict(format, packed));
    assertEquals(CLAIMS, verdict(format, claiming(most + 1, content)));
    assertEquals(isZstd ? DAMAGED : SHORTER, verdict(format, claiming(most, content)));
    assertEquals(DAMAGED, verdict(format, claiming(1 << 20, content)));
    // As much memory as Java has no array for.
    byte[] large = claiming(Integer.MAX_VALUE, new byte[2 << 20]);
    LimitException e =
        assertThrows(
            LimitException.class,
            () -> readByJava(withBody(packedMessage(), format.number(), large)));
    assertTrue(
        e.getMessage().startsWith("frame 0 (at byte 8): its decompressed body takes 2147483647"),
        e.getMessage());
  }

  private static byte[] packedMessage() {
    return Serow.options().withWire(Wire.ROW).withCompression(Compression.zstd()).dumps(rows(100));
  }

  /** Whole messages: the rows, the checksums and the places of errors. */
  @ParameterizedTest
  @MethodSource("compressions")
  void messagesMayBeWrong(Compression compression) {
    byte[] message =
        Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows(20));
    assertEquals(compression.equals(Compression.lz4()) ? 2 : 1, compressionOf(message));
    int body = beginOfBody(message);
    int end = message.length - CHECKSUM;
    for (int at = 0; at < message.length; at++) {
      for (int flip : new int[] {1, 0x80, 0xff}) {
        byte[] lying = message.clone();
        lying[at] ^= (byte) flip;
        RowMessagesTest.isRead(lying);
        if (at < HEADER) {
          continue;
        }
        if (compressionOf(message) == 2 || at < body || at >= end) {
          RowMessagesTest.isRead(LyingContentTest.seal(lying));
        } else {
          // zstd decides otherwise than native code now and then.
          isReadOrRefused(LyingContentTest.seal(lying));
        }
      }
    }
    for (int length = 0; length < message.length; length++) {
      RowMessagesTest.isRead(Arrays.copyOf(message, length));
    }
  }

  private static void isReadOrRefused(byte[] message) {
    try {
      readByJava(message);
    } catch (DecodeException | LimitException e) {
      assertTrue(e.getMessage().startsWith("frame 0"), e.getMessage());
    }
  }

  /** An error of a row has the offset of its frame, because its own is not in the message. */
  @ParameterizedTest
  @EnumSource
  void errorsInRowsHaveTheirPlace(BodyCompression format) {
    byte[] message = Serow.dumps(rows(300), Wire.ROW);
    byte[] plain = body(message);
    byte[] lying = plain.clone();
    Arrays.fill(lying, lying.length / 2, lying.length / 2 + 200, (byte) 0xff);
    byte[] packed = withBody(message, format.number(), compressed(format, lying));
    DecodeException expected = assertThrows(DecodeException.class, () -> readByNativeCode(packed));
    DecodeException actual = assertThrows(DecodeException.class, () -> readByJava(packed));
    assertEquals(expected.row(), actual.row());
    assertEquals(expected.offset(), actual.offset());
    assertEquals(expected.getMessage(), actual.getMessage());
  }
}
