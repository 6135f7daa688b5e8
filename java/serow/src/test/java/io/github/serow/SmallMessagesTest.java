package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages without a named wire are on the row wire if they are small. */
@Tag("once")
class SmallMessagesTest {
  private static final int MOST_BYTES = 16_384;
  private static final int MOST_ROWS = 128;

  /** Encodes rows without naming a wire, checks the rule, and returns the wire. */
  private static Wire chosen(List<?> rows) {
    byte[] message = Serow.dumps(rows);
    byte[] onRows = Serow.dumps(rows, Wire.ROW);
    boolean isSmall = rows.size() <= MOST_ROWS && onRows.length <= MOST_BYTES;
    assertArrayEquals(isSmall ? onRows : Serow.dumps(rows, Wire.FRAME), message);
    assertEquals(isSmall ? 0 : 1, message[8]);
    Same.assertSame(Serow.loads(onRows), Serow.loads(message));
    return isSmall ? Wire.ROW : Wire.FRAME;
  }

  @Test
  void aSmallMessageHasFewRows() {
    assertEquals(Wire.ROW, chosen(List.of()));
    assertEquals(Wire.ROW, chosen(Collections.nCopies(MOST_ROWS, 7L)));
    assertEquals(Wire.FRAME, chosen(Collections.nCopies(MOST_ROWS + 1, 7L)));
  }

  /** Adds a string, so that the message takes {@code length} bytes on the row wire. */
  private static List<Object> toLength(List<?> rows, int length) {
    List<Object> padded = new ArrayList<>(rows);
    padded.add("");
    int size = length;
    for (int i = 0; i < 8; i++) {
      padded.set(rows.size(), "x".repeat(Math.max(0, size)));
      size += length - Serow.dumps(padded, Wire.ROW).length;
    }
    return padded;
  }

  static List<List<?>> fewRows() {
    Object[] tuple = {1L, "é", null};
    return List.of(
        List.of(),
        List.of(1L, 2.5),
        Arrays.asList(tuple, null, tuple),
        List.of(Map.of("a", 1L), Map.of("b", List.of(2L))),
        // Integers are replaced by plain rows.
        List.of(1, (short) 2, new int[] {3, 4}),
        Collections.nCopies(100, "ü".repeat(70)));
  }

  @ParameterizedTest
  @MethodSource("fewRows")
  void aSmallMessageHasFewBytes(List<?> rows) {
    for (int length = MOST_BYTES - 1; length <= MOST_BYTES + 1; length++) {
      List<Object> padded = toLength(rows, length);
      assertEquals(length, Serow.dumps(padded, Wire.ROW).length);
      assertEquals(length <= MOST_BYTES ? Wire.ROW : Wire.FRAME, chosen(padded));
    }
  }

  static List<Object> largeRows() {
    return List.of(
        "x".repeat(5_000_000),
        "é".repeat(3_000_000),
        new double[100_000],
        new long[1_000_000],
        Collections.nCopies(100_000, "a"),
        Collections.nCopies(5_000, Collections.nCopies(10, 1L)),
        new byte[100_000],
        Map.of("a", Map.of("b", "x".repeat(20_000))));
  }

  @ParameterizedTest
  @MethodSource("largeRows")
  void oneLargeRowIsInAFrame(Object row) {
    assertEquals(Wire.FRAME, chosen(List.of(row)));
    assertEquals(Wire.FRAME, chosen(List.of(1L, row, 2L)));
    // The memory for the attempt is as good as new.
    assertEquals(Wire.ROW, chosen(List.of(1L, "a")));
  }

  /** More memory is reserved for such rows than they take. */
  @ParameterizedTest
  @ValueSource(ints = {100, 10_000, 16_000})
  void reservedBytesDoNotCount(int elements) {
    Object[] wide = IntStream.range(0, 40).mapToObj(i -> (Object) (long) i).toArray();
    List<Object> optional = new ArrayList<>(Collections.nCopies(elements, null));
    optional.set(0, wide);
    assertEquals(Wire.ROW, chosen(List.of(optional)));
    assertEquals(Wire.ROW, chosen(List.of(Collections.nCopies(elements, null))));
  }

  @Test
  void rowsThatDoNotFitALargeTypeMayBeSmall() {
    // The sample has rows 0 to 31 and every third row from 32 on. A row of numbers takes 160 bytes
    // at least, and a null takes none.
    Object[] numbers = new Object[160];
    Arrays.fill(numbers, 1L);
    List<Object> rows = new ArrayList<>(Collections.nCopies(100, numbers));
    assertEquals(Wire.FRAME, chosen(rows));
    for (int row = 33; row < 100; row++) {
      if (row % 3 != 2) {
        rows.set(row, null);
      }
    }
    assertEquals(Wire.ROW, chosen(rows));
    rows.add("x");
    assertEquals(Wire.ROW, chosen(rows));
    rows.add(new Object());
    assertThrows(EncodeException.class, () -> Serow.dumps(rows));
    Object[] floats = new Object[20];
    Arrays.fill(floats, 0.5);
    assertEquals(Wire.ROW, chosen(Collections.nCopies(99, floats)));
    assertEquals(Wire.FRAME, chosen(Collections.nCopies(100, floats)));
  }

  @Test
  void aRowBeyondALimitIsTheFrameWiresError() {
    List<Object> rows = List.of(Collections.nCopies(5_000_000, null));
    LimitException e = assertThrows(LimitException.class, () -> Serow.dumps(rows));
    LimitException framed = assertThrows(LimitException.class, () -> Serow.dumps(rows, Wire.FRAME));
    assertEquals(framed.getMessage(), e.getMessage());
  }

  @Test
  void misfitsAreTheSameErrors() {
    List<Object> rows = new ArrayList<>(Collections.nCopies(100, 1L));
    rows.add(new Object());
    EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(rows));
    EncodeException framed =
        assertThrows(EncodeException.class, () -> Serow.dumps(rows, Wire.FRAME));
    assertEquals(framed.getMessage(), e.getMessage());
    assertEquals(100, e.row().orElse(-1));
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return new RandomRowsTest().mixedRows();
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsNearTheBorder(
      @ForAll("mixedRows") List<Object> rows,
      @ForAll @IntRange(min = 1, max = 40) int times,
      @ForAll @IntRange(min = MOST_BYTES - 3, max = MOST_BYTES + 3) int length) {
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < times && many.size() < MOST_ROWS; i++) {
      many.addAll(rows);
    }
    chosen(many);
    if (Serow.dumps(many, Wire.ROW).length < MOST_BYTES - 100) {
      chosen(toLength(many, length));
    }
  }
}
