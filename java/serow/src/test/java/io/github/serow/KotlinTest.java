package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.serow.samples.Address;
import io.github.serow.samples.Annotated;
import io.github.serow.samples.Color;
import io.github.serow.samples.Counter;
import io.github.serow.samples.Defaults;
import io.github.serow.samples.Half;
import io.github.serow.samples.HiddenField;
import io.github.serow.samples.HiddenUnsigned;
import io.github.serow.samples.Idle;
import io.github.serow.samples.Labelled;
import io.github.serow.samples.Lasting;
import io.github.serow.samples.ListOfUnsigned;
import io.github.serow.samples.Logging;
import io.github.serow.samples.MaybeUnsigned;
import io.github.serow.samples.Message;
import io.github.serow.samples.Number;
import io.github.serow.samples.Numbers;
import io.github.serow.samples.Owned;
import io.github.serow.samples.Pair2;
import io.github.serow.samples.Person;
import io.github.serow.samples.Plain;
import io.github.serow.samples.Running;
import io.github.serow.samples.SamplesKt;
import io.github.serow.samples.State;
import io.github.serow.samples.Text;
import io.github.serow.samples.Unsigned;
import io.github.serow.samples.UnsignedBean;
import io.github.serow.samples.Uses;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Classes of Kotlin, in {@code src/test/kotlin}. */
class KotlinTest {
  private static <T> T back(TypeReference<T> type, T object) {
    T decoded = null;
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      List<T> many = codec.decodeAll(codec.encodeAll(Collections.nCopies(3000, object)));
      assertEquals(3000, many.size());
      decoded = codec.decode(codec.encode(many.get(2999)));
    }
    return decoded;
  }

  @Test
  void aTypeOfKotlinIsACodec() {
    List<Address> addresses = List.of(new Address("Elm", 3));
    assertEquals(addresses, SamplesKt.backByLine(addresses));
  }

  @Test
  void dataClasses() {
    Person person =
        new Person("Ann", 41, null, List.of(new Address("Elm", 3)), Map.of("a", 0.5), 'q');
    assertEquals(person, back(new TypeReference<Person>() {}, person));
    Counter counter = new Counter("a", 3);
    assertEquals(counter, back(new TypeReference<Counter>() {}, counter));
    Pair2<String, Long> pair = new Pair2<>("a", 1L);
    assertEquals(pair, back(new TypeReference<Pair2<String, Long>>() {}, pair));
  }

  @Test
  void schemasKnowWhatIsNeverNull() {
    assertEquals(
        "Person{name: str, age: i64, email: str?, addresses: [Address{street: str, number: i64}],"
            + " scores: {str: f64?}, initial: str}",
        Schema.of(Person.class).toString());
    assertEquals("Counter{name: str, count: i64}", Schema.of(Counter.class).toString());
    assertEquals("Annotated{full_name: str, count: i64}", Schema.of(Annotated.class).toString());
    assertEquals(
        "Numbers{byte: i64, short: i64, long: i64, float: f64, bool: bool, maybe: i64?, array:"
            + " [i64], color: enum Color{RED, GREEN}}",
        Schema.of(Numbers.class).toString());
  }

  @Test
  void annotationsOfParametersCount() {
    Annotated annotated = new Annotated("a", 2, 3);
    assertEquals(new Annotated("a", 2, 0), back(new TypeReference<Annotated>() {}, annotated));
  }

  @Test
  void sealedInterfaces() {
    List<Message> messages = List.of(new Text("a"), new Number(1));
    assertEquals(messages, back(new TypeReference<List<Message>>() {}, messages));
  }

  @Test
  void classesThatAreNoDataClasses() {
    Plain plain = back(new TypeReference<Plain>() {}, new Plain(1, "b"));
    assertEquals(1, plain.getA());
    assertEquals("b", plain.getB());
    Numbers numbers =
        new Numbers((byte) 1, (short) 2, 3, 4f, true, null, new int[] {5}, Color.GREEN);
    Numbers decoded = back(new TypeReference<Numbers>() {}, numbers);
    assertArrayEquals(new int[] {5}, decoded.getArray());
    assertEquals(Color.GREEN, decoded.getColor());
  }

  @Test
  void theInstanceOfAnObjectComesBack() {
    List<State> states = List.of(Idle.INSTANCE, new Running(3, Arrays.asList("a", null)));
    List<State> decoded = back(new TypeReference<List<State>>() {}, states);
    assertSame(Idle.INSTANCE, decoded.get(0));
    assertEquals(states, decoded);
    assertEquals("Idle{}|Running{since: i64, steps: [str?]}", Schema.of(State.class).toString());
  }

  @Test
  void parametersHaveTheNamesInTheSource() {
    assertEquals("Labelled{label: str, size: i64?}", Schema.of(Labelled.class).toString());
    Labelled labelled = back(new TypeReference<Labelled>() {}, new Labelled("a", null));
    assertEquals("a", labelled.getLabel());
    assertNull(labelled.getSize());
    Logging logging = back(new TypeReference<Logging>() {}, new Logging("a b"));
    assertEquals(List.of("a", "b"), logging.getParts());
    assertEquals("Logging{name: str}", Schema.of(Logging.class).toString());
    Defaults defaults = new Defaults(3, "x");
    assertEquals(defaults, back(new TypeReference<Defaults>() {}, defaults));
  }

  @Test
  void aPropertyBesidesTheConstructorIsNotLost() {
    SchemaException error = assertThrows(SchemaException.class, () -> Schema.of(Half.class));
    assertEquals(
        "Half is of class io.github.serow.samples.Half, whose field note is no parameter of its"
            + " constructor, so that its value would be lost; add the parameter, or mark the"
            + " field transient or with @Ignore",
        error.getMessage());
  }

  private static void assertRefused(Class<?> type, String message) {
    SchemaException error = assertThrows(SchemaException.class, () -> Schema.of(type));
    assertEquals(message, error.getMessage());
  }

  @Test
  void valuesOfValueClassesAreRefused() {
    Map<Class<?>, String> properties =
        Map.of(
            Unsigned.class, "count",
            Lasting.class, "time",
            Owned.class, "owner",
            HiddenUnsigned.class, "count",
            HiddenField.class, "count",
            UnsignedBean.class, "count");
    properties.forEach(
        (type, property) -> {
          String name = type.getSimpleName();
          assertRefused(
              type,
              name
                  + "."
                  + property
                  + " is of a value class of Kotlin's, such as UInt or Duration, so that only the"
                  + " number or text inside it is known; declare it as Long, java.time.Duration"
                  + " or another plain class, or register a converter for "
                  + name
                  + " with Mappings.standard().withConverter");
        });
    String boxed =
        " is of Kotlin's value class kotlin.UInt; register a converter with"
            + " Mappings.standard().withConverter, or use another class";
    assertRefused(MaybeUnsigned.class, "MaybeUnsigned.count" + boxed);
    assertRefused(ListOfUnsigned.class, "ListOfUnsigned.counts<0>" + boxed);
    Uses uses = new Uses("a");
    assertEquals(uses, back(new TypeReference<Uses>() {}, uses));
  }

  @Test
  void aNullInAMapComesBackIfKotlinAllowsIt() {
    Map<String, Double> scores = new HashMap<>();
    scores.put("a", null);
    Person person = new Person("Ann", 41, "a@b", List.of(), scores, 'q');
    assertEquals(person, back(new TypeReference<Person>() {}, person));
    Person noAddress = new Person("Ann", 41, "a@b", Collections.singletonList(null), scores, 'q');
    EncodeException error =
        assertThrows(
            EncodeException.class, () -> Codec.of(Person.class).encodeAll(List.of(noAddress)));
    assertEquals(List.of("addresses", 0), error.path().orElseThrow());
  }
}
