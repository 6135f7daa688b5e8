package io.github.serow;

import static io.github.serow.RoundTripTest.row;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The attributes of errors: the row, the path, the offset, and the exception of the caller's code.
 */
class RowErrorsTest {
  /** A row between many other rows. */
  private static final int ROW = 2345;

  private static <T> List<T> among(T good, T bad) {
    List<T> rows = new ArrayList<>(Collections.nCopies(5000, good));
    rows.set(ROW, bad);
    return rows;
  }

  private static void assertAt(RowException e, Object... path) {
    assertEquals(OptionalLong.of(ROW), e.row());
    assertEquals(Optional.of(List.of(path)), e.path());
  }

  @Test
  void whatDoesNotFitHasARowAndAPath() {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, [{str: i64}])"));
    Object[] good = row(1L, List.of(Map.of("a", 1L)));
    Object[] bad = row(1L, List.of(Map.of(), Map.of("a", "b")));
    assertAt(
        assertThrows(EncodeException.class, () -> codec.encodeAll(among(good, bad))),
        1,
        1,
        "value 0");
    Object[] few = row(1L);
    EncodeException tooFew =
        assertThrows(EncodeException.class, () -> codec.encodeAll(among(good, few)));
    assertAt(tooFew);
    assertEquals(OptionalLong.empty(), tooFew.offset());

