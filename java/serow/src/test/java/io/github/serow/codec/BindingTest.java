package io.github.serow.codec;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.serow.Schema;
import org.junit.jupiter.api.Test;

class BindingTest {
  @Test
  void theLeastUsedGoesFirst() {
    Schema first = Schema.parse("(i64, \"first\"{})");
    Schema used = Schema.parse("(i64, \"used\"{})");
    final Binding before = Binding.of(first);
    Binding kept = Binding.of(used);
    for (int i = 0; i < 300; i++) {
      Binding.of(Schema.parse("(i64, other" + i + "{})"));
      assertSame(kept, Binding.of(used));
    }
    assertNotSame(before, Binding.of(first));
  }

  @Test
  void fewSchemasWithLongNamesAreKept() {
    Binding first = Binding.of(named("A"));
    assertSame(first, Binding.of(named("A")));
    Binding second = Binding.of(named("B"));
    assertSame(second, Binding.of(named("B")));
    assertNotSame(first, Binding.of(named("A")));
  }

  private static Schema named(String name) {
    return Schema.parse("enum " + name + "{" + "x".repeat(600_000) + "}");
  }
}
