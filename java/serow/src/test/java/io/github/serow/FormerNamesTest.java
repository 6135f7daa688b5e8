package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that have the former names of classes, properties and constants. */
class FormerNamesTest {
  @Name("Colour")
  enum OldColor {
    ROT,
    BLAU
  }

  record Addr(String street) {}

  record Account(long id, String login, Addr addr, Map<String, Addr> more, OldColor color) {}

  private static final Account OLD =
      new Account(7, "ann", new Addr("x"), Map.of("a", new Addr("y")), OldColor.BLAU);

  @Name(was = "Colour")
  enum Color {
    GREEN,
    @Name(value = "blue", was = "BLAU")
    BLUE,
    @Name(was = {"RED", "ROT"})
    CRIMSON
  }

  @Name(
      value = "Address",
      was = {"Location", "Addr"})
  record PostalAddress(@Name(was = "street") String line) {}

  record User(
      Color color,
      @Name(
              value = "user",
              was = {"nick", "login"})
          String username,
      long id,
      PostalAddress addr,
      Map<String, PostalAddress> more) {}

  private static final User NEW =
      new User(Color.BLUE, "ann", 7, new PostalAddress("x"), Map.of("a", new PostalAddress("y")));

  @ParameterizedTest
  @EnumSource(Wire.class)
  void rowsOfFormerNamesAreRead(Wire wire) throws Exception {
    Codec<Account> old = Codec.of(Account.class).withWire(wire).withoutSchemaAndChecksum();
    Codec<User> codec = Codec.of(User.class).withWire(wire).withoutSchemaAndChecksum();
    assertTrue(codec.schema().toString().contains("Address{line: str?}"));
    assertTrue(codec.schema().toString().contains("{GREEN, blue, CRIMSON}"));
    for (int rows : new int[] {1, 5000}) {
      byte[] message = old.encodeAll(Collections.nCopies(rows, OLD));
      List<User> expected = Collections.nCopies(rows, NEW);
      assertEquals(expected, codec.decodeAll(message));
      List<User> read = new ArrayList<>();
      try (StreamReader<User> reader =
          StreamReader.of(User.class).from(new ByteArrayInputStream(message))) {
        reader.forEach(read::add);
      }
      assertEquals(expected, read);
    }
  }

  @Test
  void recordsOfFormerNamesAreRead() {
    Codec<Account> old = Codec.of(Account.class).withoutSchemaAndChecksum();
    Codec<User> codec =
        Codec.of(User.class).withSchemas(new SchemaSet().add(Schema.of(Account.class)));
    assertEquals(NEW, codec.decode(old.encode(OLD)));
  }

  /** A bean without a getter, whose field is a property because it has a name. */
  public static final class Bean {
    @Name(was = {"b", "a"})
    private long x = 5;
  }

  @Test
  void thePresentNameComesFirstThenTheOrderOfTheFormerOnes() {
    record All(long a, long b, long x) {}
    record Two(long a, long b) {}
    record Last(long a) {}
    record None(long c) {}
    Codec<Bean> codec = Codec.of(Bean.class).withoutSchemaAndChecksum();
    assertEquals("Bean{x: i64}", codec.schema().toString());
    assertEquals(3, codec.decodeAll(Serow.dumps(List.of(new All(1, 2, 3)))).get(0).x);
    assertEquals(2, codec.decodeAll(Serow.dumps(List.of(new Two(1, 2)))).get(0).x);
    assertEquals(1, codec.decodeAll(Serow.dumps(List.of(new Last(1)))).get(0).x);
    assertEquals(5, codec.decodeAll(Serow.dumps(List.of(new None(1)))).get(0).x);
  }

  sealed interface Shape permits Disc, Box {}

  @Name(was = "Circle")
  record Disc(long r) implements Shape {}

  @Name(was = "Rect")
  record Box(@Name(was = "r") long w) implements Shape {}

  record Shapes(List<Shape> all) {}

  sealed interface OldShape permits Circle, Rect {}

  record Circle(long r) implements OldShape {}

  record Rect(long r) implements OldShape {}

  @Name("Shapes")
  record OldShapes(List<OldShape> all) {}

  @Test
  void sealedTypesChooseTheClassThatHadTheName() {
    byte[] message =
        Codec.of(OldShapes.class)
            .encodeAll(List.of(new OldShapes(List.of(new Circle(1), new Rect(2)))));
    assertEquals(
        List.of(new Shapes(List.of(new Disc(1), new Box(2)))),
        Codec.of(Shapes.class).decodeAll(message));
  }

  @Test
  void namesThatCouldMeanTwoThingsAreRefused() {
    record Twice(@Name(was = "x") long a, @Name(was = {"y", "x"}) long b) {}
    record Present(@Name(was = "c") long a, @Name("c") long b) {}
    record Surrogate(@Name(was = "\ud800") long a) {}
    enum Members {
      @Name(was = "B")
      A,
      B
    }
    record OfEnum(Members members) {}
    assertEquals(
        "has two of these with the former name x, a and b; only one of them can have had it",
        refused(Twice.class));
    assertEquals(
        "has a property a with the former name c, which is the name of another property; take it"
            + " from the former names, or give the other another name",
        refused(Present.class));
    assertEquals("has a former name with a lone surrogate", refused(Surrogate.class));
    assertEquals(
        "has a constant A with the former name B, which is the name of another constant; take it"
            + " from the former names, or give the other another name",
        refused(OfEnum.class));
  }

  private static String refused(Class<?> type) {
    String message = assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
    return message.substring(message.indexOf("which has ") + "which ".length());
  }
}
