package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages that all languages read; {@code tests/golden/README.md} describes the files. */
class GoldenTest {
  private static final Path FOLDER = Path.of(System.getProperty("serow.golden.dir"));

  static List<Path> messages() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".srow")).sorted().toList();
    }
  }

  @Test
  void thereAreMessages() throws IOException {
    assertTrue(messages().size() >= 30, messages().toString());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void decodesToItsRowsAndIsWhatTheyEncodeTo(Path file) throws IOException {
    String[] name = file.getFileName().toString().split("\\.");
    List<String> lines = lines(file);
    byte[] message = Files.readAllBytes(file);
    List<Object> rows;
    try {
      rows = rows(lines.subList(1, lines.size()));
    } catch (PartsText.NotInJava e) {
      DecodeException error = assertThrows(DecodeException.class, () -> Serow.loads(message));
      assertTrue(error.getMessage().contains("cannot decode"), error.getMessage());
      return;
    }
    Same.assertSame(rows, Serow.loads(message));
    Schema schema = Schema.parse(lines.get(0).substring("schema ".length()));
    Same.assertSame(rows, StreamsTest.read(StreamReader.ofAny(), message));
    assertEquals(isDeclared(file), !schema.equals(Schema.infer(rows)));
    byte[] encoded = isDeclared(file) ? ofDeclared(file, rows, name[1]) : encoded(rows, name[1]);
    if (name[1].endsWith("-stream")) {
      assertArrayEquals(StreamsTest.unsalted(message), StreamsTest.unsalted(encoded));
    } else {
      assertArrayEquals(message, encoded);
    }
  }

  /** Whether a caller has declared the schema of the rows, because it can't be inferred. */
  static boolean isDeclared(Path file) {
    return file.getFileName().toString().startsWith("sizes.");
  }

  private static byte[] ofDeclared(Path file, List<Object> rows, String wire) throws IOException {
    Schema schema = Schema.parse(lines(file).get(0).substring("schema ".length()));
    Codec<Object> codec = Codec.ofAny(schema).withWire(Wire.valueOf(wire.toUpperCase(Locale.ROOT)));
    return codec.encodeAll(rows);
  }

  /** The rows of a message of the row wire as such a message. */
  static byte[] inRowWire(Path file, List<Object> rows) throws IOException {
    return isDeclared(file) ? ofDeclared(file, rows, "row") : Serow.dumps(rows, Wire.ROW);
  }

  /**
   * Encodes rows as {@code tests/golden/make.py} does.
   *
   * @param format "default", or a wire, perhaps a compression, and perhaps "stream"
   */
  private static byte[] encoded(List<Object> rows, String format) throws IOException {
    if (format.equals("default")) {
      return Serow.dumps(rows);
    }
    List<String> words = Arrays.asList(format.split("-"));
    Wire wire = Wire.valueOf(words.get(0).toUpperCase(Locale.ROOT));
    Compression compression =
        words.contains("zstd")
            ? Compression.zstd()
            : words.contains("lz4") ? Compression.lz4() : Compression.none();
    if (!words.contains("stream")) {
      return Serow.options().withWire(wire).withCompression(compression).dumps(rows);
    }
    return StreamsTest.written(
        StreamWriter.ofAny().withWire(wire).withCompression(compression), rows, 20);
  }

  static List<Path> records() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".records")).sorted().toList();
    }
  }

  @Test
  void thereAreRecords() throws IOException {
    assertTrue(records().size() >= 30, records().toString());
  }

  @ParameterizedTest
  @MethodSource("records")
  void recordsDecodeToTheirRowsAndAreWhatTheseEncodeTo(Path file) throws IOException {
    List<String> lines = lines(file);
    ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    Schema schema = Schema.parse(lines.get(0).substring("schema ".length()));
    List<Object> expected = new ArrayList<>();
    List<Object> decoded = new ArrayList<>();
    Codec<Object> codec = Codec.ofAny(schema);
    for (String line : lines.subList(1, lines.size())) {
      List<Object> rows;
      try {
        rows = rows(List.of(line));
      } catch (PartsText.NotInJava e) {
        rows = null;
      }
      int times = rows != null ? rows.size() : 1;
      for (int i = 0; i < times; i++) {
        byte[] record = new byte[records.getInt()];
        records.get(record);
        if (rows == null) {
          DecodeException error = assertThrows(DecodeException.class, () -> codec.decode(record));
          assertTrue(error.getMessage().contains("cannot decode"), error.getMessage());
        } else {
          expected.add(rows.get(i));
          decoded.add(codec.decode(record));
          assertArrayEquals(record, codec.withoutSchemaAndChecksum().encode(rows.get(i)));
        }
      }
    }

    Same.assertSame(expected, decoded);
    assertEquals(0, records.remaining());
  }

  /** The lines with the schema and the rows of a message. */
  private static List<String> lines(Path file) throws IOException {
    String name = file.getFileName().toString().split("\\.")[0];
    List<String> lines = Files.readAllLines(FOLDER.resolve(name + ".rows"));
    lines.removeIf(line -> line.startsWith("# "));
    return lines;
  }

  /**
   * The rows of a message.
   *
   * @throws PartsText.NotInJava if Java has no such rows
   */
  static List<Object> rows(Path file) throws IOException {
    List<String> lines = lines(file);
    return rows(lines.subList(1, lines.size()));
  }

  private static List<Object> rows(List<String> lines) {
    List<Object> rows = new ArrayList<>();
    for (String line : lines) {
      Iterator<String> words = Arrays.asList(line.split(" ")).iterator();
      int times = line.startsWith("x") ? Integer.parseInt(words.next().substring(1)) : 1;
      Object row = value(words);
      for (int i = 0; i < times; i++) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static Object value(Iterator<String> words) {
    String word = words.next();
    String rest = word.substring(1);
    return switch (word.charAt(0)) {
      case 'n' -> null;
      case 'b' -> rest.equals("1");
      case 'i' -> Long.parseLong(rest);
      case 'f' -> Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(rest));
      case 's' -> text(HexFormat.of().parseHex(rest));
      case 'l' -> new ArrayList<>(Arrays.asList(values(words, rest)));
      case 't' -> values(words, rest);
      case 'c' -> PartsText.read(Integer.parseInt(rest), words);
      case 'S' -> new LinkedHashSet<>(Arrays.asList(values(words, rest)));
      case 'F' -> FrozenSet.copyOf(Arrays.asList(values(words, rest)));
      case 'm', 'd' -> map(words, Integer.parseInt(rest));
      case 'r' -> row(words, Integer.parseInt(rest));
      case 'e' -> member(words, Integer.parseInt(rest));
      case 'E' -> memberWithValue(words, Integer.parseInt(rest));
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static Object[] values(Iterator<String> words, String count) {
    Object[] values = new Object[Integer.parseInt(count)];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(words);
    }
    return values;
  }

  private static Map<Object, Object> map(Iterator<String> words, int count) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(value(words), value(words));
    }
    return map;
  }

  private static Row row(Iterator<String> words, int count) {
    String name = (String) value(words);
    List<String> fields = new ArrayList<>();
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      fields.add((String) value(words));
      values[i] = value(words);
    }
    return Row.of(name, fields, values);
  }

  private static EnumMember member(Iterator<String> words, int index) {
    String type = (String) value(words);
    List<String> members = new ArrayList<>();
    for (int count = Integer.parseInt(words.next()); count > 0; count--) {
      members.add((String) value(words));
    }
    return EnumMember.of(type, members, members.get(index));
  }

  private static EnumMember memberWithValue(Iterator<String> words, int index) {
    String type = (String) value(words);
    Map<String, Object> members = new LinkedHashMap<>();
    for (int count = Integer.parseInt(words.next()); count > 0; count--) {
      members.put((String) value(words), value(words));
    }
    return EnumMember.of(type, members, List.copyOf(members.keySet()).get(index));
  }

  /** Generalised UTF-8, implemented here because the JDK's charset lacks lone surrogates. */
  private static String text(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; ) {
      int lead = bytes[i++] & 0xff;
      int tails = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
      int c = tails == 0 ? lead : lead & (0x3f >> tails);
      for (; tails > 0; tails--) {
        c = c << 6 | bytes[i++] & 0x3f;
      }
      text.appendCodePoint(c);
    }
    return text.toString();
  }
}
