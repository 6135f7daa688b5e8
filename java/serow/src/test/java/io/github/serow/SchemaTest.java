package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
  @Test
  void textAndTypeListSpellTheSame() {
    Schema schema = Schema.parse("[i64, (f64, str)]");
    assertArrayEquals(new int[] {4, 1, 5, 2, 3, 7, 6}, schema.typeList());
    assertEquals(schema, Schema.parse("4 1 5 2 3 7 6"));
    assertEquals("[i64, (f64, str)]", schema.toString());
    assertEquals(schema.hashCode(), Schema.parse("[ i64,(f64,str) ]").hashCode());
    assertEquals(schema.fingerprint(), Schema.parse("[i64, (f64, str)]").fingerprint());
    assertNotEquals(schema.fingerprint(), Schema.parse("(i64, (f64, str))").fingerprint());
    assertNotEquals(schema, Schema.parse("(i64, (f64, str))"));
  }

  @Test
  void theTypeListIsACopy() {
    Schema schema = Schema.parse("(i64,)");
    schema.typeList()[0] = 4;
    assertEquals("(i64,)", schema.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i64",
        "f64",
        "str",
        "bool",
        "null",
        "never",
        "i64?",
        "[i64]",
        "(i64, ...)",
        "[i64,]",
        "(i64,)",
        "()",
        "[]",
        "i64|str",
        "(i64|str)?",
        "[(i64, [str?])?]",
        "(str,)|(i64, str, f64)"
      })
  void textIsReadBackAsItIsWritten(String text) {
    assertEquals(text, Schema.parse(text).toString());
    assertEquals(Schema.parse(text), new Schema(Schema.parse(text).typeList()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "i65",
        "(i64",
        "(i64, str",
        "[i64]]",
        "i64 str",
        "i64|",
        "(i64,, str)",
        "?",
        "[i64]|[str]",
        "1 2",
        "4 1",
        "99",
        "1 x",
        "\u00fc",
        "(i64, \ud800)"
      })
  void mistakesAreSchemaExceptions(String text) {
    assertThrows(SchemaException.class, () -> Schema.parse(text));
  }

  @Test
  void aMistakeIsPointedAt() {
    SchemaException e =
        assertThrows(SchemaException.class, () -> Schema.parse("(i64, string, f64)"));
    String[] lines = e.getMessage().split("\n");
    assertTrue(lines[0].contains("column 7"), e.getMessage());
    assertEquals(lines[1].indexOf("string"), lines[2].indexOf('^'), e.getMessage());
  }

  @Test
  void tooDeepIsALimit() {
    assertThrows(LimitException.class, () -> Schema.parse("[".repeat(65) + "i64" + "]".repeat(65)));
    Schema.parse("[".repeat(64) + "i64" + "]".repeat(64));
  }

  @Test
  void inferJoinsAllRows() {
    assertEquals("never", Schema.infer(List.of()).toString());
    assertEquals("(i64, str)", Schema.infer(list(tuple(1, "a"))).toString());
    assertEquals("i64|f64|str|bool", Schema.infer(List.of("a", 1.0, 1L, true)).toString());
    assertEquals("[[f64]]", Schema.infer(List.of(List.of(), List.of(List.of(1.0)))).toString());
  }

  @Test
  void nullsAreNullPointers() {
    assertThrows(NullPointerException.class, () -> Schema.parse(null));
    assertThrows(NullPointerException.class, () -> Schema.infer(null));
    assertThrows(NullPointerException.class, () -> Serow.dumps(null));
    assertThrows(NullPointerException.class, () -> Serow.loads((byte[]) null));
    assertThrows(NullPointerException.class, () -> Codec.of((Schema) null));
  }
}
