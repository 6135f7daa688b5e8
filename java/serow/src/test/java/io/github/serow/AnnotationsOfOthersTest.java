package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Annotations of another library, which serow knows by their simple names. */
class AnnotationsOfOthersTest {
  @Retention(RetentionPolicy.RUNTIME)
  public @interface JsonCreator {}

  /** As Jackson's, it is not for components of records. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.FIELD})
  public @interface JsonIgnore {}

  @Retention(RetentionPolicy.RUNTIME)
  public @interface JsonIgnoreProperties {
    String[] value() default {};

    boolean ignoreUnknown() default false;
  }

  @Retention(RetentionPolicy.RUNTIME)
  public @interface JsonIncludeProperties {
    String[] value();
  }

  @Retention(RetentionPolicy.RUNTIME)
  public @interface JsonIgnoreType {}

  public enum Access {
    AUTO,
    READ_ONLY,
    WRITE_ONLY
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
  public @interface JsonProperty {
    String value() default "";

    Access access() default Access.AUTO;
  }

  static final class Money {
    private final long cents;
    private final String currency;

    @JsonCreator
    Money(@JsonProperty("currency") String a, @JsonProperty("cents") long b) {
      currency = a;
      cents = b;
    }
  }

  static final class Named {
    private final String text;

    private Named(@Name("text") String a) {
      text = a;
    }
  }

  @Test
  void parametersHaveTheNamesOfTheirAnnotations() {
    assertEquals("Money{cents: i64, currency: str?}", Schema.of(Money.class).toString());
    Codec<Money> codec = Codec.of(Money.class);
    Money money = codec.decode(codec.encode(new Money("EUR", 7)));
    assertEquals("EUR", money.currency);
    assertEquals(7, money.cents);
    Codec<Named> named = Codec.of(Named.class);
    assertEquals("a", named.decode(named.encode(new Named("a"))).text);
  }

  static final class Checked {
    private final String text;

    private Checked(@Name("text") String text) {
      this.text = text;
    }

    @JsonCreator
    static Checked of(String text) {
      if (text.isEmpty()) {
        throw new IllegalArgumentException("empty");
      }
      return new Checked(text);
    }
  }

  private static String refusal(Class<?> type) {
    return assertThrows(SchemaException.class, () -> Codec.of(type)).getMessage();
  }

  @Test
  void aFactoryThatIsAnnotatedIsNotPassedOver() {
    assertEquals(
        "Checked is of class io.github.serow.AnnotationsOfOthersTest$Checked, whose static method of"
            + " is annotated as the way to make its objects, but serow calls constructors; annotate"
            + " a constructor, or register a converter",
        refusal(Checked.class));
  }

  static class User {
    String name;

    @JsonIgnore String password;
  }

  static class Both {
    String name;

    @JsonIgnore @Ignore String password;
  }

  static class Written {
    @JsonIgnore
    @Name("hint")
    String hint;
  }

  record InRecord(String name, @JsonIgnore String password) {}

  @Test
  void whatAnotherLibraryIgnoresIsNotWrittenSilently() {
    assertEquals(
        "User is of class io.github.serow.AnnotationsOfOthersTest$User, whose password"
            + " is left out by @JsonIgnore, which serow does not obey; add @Ignore to leave it out,"
            + " or @Name to write it",
        refusal(User.class));
    assertEquals("Both{name: str?}", Schema.of(Both.class).toString());
    assertEquals("Written{hint: str?}", Schema.of(Written.class).toString());
  }

  @JsonIgnoreProperties("password")
  static class OfSuperclass {
    String password;
  }

  static class ByClass extends OfSuperclass {
    String name;
  }

  @JsonIgnoreProperties({"pass_word"})
  record ByItsName(String name, @JsonProperty("pass_word") String password) {}

  @JsonIncludeProperties({"name"})
  record ByWhatIsLeft(String name, String password) {}

  record ByAccess(
      @JsonProperty(access = Access.AUTO) String name,
      @JsonProperty(access = Access.WRITE_ONLY) String password) {}

  @JsonIgnoreType
  record Secret(String text) {}

  record ByType(String name, Secret password) {}

  record Inside(String name, @JsonIgnoreProperties("text") Secret password) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  record OfUnknown(@JsonProperty("n") String name) {}

  @Test
  void whatAnotherLibraryLeavesOutInAnyWayIsNotWrittenSilently() {
    Map<Object, String> left =
        Map.of(
            new ByClass(), "JsonIgnoreProperties",
            new ByItsName("a", "b"), "JsonIgnoreProperties",
            new ByWhatIsLeft("a", "b"), "JsonIncludeProperties",
            new ByAccess("a", "b"), "JsonProperty",
            new ByType("a", new Secret("b")), "JsonIgnoreType",
            new Inside("a", new Secret("b")), "JsonIgnoreProperties",
            new InRecord("a", "b"), "JsonIgnore");
    left.forEach(
        (row, annotation) -> {
          String why = "whose password is left out by @" + annotation + ", which";
          assertTrue(refusal(row.getClass()).contains(why), () -> refusal(row.getClass()));
          if (row instanceof Record) {
            String inferred =
                assertThrows(EncodeException.class, () -> Serow.dumps(List.of(row))).getMessage();
            assertTrue(inferred.contains(why), inferred);
          }
        });
    assertEquals("OfUnknown{name: str?}", Schema.of(OfUnknown.class).toString());
  }

  static final class Renamed {
    @JsonProperty("amt")
    private final long amount;

    @JsonCreator
    Renamed(@JsonProperty("amt") long a) {
      amount = a;
    }
  }

  static final class Unknown {
    private final long amount;

    @Creator
    Unknown(@Name("amt") long a) {
      amount = a;
    }
  }

  @Test
  void aParameterMayHaveTheNameThatItsFieldIsGiven() {
    Codec<Renamed> codec = Codec.of(Renamed.class);
    assertEquals("Renamed{amount: i64}", codec.schema().toString());
    assertEquals(7, codec.decode(codec.encode(new Renamed(7))).amount);
    String why = refusal(Unknown.class);
    assertTrue(why.contains("put @Name(\"amt\") at the field that it is for"), why);
  }
}
