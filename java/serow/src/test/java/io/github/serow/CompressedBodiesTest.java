package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.codec.Binding;
import io.github.serow.codec.DecodeContext;
import io.github.serow.codec.ReadOptions;
import io.github.serow.compression.BodyCompressor;
import io.github.serow.compression.EachLibrary;
import io.github.serow.encode.Inference;
import io.github.serow.message.RowMessageReader;
import io.github.serow.message.RowMessageWriter;
import io.github.serow.wire.RecordOut;
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
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed bodies of the row wire in Java, by each library, are those of native code. */
class CompressedBodiesTest {
  private static final int HEADER = 8;
  private static final int FRAME_HEADER = 24;
  private static final int CHECKSUM = 8;
  private static final int LENGTH = 8;

  private static final String DAMAGED = "its compressed body is damaged, or longer than it claims";
  private static final String SHORTER = "its compressed body is shorter than it claims";
  private static final String CLAIMS = "it claims more bytes than so few can be compressed from";
  private static final String CUT = "its compressed body is cut";

  /** The descriptor of a zstd frame without a window. */
  private static final int SINGLE_SEGMENT = 0x20;

  static List<Compression> compressions() {
    return List.of(
        Compression.zstd(1), Compression.zstd(3), Compression.zstd(19), Compression.lz4());
  }

  private static List<EachLibrary> libraries(int number) {
    return Stream.of(EachLibrary.values()).filter(it -> it.number == number).toList();
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
    BodyCompressor compressor = BodyCompressor.of(compression.on(Wire.ROW));
    return RowMessageWriter.toBytes(binding, all, compressor, inference);
  }

