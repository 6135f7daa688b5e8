package io.github.serow.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.serow.Codec;
import java.math.BigDecimal;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Test;

class ArrowRowsTest {
  record Part(long key, String name, BigDecimal price, List<String> tags) {}

  @Test
  void rowsComeBack() throws Exception {
    List<Part> parts =
        List.of(
            new Part(1, "almond", new BigDecimal("9.50"), List.of("nut")),
            new Part(2, null, null, List.of()));
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowRows<Part> rows = ArrowRows.of(Codec.of(Part.class), allocator);
      try (ArrowReader reader = rows.toArrow(parts)) {
        System.out.println(reader.getVectorSchemaRoot().getSchema());
        assertEquals(parts, rows.fromArrow(reader));
      }
    }
  }
}