    EncodeException e =
        assertThrows(
            EncodeException.class,
            () -> Serow.dumps(among(row(1L, "a"), row(1L, new Object())), Wire.FRAME));
    assertAt(e, 1);
  }

  @Test
  void damageHasAnOffset() {
    byte[] message = Serow.dumps(List.of(row(1L, "a")), Wire.FRAME);
    message[message.length - 1] ^= 1;
    DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
    assertTrue(e.offset().isPresent(), e.getMessage());
    assertEquals(Optional.empty(), e.path());
    DecodeException none =
        assertThrows(DecodeException.class, () -> Serow.loads("not a message".getBytes()));
    assertEquals(OptionalLong.of(0), none.offset());
  }

  @Test
  void whatJavaCannotHoldHasARowAPathAndAnOffset() {
    byte[] message =
        Serow.dumps(among(row(1L, List.of(1L)), row(1L, List.of(7L, 3L << 40))), Wire.FRAME);
    record Small(long key, List<Integer> values) {}
    Codec<Object> plain = Codec.ofAny(Schema.of(Small.class));
    Codec<Small> codec = Codec.of(Small.class);
    List<String> names = List.of("key", "values");
    byte[] rows =
        plain.encodeAll(
            among(
                Row.of("Small", names, 1L, List.of()),
                Row.of("Small", names, 1L, List.of(7L, 3L << 40))));
    DecodeException e = assertThrows(DecodeException.class, () -> codec.decodeAll(rows));
    assertAt(e, "values", 1);
    assertTrue(e.offset().orElseThrow() > 0);
    assertTrue(e.offset().orElseThrow() < rows.length);

    assertEquals(5000, Serow.loads(message).size());
  }

  @Test
  void aBufferThatIsTooSmallTellsWhatIsNeeded() {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str)"));
    List<Object[]> rows = List.of(row(1L, "almond"), row(2L, "pecan"));
    BufferTooSmallException e =
        assertThrows(
            BufferTooSmallException.class,
            () -> codec.encodeAllInto(rows, java.nio.ByteBuffer.allocate(3)));
    assertEquals(codec.encodeAll(rows).length, e.needed());
  }

  /** A record whose accessor may fail. */
  public record Reads(long key, String text) {
    @Override
    public String text() {
      if (key < 0) {
        throw new UnsupportedOperationException("no text");
      }
      return text;
    }
  }

  @Test
  void whatAnAccessorThrowsHasARowAndAPath() {
    List<Reads> rows = among(new Reads(1, "a"), new Reads(-1, "a"));
    Codec<Reads> codec = Codec.of(Reads.class);
    EncodeException encoding = assertThrows(EncodeException.class, () -> codec.encodeAll(rows));
    assertAt(encoding, "text");
    assertInstanceOf(UnsupportedOperationException.class, encoding.getCause());

    for (Wire wire : Wire.values()) {
      EncodeException dumping = assertThrows(EncodeException.class, () -> Serow.dumps(rows, wire));
      assertAt(dumping, "text");
      assertInstanceOf(UnsupportedOperationException.class, dumping.getCause());
    }
    EncodeException inferring = assertThrows(EncodeException.class, () -> Schema.infer(rows));
    assertAt(inferring, "text");
    // If another row is replaced by a plain one, rows after it are replaced too.
    List<Object> mixed = new ArrayList<>(rows);
    mixed.set(ROW - 5, Optional.of(rows.get(0)));
    assertAt(assertThrows(EncodeException.class, () -> Serow.dumps(mixed, Wire.FRAME)), "text");
    List<Object[]> nested = new ArrayList<>();
    rows.forEach(it -> nested.add(row("x", List.of(it))));
    assertAt(
        assertThrows(EncodeException.class, () -> Serow.dumps(nested, Wire.FRAME)), 1, 0, "text");
  }

  private static final List<Object> MADE = new ArrayList<>();

  /** Counts its instances, and refuses some values. */
  record Part(long key, String name) {
    Part {
      MADE.add(key);
      if (key < 0) {
        RuntimeException refusal = new IllegalArgumentException("no such key");
        MADE.add(refusal);
        throw refusal;
      }
    }
  }

  /** Contains parts in a list. */
  record Box(String label, List<Part> parts, Optional<Part> best) {}

  /** The rows of a schema, written without these classes. */
  private static byte[] plain(Class<?> type, Wire wire, List<Object> rows) {
    Codec<Object> codec = Codec.ofAny(Schema.of(type)).withWire(wire);
    return codec.encodeAll(rows);
  }

  private static Row part(long key) {
    return Row.of("Part", List.of("key", "name"), key, "n" + key);
  }

  private static Row box(Object best, Row... parts) {
    return Row.of("Box", List.of("label", "parts", "best"), "b", Arrays.asList(parts), best);
  }

  private static DecodeException refusal(Class<?> type, byte[] message) {
    MADE.clear();
    Codec<?> codec = Codec.of(type);
    DecodeException e = assertThrows(DecodeException.class, () -> codec.decodeAll(message));
    assertSame(MADE.get(MADE.size() - 1), e.getCause(), "what was thrown first");
    return e;
  }

  @ParameterizedTest
  @EnumSource
  void constructorsRunOnceWhereOneRefuses(Wire wire) {
    byte[] message = plain(Part.class, wire, among(part(1), part(-1)));
    DecodeException e = refusal(Part.class, message);
    assertAt(e);
    assertEquals(ROW + 2, MADE.size());
    assertEquals(
        "frame 0, row 2345, (Part{key: i64, name: str?}): cannot make the object:"
            + " java.lang.IllegalArgumentException: no such key",
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void theObjectThatIsRefusedIsFound(int place) {
    Row good = box(part(5), part(1), part(2), part(3));
    Row[] parts = {part(1), part(2), part(3)};
    if (place < 3) {
      parts[place] = part(-1);
    }
    Row bad = box(place < 3 ? part(4) : part(-1), parts);
    byte[] message = plain(Box.class, Wire.FRAME, among(good, bad));
    DecodeException e = refusal(Box.class, message);
    if (place < 3) {
      assertAt(e, "parts", place);
      assertEquals(4 * ROW + place + 2, MADE.size());
    } else {
      assertAt(e, "best");
      assertEquals(4 * ROW + 5, MADE.size());
    }
  }

  /** A class whose builder refuses some values. */
  public static final class Built {
    private final long size;
    private final String text;
    private final List<Long> values;

    private Built(Builder builder) {
      size = builder.size;
      text = builder.text;
      values = builder.values;
    }

    static final class Builder {
      private long size;
      private String text;
      private List<Long> values;

      /** Counts the builders. */
      Builder() {
        MADE.add(this);
      }

      Builder size(long size) {
        this.size = size;
        return this;
      }

      /** Refuses the text {@code bad}. */
      Builder text(String text) {
        if ("bad".equals(text)) {
          RuntimeException refusal = new IllegalStateException("bad text");
          MADE.add(refusal);
          throw refusal;
        }
        this.text = text;
        return this;
      }

      Builder values(List<Long> values) {
        this.values = values;
        return this;
      }

      Built build() {
        return new Built(this);
      }
    }
  }

  /** Contains built objects in a list. */
  record Holder(List<Built> all) {}

  @Test
  void theMethodOfABuilderThatRefusesIsFound() {
    List<String> names = List.of("size", "text", "values");
    Row fine = Row.of("Built", names, 1L, "fine", List.of(1L));
    Row wrong = Row.of("Built", names, 1L, "bad", List.of(1L, 2L));
    Row good = Row.of("Holder", List.of("all"), List.of(fine, fine));
    Row bad = Row.of("Holder", List.of("all"), List.of(fine, wrong));
    DecodeException e = refusal(Holder.class, plain(Holder.class, Wire.FRAME, among(good, bad)));
    assertAt(e, "all", 1, "text");
    // Two new objects have shown which initial values they have.
    assertEquals(2 + 2 * ROW + 3, MADE.size());
  }

  /** Also in {@link WriterTest}. */
  static final String NO_ROWS =
      "rows must be a collection of rows, not null; to encode one row, use List.of(row)";

  @Test
  void nullIsNamedBeforeAnythingElse() {
    Codec<Object[]> codec = Codec.of(Schema.parse("(i64,)"));
    assertNull(NO_ROWS, () -> codec.encodeAll(null));
    assertNull(NO_ROWS, () -> codec.encodeAllInto(null, null));
    assertNull("buffer", () -> codec.encodeAllInto(List.of(), null));
    assertNull("buffer", () -> codec.encodeInto(row(1L), null));
    assertNull("bytes", () -> codec.decodeAll((byte[]) null));
    assertNull("bytes", () -> codec.decodeAll((java.nio.ByteBuffer) null));
    assertNull("bytes", () -> codec.decodeAll((byte[]) null));
    assertNull("bytes", () -> codec.decodeAll((java.nio.ByteBuffer) null));
    assertNull("wire", () -> codec.withWire(null));
    assertNull("schema", () -> Codec.of((Schema) null));
    assertNull("type", () -> Codec.of((Class<?>) null));
    assertNull(NO_ROWS, () -> Serow.dumps(null));
    assertNull("wire", () -> Serow.dumps(List.of(), null));
    assertNull("message", () -> Serow.loads((byte[]) null));
    assertNull(NO_ROWS, () -> Schema.infer(null));
    assertNull("text", () -> Schema.parse(null));
  }

  private static void assertNull(String name, org.junit.jupiter.api.function.Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }
}