  private static List<Object> readByNativeCode(byte[] message) {
    return DecodeContext.read(message, ReadOptions.of(null));
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

  private static String verdict(EachLibrary library, byte[] body) {
    return library.decompressed(body) instanceof String error ? error : null;
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(tries = 25, shrinking = ShrinkingMode.BOUNDED)
  void anyRowsAreReadAndWritten(@ForAll("mixedRows") List<Object> rows) {
    byte[] plain = Serow.dumps(rows, Wire.ROW);
    List<Object> expected = readByNativeCode(plain);
    for (Compression compression : compressions()) {
      byte[] message = Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows);
      Same.assertSame(expected, RowMessageReader.read(message, ReadOptions.of(null)));
      byte[] own = dumps(rows, compression);
      Same.assertSame(expected, readByNativeCode(own));
      Same.assertSame(expected, RowMessageReader.read(own, ReadOptions.of(null)));
      int number = compressionOf(message);
      for (EachLibrary library : libraries(number)) {
        assertArrayEquals(body(plain), (byte[]) library.decompressed(body(message)));
        byte[] packed = library.compressed(body(plain), 1);
        assertEquals(null, nativeVerdict(message, number, packed));
      }
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
      byte[] message = Files.readAllBytes(file);
      List<Object> rows = GoldenTest.rows(file);
      Same.assertSame(rows, RowMessageReader.read(message, ReadOptions.of(null)));
      List<EachLibrary> libraries = libraries(compressionOf(message));
      for (EachLibrary library : libraries) {
        byte[] plain = (byte[]) library.decompressed(body(message));
        assertArrayEquals((byte[]) libraries.get(0).decompressed(body(message)), plain);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeBodiesComeBack(EachLibrary library) {
    byte[] plain = Serow.dumps(rows(20_000), Wire.ROW);
    for (Compression compression : compressions()) {
      byte[] message =
          Serow.options().withWire(Wire.ROW).withCompression(compression).dumps(rows(20_000));
      if (compressionOf(message) == library.number) {
        assertArrayEquals(body(plain), (byte[]) library.decompressed(body(message)));
      }
    }
    byte[] packed = library.compressed(body(plain), 1);
    assertTrue(packed.length < body(plain).length / 2);
    Same.assertSame(
        readByNativeCode(plain), readByNativeCode(withBody(plain, library.number, packed)));
  }

  /** A window of 16 MiB, as large rows at high levels have it. */
  @ParameterizedTest
  @EnumSource(names = {"ZSTD_JNI", "AIRCOMPRESSOR_ZSTD"})
  void theWindowMayBeLarge(EachLibrary library) {
    byte[] plain = body(Serow.dumps(rows(300), Wire.ROW));
    byte[] packed = EachLibrary.ZSTD_JNI.compressed(plain, 3);
    // The frame has its content's size in two bytes, and no window.
    assertEquals(SINGLE_SEGMENT | 0x40, packed[LENGTH + 4]);
    byte[] blocks = Arrays.copyOfRange(packed, LENGTH + 7, packed.length);
    byte[] windowed = claiming(plain.length, frame(bytes(0, 14 << 3), blocks));
    assertArrayEquals(plain, (byte[]) library.decompressed(windowed));
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
            List.of("x".repeat(60)),
            rows(3));
    for (List<?> rows : all) {
      for (Compression compression : compressions()) {
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
    BodyCompressor zstd = BodyCompressor.of(Compression.zstd().on(Wire.ROW));
    assertEquals(-1, zstd.compress(out, 0, 80 << 20));
    assertTrue(zstd.compress(out, 0, 64 << 20) > 0);
    BodyCompressor lz4 = BodyCompressor.of(Compression.lz4().on(Wire.ROW));
    assertTrue(lz4.compress(out, 0, 80 << 20) > 0);
  }

  @ParameterizedTest
  @EnumSource
  void bodiesMayBeCutOrGoOnOrLie(EachLibrary library) {
    byte[] message = Serow.dumps(rows(20), Wire.ROW);
    byte[] plain = body(message);
    List<byte[]> bodies = new ArrayList<>();
    for (EachLibrary writer : libraries(library.number)) {
      byte[] packed = writer.compressed(plain, 3);
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
      bodies.add(claiming(0, new byte[0]));
      bodies.add(claiming(0, new byte[1]));
      bodies.add(claiming(1, new byte[0]));
    }
    for (byte[] body : bodies) {
      String expected = nativeVerdict(message, library.number, body);
      String actual = verdict(library, body);
      // Where LZ4's block must end is a rule of its own, so a cut one may be damaged or shorter.
      String same =
          library.number == 2 && expected != null && DAMAGED.equals(actual) ? actual : expected;
      assertEquals(same, actual, () -> HexFormat.of().formatHex(body));
    }
  }

  private static byte[] twice(byte[] bytes) {
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
    return twice;
  }

  /**
   * Damages each byte. zstd-jni and LZ4 decide as native code does. aircompressor's zstd checks the
   * end of streams of bits more strictly, and some codes less strictly: it refuses bodies that zstd
   * reads as other bytes than the writer's, and the other way round.
   */
  @ParameterizedTest
  @EnumSource
  void everyByteMayBeWrong(EachLibrary library) {
    byte[] message = Serow.dumps(rows(40), Wire.ROW);
    Random random = new Random(11);
    int refused = 0;
    for (EachLibrary writer : libraries(library.number)) {
      byte[] packed = writer.compressed(body(message), 3);
      for (int at = 0; at < packed.length; at++) {
        for (int flip : new int[] {1, 0x80, 0xff, 1 + random.nextInt(255)}) {
          byte[] lying = packed.clone();
          lying[at] ^= (byte) flip;
          String actual = verdict(library, lying);
          if (library != EachLibrary.AIRCOMPRESSOR_ZSTD || at < LENGTH + 6) {
            String expected = nativeVerdict(message, library.number, lying);
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
  void noiseIsRefusedOrGivesBytes(EachLibrary library) {
    byte[] message = Serow.dumps(rows(2), Wire.ROW);
    byte[] packed = library.compressed(body(Serow.dumps(rows(60), Wire.ROW)), 3);
    Random random = new Random(13);
    for (int round = 0; round < 2_000; round++) {
      byte[] noise = new byte[1 + random.nextInt(60)];
      random.nextBytes(noise);
      byte[] body = packed.clone();
      int at = LENGTH + random.nextInt(body.length - LENGTH);
      System.arraycopy(noise, 0, body, at, Math.min(noise.length, body.length - at));
      String actual = verdict(library, body);
      String ofNoise = verdict(library, claiming(random.nextInt(100), noise));
      if (library == EachLibrary.ZSTD_JNI) {
        assertEquals(nativeVerdict(message, library.number, body), actual);
      }
      assertTrue(ofNoise == null || List.of(DAMAGED, SHORTER).contains(ofNoise), ofNoise);
    }
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Stream.of(parts).mapToInt(part -> part.length).sum());
    Stream.of(parts).forEach(all::put);
    return all.array();
  }

  /** A zstd frame: its header after the magic number, and its blocks. */
  private static byte[] frame(byte[] header, byte[]... blocks) {
    return join(bytes(0x28, 0xb5, 0x2f, 0xfd), header, join(blocks));
  }

  /** A block: 0 raw, 1 one byte that is repeated, 2 compressed. */
  private static byte[] block(int type, int size, boolean isLast, int... content) {
    int header = (isLast ? 1 : 0) | type << 1 | size << 3;
    return join(bytes(header, header >> 8, header >> 16), bytes(content));
  }

  private static byte[] skippable(int kind, int claimed, int length) {
    byte[] frame = new byte[8 + length];
    little(frame).putInt(0x184d2a50 + kind).putInt(claimed);
    return frame;
  }

  /** Bodies with 20 bytes of content, and others with none or with damage. */
  static Stream<byte[]> framesOfAllKinds() {
    byte[] last = block(1, 20, true, 7);
    byte[] single = frame(bytes(SINGLE_SEGMENT, 20), last);
    byte[] none = frame(bytes(SINGLE_SEGMENT, 0), block(0, 0, true));
    byte[] half = frame(bytes(SINGLE_SEGMENT, 10), block(1, 10, true, 7));
    byte[] raw = block(0, 3, false, 1, 2, 3);
    byte[] tree = block(2, 3, true, 3, 0, 0);
    List<byte[]> contents = new ArrayList<>();
    contents.addAll(List.of(single, none, half, new byte[0]));
    contents.addAll(List.of(join(half, half), join(half, none, half), join(half, half, half)));
    contents.add(join(skippable(0, 5, 5), single));
    contents.add(join(single, skippable(15, 0, 0)));
    contents.add(join(half, skippable(3, 2, 2), half));
    contents.add(join(single, skippable(3, 3, 2)));
    contents.add(join(single, skippable(3, -1, 2)));
    contents.add(join(skippable(3, 3, 3), skippable(3, 3, 3)));
    for (int length = 1; length < 9; length++) {
      contents.add(join(single, Arrays.copyOf(skippable(0, 0, 0), length)));
      contents.add(join(single, Arrays.copyOf(single, length)));
      contents.add(join(single, new byte[length]));
    }
    // Windows of all sizes.
    for (int size : new int[] {0, 1, 0x68, 0x69, 0x70, 0xa7, 0xa8, 0xaf, 0xff}) {
      contents.add(frame(bytes(0, size), last));
    }
    // Numbers of dictionaries, of one to four bytes.
    contents.add(frame(bytes(SINGLE_SEGMENT | 1, 0, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 1, 1, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 2, 0, 0, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 3, 0, 0, 0, 0, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 3, 0, 0, 0, 1, 20), last));
    // Sizes of the content, right and wrong.
    contents.add(frame(bytes(SINGLE_SEGMENT, 19), last));
    contents.add(frame(bytes(SINGLE_SEGMENT, 21), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 0x40, 20, 0), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 0x80, 20, 0, 0, 0), last));
    contents.add(frame(bytes(0x80, 0x60, 20, 0, 0, 0), last));
    contents.add(frame(bytes(0xc0, 0x60, 20, 0, 0, 0, 0, 0, 0, 0), last));
    contents.add(frame(bytes(0xc0, 0x60, 20, 0, 0, 0, 0, 0, 0, 0x80), last));
    contents.add(frame(bytes(0xc0, 0x60, -1, -1, -1, -1, -1, -1, -1, -1), last));
    contents.add(frame(bytes(0xe0, -1, -1, -1, -1, -1, -1, -1, -1), last));
    // Flags: reserved, unused, checksum.
    contents.add(frame(bytes(SINGLE_SEGMENT | 8, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 0x10, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 4, 20), last));
    contents.add(frame(bytes(SINGLE_SEGMENT | 4, 20), last, bytes(1, 2, 3, 4)));
    // Blocks.
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), raw, block(1, 17, true, 7)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), raw, block(1, 17, false, 7)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), raw, block(1, 18, true, 7)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), block(3, 20, true, 7)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), block(0, 21, true, new int[20])));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), block(1, (1 << 21) - 1, true, 7)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), block(2, 0, true)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), block(2, 1, true, 0)));
    // Literals by the tree of a block before, which is in another frame.
    byte[] plain = body(Serow.dumps(rows(300), Wire.ROW));
    byte[] withTree = EachLibrary.ZSTD_JNI.compressed(plain, 3);
    byte[] first = Arrays.copyOfRange(withTree, LENGTH, withTree.length);
    byte[] second = first.clone();
    int literals = 4 + 1 + 2 + 3;
    assertEquals(2, second[literals] & 3);
    second[literals] |= 1;
    Stream<byte[]> trees =
        Stream.of(claiming(plain.length, first), claiming(2L * plain.length, join(first, second)));
    contents.add(frame(bytes(SINGLE_SEGMENT, 20), tree));
    // Old formats.
    for (int version = 0x22; version < 0x28; version++) {
      byte[] old = single.clone();
      old[0] = (byte) version;
      contents.add(old);
    }
    contents.add(bytes(0x1e, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0, 0));
    return Stream.concat(
        trees,
        contents.stream()
            .flatMap(
                content -> Stream.of(0, 10, 19, 20, 21).map(length -> claiming(length, content))));
  }

  @ParameterizedTest
  @EnumSource(names = {"ZSTD_JNI", "AIRCOMPRESSOR_ZSTD"})
  void framesOfAllKindsAreReadAsByNativeCode(EachLibrary library) {
    byte[] message = Serow.dumps(rows(2), Wire.ROW);
    framesOfAllKinds()
        .forEach(
            body ->
                assertEquals(
                    nativeVerdict(message, 1, body),
                    verdict(library, body),
                    () -> HexFormat.of().formatHex(body)));
  }

  /** A few bytes that claim many, and hold as many or more. */
  @ParameterizedTest
  @EnumSource
  void bombsAreRefused(EachLibrary library) {
    byte[] packed = library.compressed(new byte[100 << 20], 1);
    long most = (packed.length - LENGTH) * 1024L + (64 << 20);
    byte[] content = Arrays.copyOfRange(packed, LENGTH, packed.length);
    boolean isZstd = library.number == 1;
    assertEquals(isZstd ? CLAIMS : null, verdict(library, packed));
    assertEquals(CLAIMS, verdict(library, claiming(most + 1, content)));
    assertEquals(isZstd ? DAMAGED : SHORTER, verdict(library, claiming(most, content)));
    assertEquals(DAMAGED, verdict(library, claiming(1 << 20, content)));
    // As much memory as Java has no array for.
    byte[] large = claiming(Integer.MAX_VALUE, new byte[2 << 20]);
    LimitException e =
        assertThrows(
            LimitException.class,
            () ->
                RowMessageReader.read(
                    withBody(packedMessage(), library.number, large), ReadOptions.of(null)));
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
    for (int at = 0; at < message.length; at++) {
      for (int flip : new int[] {1, 0x80, 0xff}) {
        byte[] lying = message.clone();
        lying[at] ^= (byte) flip;
        RowMessagesTest.isRead(lying);
        if (at >= HEADER) {
          RowMessagesTest.isRead(LyingContentTest.seal(lying));
        }
      }
    }
    for (int length = 0; length < message.length; length++) {
      RowMessagesTest.isRead(Arrays.copyOf(message, length));
    }
  }

  /** An error of a row has the offset of its frame, because its own is not in the message. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void errorsInRowsHaveTheirPlace(int number) {
    byte[] message = Serow.dumps(rows(300), Wire.ROW);
    byte[] plain = body(message);
    byte[] lying = plain.clone();
    Arrays.fill(lying, lying.length / 2, lying.length / 2 + 200, (byte) 0xff);
    for (EachLibrary library : libraries(number)) {
      byte[] packed = withBody(message, number, library.compressed(lying, 1));
      DecodeException expected =
          assertThrows(DecodeException.class, () -> readByNativeCode(packed));
      DecodeException actual =
          assertThrows(
              DecodeException.class, () -> RowMessageReader.read(packed, ReadOptions.of(null)));
      assertEquals(expected.row(), actual.row());
      assertEquals(expected.offset(), actual.offset());
      assertEquals(expected.getMessage(), actual.getMessage());
    }
  }
}
