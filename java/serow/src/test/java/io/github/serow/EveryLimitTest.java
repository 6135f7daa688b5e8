package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is just beyond each limit; {@code tests/limits/README.md} describes the cases. */
class EveryLimitTest {
  private static final Path FILE =
      Path.of(System.getProperty("serow.golden.dir")).resolve("../limits/messages.txt");

  /** Messages of more bytes are read once, since they take long. */
  private static final int LARGE = 10_000_000;

  /** Something just beyond a limit, and its error: the kind and the text. */
  record Case(String limit, String error, String rows, boolean isStream, byte[] message) {
    static Case of(String lines) {
      Map<String, String> words = new LinkedHashMap<>();
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      for (String line : lines.split("\n")) {
        String[] parts = line.split(" ", 2);
        if (Character.isDigit(parts[0].charAt(0))) {
          byte[] bytes = HexFormat.of().parseHex(parts[1]);
          for (int i = Integer.parseInt(parts[0]); i > 0; i--) {
            message.writeBytes(bytes);
          }
        } else {
          words.put(parts[0], parts[1]);
        }
      }
      return new Case(
          words.get("limit"),
          words.get("error"),
          words.get("rows"),
          words.containsKey("door"),
          message.toByteArray());
    }

    @Override
    public String toString() {
      return rows == null ? limit : rows;
    }
  }

  static List<Case> cases() throws IOException {
    List<Case> cases =
        Arrays.stream(Files.readString(FILE).strip().split("\n\n")).map(Case::of).toList();
    assertTrue(cases.size() >= 23, cases.toString());
    return cases;
  }

  static List<Case> messages() throws IOException {
    return cases().stream().filter(one -> one.rows() == null).toList();
  }

  private static String said(Executable call) {
    SerowException error = assertThrows(SerowException.class, call);
    return error.getClass().getSimpleName().replace("Exception", "") + " " + error.getMessage();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void readersRefuseTheMessage(Case one) {
    byte[] message = one.message();
    if (message.length < LARGE) {
      Executable stream =
          () -> StreamReader.ofAny().from(new ByteArrayInputStream(message)).forEach(row -> {});
      assertEquals(one.error(), said(stream));
    }
    if (!one.isStream()) {
      assertEquals(one.error(), said(() -> Serow.loads(message)));
    }
  }

  /** Returns the row just beyond a limit. */
  private static Object beyond(String name) {
    Object one = 1L;
    switch (name) {
      case "nested":
        for (int i = 0; i < 65; i++) {
          one = new ArrayList<>(List.of(one));
        }
        return one;
      case "shared":
        one = new ArrayList<>(List.of(one));
        for (int i = 0; i < 40; i++) {
          one = new ArrayList<>(List.of(one, one));
        }
        return one;
      case "nulls":
        return new Object[] {Collections.nCopies(3_145_729, null)};
      case "digits":
        return BigInteger.ONE.shiftLeft(8 * 415_242 - 1);
      case "name":
        return Map.of("a".repeat(1 << 20), one);
      case "keys":
        return keys("d", 9, keys("k", 4_000, one));
      default:
        throw new AssertionError(name);
    }
  }

  private static Map<String, Object> keys(String prefix, int count, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(prefix + i, value);
    }
    return map;
  }

  @ParameterizedTest
  @EnumSource
  void writersRefuseTheRows(Wire wire) throws IOException {
    for (Case one : cases()) {
      // That row takes seconds, before any wire matters.
      boolean isTried = wire == Wire.ROW || !"shared".equals(one.rows());
      if (one.rows() != null && isTried) {
        List<Object> rows = List.of(beyond(one.rows()));
        assertEquals(one.error(), said(() -> Serow.dumps(rows, wire)), one.toString());
      }
    }
  }
}
