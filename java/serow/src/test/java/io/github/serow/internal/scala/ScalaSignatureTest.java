package io.github.serow.internal.scala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.serow.ScalaSamples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The signatures that Scala's compiler writes. */
@Tag("once")
class ScalaSignatureTest {
  private static final String SAMPLES = "io.github.serow.samples.";

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void fieldsHaveTheTypesOfTheSource(ScalaSamples scala) {
    Map<String, ScalaSignature.Use> fields = ScalaSignature.fields(scala.type("Outer$Deep$Inner"));
    ScalaSignature.Use value = fields.get("value");
    assertEquals("scala.Option", value.name());
    assertEquals("scala.Boolean", value.arguments().get(0).name());
    // Not the class with the same name in the object beside it.
    assertEquals(
        "scala.Int",
        ScalaSignature.fields(scala.type("Part")).get("sizes").arguments().get(0).name());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void aliasesAreLookedUpInTheirObjects(ScalaSamples scala) {
    ClassLoader loader = scala.type("Part").getClassLoader();
    assertEquals("scala.Long", ScalaSignature.alias(SAMPLES + "Aliases.Id", loader).name());
    assertEquals("scala.Long", ScalaSignature.alias(SAMPLES + "Aliases.More.Id", loader).name());
    assertNull(ScalaSignature.alias(SAMPLES + "Aliases.None", loader));
    assertNull(ScalaSignature.alias(SAMPLES + "Part", loader));
    assertNull(ScalaSignature.alias("scala.Int", loader));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void aDamagedTableTellsWhatItCan(ScalaSamples scala) {
    byte[] table = ScalaSignature.table(scala.type("Part"));
    assertNotNull(table);
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = table.clone();
      for (int bytes = 1 + random.nextInt(8); bytes > 0; bytes--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> assertNotNull(ScalaSignature.fields(damaged, List.of("Part"))));
    }
  }
}
