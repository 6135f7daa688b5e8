package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Where a codec gets the schemas of single records that it lacks. */
class SchemaSetTest {
  private static final Schema EARLIER = Schema.parse("Part{key: i64}");

  record Part(long key, Optional<String> name) {}

  private static final Part PART = new Part(7, Optional.empty());

  /** Records of the earlier version of {@link Part}. */
  private static byte[] earlier() {
    return Codec.ofAny(EARLIER)
        .withoutSchemaAndChecksum()
        .encode(Row.of("Part", List.of("key"), new Object[] {7L}));
  }

  @Test
  void anUnknownFingerprintCanBeLookedUp() {
    SchemaSet schemas = new SchemaSet();
    Codec<Part> codec = Codec.of(Part.class).withSchemas(schemas).withoutSchemaAndChecksum();
    SchemaException error = assertThrows(SchemaException.class, () -> codec.decode(earlier()));
    assertEquals(OptionalLong.of(EARLIER.fingerprint()), error.fingerprint());
    Map<Long, Schema> registry = Map.of(EARLIER.fingerprint(), EARLIER);
    schemas.add(registry.get(error.fingerprint().getAsLong()));
    assertEquals(PART, codec.decode(earlier()));
  }

  @Test
  void otherErrorsHaveNoFingerprint() {
    SchemaException text = assertThrows(SchemaException.class, () -> Schema.parse("i65"));
    assertEquals(OptionalLong.empty(), text.fingerprint());
  }

  @Test
  void aResolverIsAskedOnceForEachSchema() {
    List<Long> asked = new ArrayList<>();
    SchemaSet schemas =
        new SchemaSet(
            fingerprint -> {
              asked.add(fingerprint);
              return Optional.of(EARLIER).filter(known -> known.fingerprint() == fingerprint);
            });
    Codec<Part> codec = Codec.of(Part.class).withSchemas(schemas).withoutSchemaAndChecksum();
    assertEquals(PART, codec.decode(codec.encode(PART)));
    assertEquals(List.of(), asked);
    assertEquals(PART, codec.decode(earlier()));
    assertEquals(PART, codec.withMaxMemory(1 << 20).decode(earlier()));
    assertSame(EARLIER, schemas.find(EARLIER.fingerprint()).orElseThrow());
    assertEquals(List.of(EARLIER.fingerprint()), asked);

    // A later call may know more.
    byte[] other =
        Codec.of(Schema.parse("(i64,)")).withoutSchemaAndChecksum().encode(new Object[] {1L});
    for (int i = 2; i <= 3; i++) {
      SchemaException error = assertThrows(SchemaException.class, () -> codec.decode(other));
      assertEquals(i, asked.size());
      assertEquals(OptionalLong.of(asked.get(i - 1)), error.fingerprint());
    }
  }

  @Test
  void aWrongResolverIsAnError() {
    long wanted = EARLIER.fingerprint();
    Schema other = Schema.parse("i64");
    SchemaSet wrong = new SchemaSet(fingerprint -> Optional.of(other));
    assertEquals(
        String.format(
            "the resolver of the set was asked for the fingerprint 0x%016x and gave a schema with"
                + " 0x%016x, i64; correct its registry",
            wanted, other.fingerprint()),
        assertThrows(SchemaException.class, () -> wrong.find(wanted)).getMessage());
    // Nothing was added.
    assertThrows(SchemaException.class, () -> wrong.find(wanted));

    IllegalStateException failure = new IllegalStateException("no connection");
    LongFunction<Optional<Schema>> failing =
        fingerprint -> {
          throw failure;
        };
    Codec<Part> codec =
        Codec.of(Part.class).withSchemas(new SchemaSet(failing)).withoutSchemaAndChecksum();
    assertSame(failure, assertThrows(IllegalStateException.class, () -> codec.decode(earlier())));
    assertThrows(NullPointerException.class, () -> new SchemaSet(null));
    assertThrows(NullPointerException.class, () -> new SchemaSet(any -> null).find(1));
  }
}
