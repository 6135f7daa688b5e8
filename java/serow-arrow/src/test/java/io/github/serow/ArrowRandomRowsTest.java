package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.arrow.ArrowRows;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Random rows of all types as columns and back. */
class ArrowRandomRowsTest {
  /** A schema's text, and rows of it. */
  record Sample(String schema, List<Object> rows) {}

  @Provide
  Arbitrary<Sample> samples() {
    return Shape.any(3)
        .flatMap(
            shape -> shape.values().list().ofMaxSize(30).map(r -> new Sample(shape.text(), r)));
  }

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return Shape.mixed().list().ofMaxSize(20);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfASchemaComeBackEqual(@ForAll("samples") Sample sample) throws IOException {
    Codec<Object> codec = Codec.ofAny(Schema.parse(sample.schema()));
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowRows<Object> rows = ArrowRows.of(codec, allocator);
      try (ArrowReader reader = rows.toArrow(sample.rows())) {
        Same.assertSame(sample.rows(), rows.fromArrow(reader));
      }
      try (ArrowReader reader = rows.withBatchRows(4).toArrow(sample.rows())) {
        Same.assertSame(sample.rows(), rows.fromArrow(reader));
      }
      byte[] message = codec.encodeAll(sample.rows());
      try (ArrowReader reader = rows.decode(message)) {
        Same.assertSame(sample.rows(), codec.decodeAll(rows.encode(reader)));
      }
    }
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfAllKindsComeBackEqual(@ForAll("mixedRows") List<Object> given) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowRows<Object> rows = ArrowRows.ofAny(allocator);
      try (ArrowReader reader = rows.toArrow(given)) {
        Same.assertSame(given, rows.fromArrow(reader));
      } catch (SchemaException refused) {
        // The names of Arrow's interface end with the first null character.
        assertTrue(refused.getMessage().contains("Null byte"), refused.getMessage());
        return;
      }
      try (ArrowReader reader = rows.toArrow(given)) {
        byte[] message = rows.encode(reader);
        Same.assertSame(given, Serow.loads(message));
        try (ArrowReader back = rows.decode(message)) {
          Same.assertSame(given, rows.fromArrow(back));
        }
      }
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }
}
