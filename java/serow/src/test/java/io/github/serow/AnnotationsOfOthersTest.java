package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/** Annotations of another library, which serow knows by their simple names. */
class AnnotationsOfOthersTest {
  @Retention(RetentionPolicy.RUNTIME)
  public @interface JsonCreator {}

  @Retention(RetentionPolicy.RUNTIME)
  public @interface JsonIgnore {}

  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface JsonProperty {
    String value();
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
        "User is of class io.github.serow.AnnotationsOfOthersTest$User, whose password has"
            + " @JsonIgnore; add @Ignore to leave it out, or @Name to write it",
        refusal(User.class));
    assertEquals(true, refusal(InRecord.class).contains("whose password has @JsonIgnore"));
    assertEquals("Both{name: str?}", Schema.of(Both.class).toString());
    assertEquals("Written{hint: str?}", Schema.of(Written.class).toString());
  }
}
