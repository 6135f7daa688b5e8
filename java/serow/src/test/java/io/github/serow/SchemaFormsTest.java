package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.types.Shape;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.types.TypeForms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The schemas and errors that Rust has for some texts, and the types that others join to; {@code
 * crates/core/tests/schema_forms.rs} writes the files.
 */
class SchemaFormsTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("serow.golden.dir")).resolveSibling("schemas");

  private static List<String> entries(String file) throws IOException {
    String text = Files.readString(FOLDER.resolve(file));
    return Arrays.stream(text.split("(?m)^== ")).skip(1).toList();
  }

  static List<String> forms() throws IOException {
    return entries("forms.txt");
  }

  static List<String> joins() throws IOException {
    return entries("joins.txt");
  }

  @Test
  void namesOfAnyCharactersComeBackFromTheText() {
    Random random = new Random(45);
    List<String> names =
        new ArrayList<>(
            List.of("", "enum", "frozenset", "i64", "7S", "7", "-1", "٣", "²", "Ⅷ", "_"));
    int[] limits = {0x30, 0x80, 0x100, 0x3000, 0x10000, 0x110000};
    for (int i = 0; i < 2_000; i++) {
      int limit = limits[i % limits.length];
      int[] characters =
          random
              .ints(random.nextInt(4), 0, limit)
              .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
              .toArray();
      names.add(new String(characters, 0, characters.length));
    }
    for (String name : names) {
      Type i64 = Type.plain(TypeCodes.I64);
      List<Type> types =
          List.of(
              Type.struct(name, List.of("a"), new BitSet(), List.of(i64)),
              Type.struct("R", List.of(name), new BitSet(), List.of(i64)),
              Type.struct(null, List.of(name), new BitSet(), List.of(i64)),
              Type.enumeration(name, List.of("A"), List.of()),
              Type.enumeration("E", List.of(name), List.of(name)),
              Type.enumeration("E", List.of(name), List.of(-7L)));
      for (Type type : types) {
        comesBack(type);
        comesBack(Type.optional(type));
        comesBack(Type.of(TypeCodes.TUPLE_BEGIN, List.of(type)));
        comesBack(Type.of(TypeCodes.MAP, List.of(i64, type)));
        comesBack(Type.struct(name, List.of(name), new BitSet(), List.of(type)));
        if (type.code() != TypeCodes.DICT_BEGIN) {
          comesBack(Type.of(TypeCodes.SET, List.of(type)));
          comesBack(Type.of(TypeCodes.MAP, List.of(type, i64)));
        }
      }
    }
  }

  private static void comesBack(Type type) {
    int[] list = TypeForms.ofTree(type);
    String text = TypeForms.text(list);
    assertArrayEquals(list, TypeForms.ofText(text), text);
  }

  @Test
  void thereAreEntries() throws IOException {
    assertTrue(forms().size() >= 300);
    assertTrue(joins().size() >= 300);
  }

  @ParameterizedTest
  @MethodSource("joins")
  void javaJoinsTypesAsRustDoes(String entry) {
    List<String> lines = new ArrayList<>(Arrays.asList(entry.split("\n")));
    String expected = lines.remove(lines.size() - 1).substring("= ".length());
    List<Shape> shapes =
        lines.stream()
            .map(text -> Shape.of(TypeForms.tree(Schema.parse(text).typeList())))
            .toList();
    Shape joined = Shape.NEVER;
    for (Shape shape : shapes) {
      joined = joined.join(shape);
    }
    String actual;
    try {
      actual = TypeForms.text(TypeForms.ofTree(joined.type()));
    } catch (SerowException e) {
      actual = "error: " + e.getMessage();
    }
    assertEquals(expected, actual);
    for (Shape shape : shapes) {
      assertEquals(joined, joined.join(shape), "the shape has these types already");
    }
  }

  static List<String> dicts() throws IOException {
    return entries("dicts.txt");
  }

  @ParameterizedTest
  @MethodSource("dicts")
  void dictsAreMapsAsInRust(String entry) {
    String[] lines = entry.split("\n");
    Shape atOnce = Shape.NEVER;
    Shape oneByOne = Shape.NEVER;
    int[] numbers = Arrays.stream(lines[0].split("\\D+")).mapToInt(Integer::parseInt).toArray();
    for (int dict = 0; dict < numbers[0]; dict++) {
      Shape shape = dict(dict, numbers[1], numbers[2], numbers[3]);
      atOnce = atOnce.join(shape);
      oneByOne = oneByOne.join(shape).settle(true);
    }
    assertEquals(lines[1], "= " + brief(atOnce));
    assertEquals(lines[2], "one by one " + brief(oneByOne));
  }

  private static Shape dict(int dict, int fixed, int some, int others) {
    List<String> names = new ArrayList<>();
    List<Shape> values = new ArrayList<>();
    for (int key = 0; key < fixed; key++) {
      names.add("fixed" + key);
      values.add(Shape.scalar(TypeCodes.I64));
    }
    for (int n = dict * some; n < (dict + 1) * some; n++) {
      names.add("other" + n % others);
      values.add(Shape.scalar(n % 2 == 0 ? TypeCodes.I64 : TypeCodes.F64));
    }
    return Shape.dict(names, values);
  }

  /** Shows a map's type, and how many keys a struct has. */
  private static String brief(Shape shape) {
    Type type = shape.type();
    return type.code() == TypeCodes.DICT_BEGIN
        ? type.names().size() + " keys, " + type.maybe().cardinality() + " of them optional"
        : TypeForms.text(TypeForms.ofTree(type));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void javaHasTheSchemasAndErrorsOfRust(String entry) {
    List<String> lines = new ArrayList<>(Arrays.asList(entry.split("\n")));
    String text = lines.remove(0).replace('¶', '\n').replace('⇥', '\t');
    if (lines.get(0).startsWith("error ")) {
      SerowException e = assertThrows(SerowException.class, () -> Schema.parse(text));
      boolean isLimit = lines.remove(0).equals("error Limit");
      assertEquals(isLimit ? LimitException.class : SchemaException.class, e.getClass());
      assertEquals(
          lines.stream().map(line -> line.substring(2)).collect(Collectors.joining("\n")),
          e.getMessage());
      return;
    }
    Schema schema = Schema.parse(text);
    assertEquals(lines.get(0).substring("text ".length()), schema.toString());
    int[] list = schema.typeList();
    assertEquals(
        lines.get(1),
        IntStream.of(list)
            .mapToObj(Integer::toUnsignedString)
            .collect(Collectors.joining(" ", "list ", "")));
    assertEquals(lines.get(2), "hash " + HexFormat.of().toHexDigits(schema.fingerprint()));
    assertEquals(schema, Schema.parse(schema.toString()));
    assertArrayEquals(list, TypeForms.canonical(list));
    assertArrayEquals(list, TypeForms.ofBytes(TypeForms.bytes(list)));
  }

  @Test
  void aLoneSurrogateIsPointedAt() {
    SchemaException e =
        assertThrows(SchemaException.class, () -> Schema.parse("{\"a\ud800\": i64}"));
    assertTrue(e.getMessage().startsWith("schema, column 4: a lone surrogate"), e.getMessage());
  }

  @Test
  void damagedBytesAreDecodeExceptions() {
    byte[][] damaged = {
      {}, {2}, {0}, {0, 1, 0, 0, 0, 0, 0, 0, -1}, {0, -1, -1, -1, -1, -1, -1, -1, -1}, {9, 3}, {9}
    };
    for (byte[] bytes : damaged) {
      DecodeException e = assertThrows(DecodeException.class, () -> TypeForms.ofBytes(bytes));
      assertTrue(e.getMessage().startsWith("the frame's schema is damaged: "), e.getMessage());
    }
    byte[] union = TypeForms.bytes(new int[] {13, 3, 1, 14});
    DecodeException e = assertThrows(DecodeException.class, () -> TypeForms.ofBytes(union));
    assertEquals(
        "the frame's schema is damaged: its type list is not canonical (it means i64|str)",
        e.getMessage());
    // The same number in more bytes.
    assertThrows(DecodeException.class, () -> TypeForms.ofBytes(new byte[] {6, 0}));
  }
}
