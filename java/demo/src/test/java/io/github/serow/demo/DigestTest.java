package io.github.serow.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares with the digests that Python computed of the same values, by the names of the cases. */
class DigestTest {

  private static Map<String, Object> cases() {
    Map<String, Object> cases = new LinkedHashMap<>();
    cases.put("none", null);
    cases.put("false", false);
    cases.put("true", true);
    cases.put("int 0", 0L);
    cases.put("int 1", 1L);
    cases.put("int -1", -1L);
    cases.put("int smallest", Long.MIN_VALUE);
    cases.put("int largest", Long.MAX_VALUE);
    cases.put("float 0", 0.0);
    cases.put("float -0", -0.0);
    cases.put("float 1", 1.0);
    cases.put("float infinity", Double.POSITIVE_INFINITY);
    cases.put("float nan", Double.NaN);
    cases.put("float nan with payload", Double.longBitsToDouble(0x7FF8000000000123L));
    cases.put("float nan negative", Double.longBitsToDouble(0xFFF8000000000000L));
    cases.put("float nan signalling", Double.longBitsToDouble(0x7FF0000000000001L));
    cases.put("str empty", "");
    cases.put("str zero byte", "\0");
    cases.put("str ascii", "serow");
    cases.put("str latin", "\u00e9");
    cases.put("str two bytes", "\u0436");
    cases.put("str three bytes", "\u7f9a");
    cases.put("str four bytes", "\ud83d\ude00");
    cases.put("str high surrogate", "\ud83d");
    cases.put("str low surrogate", "\ude00");
    cases.put("str surrogates in the wrong order", "\ude00\ud83d");
    cases.put("str high surrogate before four bytes", "\ud83d\ud83d\ude00");
    cases.put("str of one", "1");
    cases.put("tuple empty", new Object[] {});
    cases.put("list empty", List.of());
    cases.put("tuple of none", new Object[] {null});
    cases.put("tuple of bool, int, float, str", new Object[] {true, 1L, 1.0, "1"});
    cases.put("list of lists", List.of(List.of(1L), List.of(), List.of(List.of())));
    cases.put("tuple of tuples", new Object[] {new Object[] {1L, 2L}, 3L});
    cases.put("tuple with its split elsewhere", new Object[] {1L, new Object[] {2L, 3L}});
    cases.put("list in a tuple", new Object[] {1L, listOf(2L, null)});
    cases.put("dict empty", Map.of());
    Map<String, Object> two = new LinkedHashMap<>();
    two.put("b", 1L);
    two.put("a", null);
    cases.put("dict", two);
    cases.put("dict with keys beyond U+FFFF", Map.of("\ud83d\ude00", 1L, "\uff5e", 2L));
    cases.put("dict in a list", List.of(Map.of("a", Map.of("a", 1.0))));
    cases.put("date 0", LocalDate.EPOCH);
    cases.put("date first", LocalDate.of(1, 1, 1));
    cases.put("date last", LocalDate.of(9999, 12, 31));
    cases.put("decimal 0", BigDecimal.ZERO);
    cases.put("decimal 0.00", new BigDecimal("0.00"));
    cases.put("decimal -12.50", new BigDecimal("-12.50"));
    cases.put("decimal 1E+2", new BigDecimal("1E+2"));
    cases.put("decimal large", new BigDecimal("123456789012345678901234567890.12"));
    cases.put(
        "part",
        new Object[] {
          1L, "lace \u00e9", "Manufacturer#1", "Brand#13", "PROMO", 7L, "JUMBO", 901.0, ""
        });
    return cases;
  }

  /** A list that may contain null, unlike List.of. */
  private static List<Object> listOf(Object... values) {
    List<Object> list = new ArrayList<>();
    for (Object value : values) {
      list.add(value);
    }
    return list;
  }

  private static Map<String, String> vectors() throws IOException {
    Path file = Path.of(System.getProperty("demo.python.dir"), "tests", "digest_vectors.txt");
    Map<String, String> vectors = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] columns = line.split("\t");
      vectors.put(columns[0], columns[2]);
    }
    return vectors;
  }

  @TestFactory
  List<DynamicTest> everyValueHasTheDigestOfTheSharedVectors() throws IOException {
    Map<String, Object> cases = cases();
    List<DynamicTest> tests = new ArrayList<>();
    vectors()
        .forEach(
            (name, digest) ->
                tests.add(
                    DynamicTest.dynamicTest(
                        name, () -> assertEquals(digest, digest(listOf(cases.get(name)))))));
    return tests;
  }

  @Test
  void bothLanguagesHaveTheSameCases() throws IOException {
    assertEquals(new ArrayList<>(vectors().keySet()), new ArrayList<>(cases().keySet()));
  }

  @Test
  void anyIntegerTypeIsAnInt() {
    String expected = digest(List.of(5L));
    assertEquals(expected, digest(List.of(5)));
    assertEquals(expected, digest(List.of((short) 5)));
    assertEquals(expected, digest(List.of((byte) 5)));
  }

  @Test
  void longStreamsAreHashedWhole() {
    String text = "\u7f9a".repeat(100_000);
    List<Object> rows = new ArrayList<>();
    for (long i = 0; i < 20_000; i++) {
      rows.add(new Object[] {i, "\u00e9", true});
    }
    rows.add(text);
    // Computed by Python of [(i, "é", True) for i in range(20_000)] + ["羚" * 100_000].
    assertEquals("84e0aa062a3dfa0125c7ebee3450f94aaf1e422ef40410345d904b5f0eef586b", digest(rows));
  }

  @Test
  void valuesWithoutADigestAreAnError() {
    assertThrows(IllegalArgumentException.class, () -> Digest.of(List.of(1.0f)));
    assertThrows(IllegalArgumentException.class, () -> Digest.of(List.of(Map.of(1L, 2L))));
  }

  private static String digest(List<?> rows) {
    return HexFormat.of().formatHex(Digest.of(rows));
  }
}
