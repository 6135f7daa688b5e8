package io.github.serow.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final Path RUST = Path.of("../../crates/core/src/limits.rs");

  @Test
  void limitsAreThoseOfNativeCode() throws IOException, IllegalAccessException {
    String rust = Files.readString(RUST);
    int compared = 0;
    for (Field limit : Limits.class.getFields()) {
      assertTrue(Modifier.isStatic(limit.getModifiers()));
      assertEquals(nativeLimit(rust, limit.getName()), limit.getLong(null), limit.getName());
      compared++;
    }
    assertEquals(4, compared);
  }

  /** The value of a constant that is a number, or a number shifted to the left by another. */
  private static long nativeLimit(String rust, String name) {
    Matcher found =
        Pattern.compile("pub const " + name + ": usize = ([0-9_]+)(?: << ([0-9]+))?;")
            .matcher(rust);
    assertTrue(found.find(), RUST + " has no " + name);
    long value = Long.parseLong(found.group(1).replace("_", ""));
    return found.group(2) == null ? value : value << Integer.parseInt(found.group(2));
  }
}
