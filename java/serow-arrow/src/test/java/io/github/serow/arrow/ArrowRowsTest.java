package io.github.serow.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Codec;
import io.github.serow.Compression;
import io.github.serow.DecodeException;
import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.NdArray;
import io.github.serow.Row;
import io.github.serow.RowException;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.Serow;
import io.github.serow.TypeReference;
import io.github.serow.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrowRowsTest {
  record Part(
      long key,
      String name,
      BigDecimal price,
      DayOfWeek day,
      Instant at,
      List<String> tags,
      Map<String, Integer> stock) {}

  record Key(long key) {}

  record Nothing() {}

  record Holder(Nothing one, List<Nothing> some, Map<String, Nothing> named) {}

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  private static List<Part> parts(int count) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(
          i % 7 == 3
              ? new Part(i, null, null, null, null, null, null)
              : new Part(
                  i,
                  "part " + i % 5,
                  BigDecimal.valueOf(i, 2),
                  DayOfWeek.of(1 + i % 7),
                  Instant.ofEpochSecond(i),
                  List.of("a", "b" + i),
                  new LinkedHashMap<>(Map.of("shelf " + i, i))));
    }
    return parts;
  }

  private static List<Integer> batchSizes(ArrowReader reader) throws IOException {
    List<Integer> sizes = new ArrayList<>();
    while (reader.loadNextBatch()) {
      sizes.add(reader.getVectorSchemaRoot().getRowCount());
    }
    return sizes;
  }

  private static VectorSchemaRoot keys(BufferAllocator allocator, long... keys) {
    BigIntVector vector = new BigIntVector("key", allocator);
    for (int i = 0; i < keys.length; i++) {
      vector.setSafe(i, keys[i]);
    }
    vector.setValueCount(keys.length);
    return VectorSchemaRoot.of(vector);
  }

  record Sample(long key, NdArray array) {}

  private static NdArray array(NdArray.ElementType type, long... shape) {
    int elements = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    return NdArray.of(type, ByteBuffer.allocate(type.size() * elements), shape);
  }

  @ParameterizedTest
  @EnumSource(NdArray.ElementType.class)
  void arraysOfAnyNumberOfDimensionsComeBack(NdArray.ElementType type) throws IOException {
    ArrowRows<Sample> rows = ArrowRows.of(Codec.of(Sample.class), allocator);
    NdArray matrix = array(type, 2, 3);
    NdArray big = matrix.withBigEndian(true);
    for (List<NdArray> arrays :
        List.of(
            List.of(matrix, matrix),
            List.of(matrix, array(type, 4, 1)),
            List.of(big, big),
            List.of(matrix, array(type), array(type, 0, 3), array(NdArray.ElementType.INT16, 2)))) {
      List<Sample> samples = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        samples.add(new Sample(i, i % 7 == 3 ? null : arrays.get(i % arrays.size())));
      }
      try (ArrowReader reader = rows.toArrow(samples)) {
        assertEquals(samples, rows.fromArrow(reader));
      }
    }
  }

  @Test
  void matricesOfOneShapeAreTensors() throws IOException {
    Sample sample = new Sample(1, NdArray.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
    ArrowRows<Sample> rows = ArrowRows.of(Codec.of(Sample.class), allocator);
    try (ArrowReader reader = rows.toArrow(List.of(sample, sample))) {
      Field field = reader.getVectorSchemaRoot().getSchema().findField("array");
      assertEquals("arrow.fixed_shape_tensor", field.getMetadata().get("ARROW:extension:name"));
      assertTrue(reader.loadNextBatch());
      var vector = reader.getVectorSchemaRoot().getVector("array");
      assertEquals("[1.0,2.0,3.0,4.0,5.0,6.0]", vector.getObject(0).toString());
    }
  }

  @Test
  void objectsBecomeColumnsAndComeBack() throws IOException {
    ArrowRows<Part> rows = ArrowRows.of(Codec.of(Part.class), allocator);
    List<Part> parts = parts(1000);
    try (ArrowReader reader = rows.toArrow(parts)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      assertEquals(
          List.of("key", "name", "price", "day", "at", "tags", "stock"),
          root.getSchema().getFields().stream().map(Field::getName).toList());
      assertTrue(reader.loadNextBatch());
      assertEquals(2, ((BigIntVector) root.getVector("key")).get(2));
      assertEquals("part 2", root.getVector("name").getObject(2).toString());
      assertNull(root.getVector("name").getObject(3));
      assertEquals(new BigDecimal("0.02"), root.getVector("price").getObject(2));
      assertEquals(parts, rows.withDictionaries(reader).fromArrow(root));
      assertFalse(reader.loadNextBatch());
    }
    try (ArrowReader reader = rows.toArrow(parts)) {
      assertEquals(parts, rows.fromArrow(reader));
    }
  }

  @Test
  void batchesHaveSoManyRowsAndOneSchema() throws IOException {
    Codec<Object> codec = Codec.ofAny(Schema.parse("{\"d\": decimal, \"s\": str}"));
    List<Object> given = new ArrayList<>();
    for (int i = 0; i < 70_000; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("d", BigDecimal.valueOf(i, i < 69_999 ? 2 : 3));
      row.put("s", i < 50 ? "a" : "\ud800");
      given.add(row);
    }
    ArrowRows<Object> rows = ArrowRows.of(codec, allocator);
    try (ArrowReader reader = rows.toArrow(given)) {
      assertEquals(List.of(65_536, 70_000 - 65_536), batchSizes(reader));
    }
    rows = rows.withBatchRows(30_000);
    try (ArrowReader reader = rows.toArrow(given)) {
      assertEquals(given, rows.fromArrow(reader));
    }
    try (ArrowReader reader = rows.decode(codec.encodeAll(given))) {
      assertEquals(List.of(30_000, 30_000, 5_536, 4_464), batchSizes(reader));
    }
    ArrowRows<Object> any = rows;
    assertThrows(IllegalArgumentException.class, () -> any.withBatchRows(0));
  }

  @Test
  void noRowsHaveColumnsToo() throws IOException {
    ArrowRows<Part> rows = ArrowRows.of(Codec.of(Part.class), allocator);
    try (ArrowReader reader = rows.toArrow(List.of())) {
      assertEquals(7, reader.getVectorSchemaRoot().getSchema().getFields().size());
      assertEquals(List.of(), rows.fromArrow(reader));
    }
    try (ArrowReader reader = rows.toArrow(List.of())) {
      assertEquals(List.of(), Serow.loads(rows.encode(reader)));
    }
    try (VectorSchemaRoot root = keys(allocator)) {
      assertEquals(List.of(), ArrowRows.ofAny(allocator).fromArrow(root));
    }
  }

  /** No column says how many there are. */
  @Test
  void rowsAndStructsWithoutFields() throws IOException {
    Nothing nothing = new Nothing();
    ArrowRows<Nothing> rows = ArrowRows.of(Codec.of(Nothing.class), allocator);
    List<Nothing> three = List.of(nothing, nothing, nothing);
    try (ArrowReader reader = rows.withBatchRows(2).toArrow(three)) {
      assertEquals(List.of(2, 1), batchSizes(reader));
    }
    try (ArrowReader reader = rows.withBatchRows(2).toArrow(three)) {
      assertEquals(three, rows.fromArrow(reader));
    }
    try (ArrowReader reader = rows.toArrow(three)) {
      assertEquals(three, Codec.of(Nothing.class).decodeAll(rows.encode(reader)));
    }
    try (VectorSchemaRoot root = new VectorSchemaRoot(List.of())) {
      root.setRowCount(3);
      assertEquals(three, rows.fromArrow(root));
      assertEquals(three, Codec.of(Nothing.class).decodeAll(rows.encode(root)));
    }
    List<Holder> holders =
        Arrays.asList(
            new Holder(nothing, List.of(nothing, nothing), Map.of("a", nothing)),
            new Holder(null, null, null),
            new Holder(nothing, List.of(), Map.of()));
    ArrowRows<Holder> nested = ArrowRows.of(Codec.of(Holder.class), allocator);
    try (ArrowReader reader = nested.toArrow(holders)) {
      assertEquals(holders, nested.fromArrow(reader));
    }
    try (ArrowReader reader = nested.decode(Codec.of(Holder.class).encodeAll(holders))) {
      assertEquals(holders, nested.fromArrow(reader));
    }
  }

  @Test
  void rowsThatAreNoObjectsOfAClass() throws IOException {
    ArrowRows<Object> any = ArrowRows.ofAny(allocator);
    Object[] tuple = {1L, "a", null};
    List<List<?>> samples =
        List.of(
            List.of(Map.of("a", 1L), Map.of("a", 2L)),
            List.of(Row.of("Part", List.of("key"), 7L)),
            List.of(1L, "a", 2.5),
            List.of(List.of(1L), List.of()),
            List.of(Set.of("a")));
    for (List<?> sample : samples) {
      try (ArrowReader reader = any.toArrow(sample)) {
        assertEquals(sample, any.fromArrow(reader));
      }
    }
    try (ArrowReader reader = any.toArrow(Collections.<Object>singletonList(tuple))) {
      assertArrayEquals(tuple, (Object[]) any.fromArrow(reader).get(0));
    }
    ArrowRows<List<Long>> lists = ArrowRows.of(Codec.of(new TypeReference<>() {}), allocator);
    try (ArrowReader reader = lists.toArrow(List.of(List.of(1L, 2L)))) {
      assertEquals(List.of(List.of(1L, 2L)), lists.fromArrow(reader));
    }
    ArrowRows<Object[]> tuples = ArrowRows.of(Codec.of(Schema.parse("(i64, str)")), allocator);
    try (VectorSchemaRoot key = keys(allocator, 7);
        VarCharVector name = new VarCharVector("any name", allocator)) {
      name.setSafe(0, "x".getBytes(StandardCharsets.UTF_8));
      name.setValueCount(1);
      try (VectorSchemaRoot both = key.addVector(1, name)) {
        assertArrayEquals(new Object[] {7L, "x"}, tuples.fromArrow(both).get(0));
        assertArrayEquals(
            new Object[] {7L, "x"}, (Object[]) Serow.loads(tuples.encode(both)).get(0));
      }
    }
  }

  @Test
  void messagesOfEachWireAndCompression() throws IOException {
    List<Part> parts = parts(300);
    for (Wire wire : Wire.values()) {
      for (Compression compression : List.of(Compression.none(), Compression.zstd())) {
        Codec<Part> codec = Codec.of(Part.class).withWire(wire).withCompression(compression);
        ArrowRows<Part> rows = ArrowRows.of(codec, allocator);
        byte[] message = codec.encodeAll(parts);
        try (ArrowReader reader = rows.decode(message)) {
          byte[] encoded = rows.encode(reader);
          assertEquals(parts, codec.decodeAll(encoded));
          assertTrue(encoded.length < 2 * message.length && message.length < 2 * encoded.length);
        }
        try (ArrowReader reader = ArrowRows.ofAny(allocator).decode(message)) {
          assertEquals(parts, rows.fromArrow(reader));
        }
      }
    }
  }

  @Test
  void batchesOfAnyReaderAreRead() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (VectorSchemaRoot root = keys(allocator, 1, 2, 3)) {
      try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
        writer.writeBatch();
        ((BigIntVector) root.getVector(0)).set(0, 7);
        writer.writeBatch();
      }
    }
    ArrowRows<Key> rows = ArrowRows.of(Codec.of(Key.class), allocator);
    long[] keys = {1, 2, 3, 7, 2, 3};
    List<Key> expected = LongStream.of(keys).mapToObj(Key::new).toList();
    byte[] file = out.toByteArray();
    try (ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(file), allocator)) {
      assertEquals(expected, rows.fromArrow(reader));
    }
    try (ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(file), allocator)) {
      assertEquals(expected, Codec.of(Key.class).decodeAll(rows.encode(reader)));
    }
    byte[] cut = Arrays.copyOf(file, file.length - 100);
    try (ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(cut), allocator)) {
      assertThrows(IOException.class, () -> rows.fromArrow(reader));
    }
    try (ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(cut), allocator)) {
      assertThrows(IOException.class, () -> rows.encode(reader));
    }
  }

  @Test
  void vectorsStayTheCallers() {
    ArrowRows<Key> rows = ArrowRows.of(Codec.of(Key.class), allocator);
    try (VectorSchemaRoot root = keys(allocator, 1, 2)) {
      long before = allocator.getAllocatedMemory();
      int references = root.getVector(0).getValidityBuffer().refCnt();
      assertEquals(List.of(new Key(1), new Key(2)), rows.fromArrow(root));
      rows.encode(root);
      assertEquals(before, allocator.getAllocatedMemory());
      assertEquals(references, root.getVector(0).getValidityBuffer().refCnt());
      assertEquals(2L, root.getVector(0).getObject(1));
    }
  }

  @Test
  void vectorsOutliveTheirReader() throws IOException {
    ArrowRows<Part> rows = ArrowRows.of(Codec.of(Part.class), allocator);
    FieldVector kept;
    try (ArrowReader reader = rows.toArrow(parts(5000))) {
      reader.loadNextBatch();
      TransferPair pair = reader.getVectorSchemaRoot().getVector("name").getTransferPair(allocator);
      pair.transfer();
      kept = (FieldVector) pair.getTo();
    }
    assertEquals("part 4", kept.getObject(4999).toString());
    kept.close();
  }

  private static <E extends Exception> E thrown(Class<E> type, String part, Runnable call) {
    E error = assertThrows(type, call::run);
    assertTrue(error.getMessage().contains(part), error::getMessage);
    return error;
  }

  @Test
  void columnsThatDoNotFit() {
    record Other(long key, String name) {}
    record Text(String key) {}
    record Small(byte key) {}
    record Needed(long key, long other) {}

    try (VectorSchemaRoot root = keys(allocator, 1, 700)) {
      ArrowRows<Other> other = ArrowRows.of(Codec.of(Other.class), allocator);
      assertEquals(List.of(new Other(1, null), new Other(700, null)), other.fromArrow(root));
      thrown(SchemaException.class, "no column for the field name", () -> other.encode(root));
      ArrowRows<Text> text = ArrowRows.of(Codec.of(Text.class), allocator);
      thrown(SchemaException.class, "field key", () -> text.fromArrow(root));
      thrown(SchemaException.class, "field key", () -> text.encode(root));
      ArrowRows<Needed> needed = ArrowRows.of(Codec.of(Needed.class), allocator);
      thrown(SchemaException.class, "other", () -> needed.fromArrow(root));
      ArrowRows<Small> small = ArrowRows.of(Codec.of(Small.class), allocator);
      RowException error =
          thrown(DecodeException.class, "row 1, field key", () -> small.fromArrow(root));
      assertEquals(OptionalLong.of(1), error.row());
      assertEquals(OptionalLong.empty(), error.offset());
    }
  }

  @Test
  void rowsOfAnErrorAreCountedOverAllBatches() throws IOException {
    record Small(byte key) {}

    ArrowRows<Object> any = ArrowRows.ofAny(allocator).withBatchRows(2);
    List<Object> given = new ArrayList<>();
    for (long i = 0; i < 9; i++) {
      given.add(Map.of("key", i == 7 ? 700 : i));
    }
    try (ArrowReader reader = any.toArrow(given)) {
      DecodeException error =
          assertThrows(
              DecodeException.class,
              () -> ArrowRows.of(Codec.of(Small.class), allocator).fromArrow(reader));
      assertEquals(OptionalLong.of(7), error.row());
      assertTrue(error.getMessage().startsWith("row 7, field key"), error::getMessage);
    }
  }

  @Test
  void constructorsThatFailNameTheirRow() {
    record Positive(long key) {
      Positive {
        if (key < 0) {
          throw new IllegalArgumentException("negative");
        }
      }
    }

    ArrowRows<Positive> rows = ArrowRows.of(Codec.of(Positive.class), allocator);
    try (VectorSchemaRoot root = keys(allocator, 1, -1)) {
      DecodeException error = thrown(DecodeException.class, "row 1", () -> rows.fromArrow(root));
      assertSame(IllegalArgumentException.class, error.getCause().getClass());
    }
  }

  @Test
  void rowsAndMessagesThatAreRefused() {
    ArrowRows<Object> any = ArrowRows.ofAny(allocator);
    thrown(EncodeException.class, "row 1", () -> any.toArrow(List.of(1L, new StringBuilder("x"))));
    ArrowRows<Key> keys = ArrowRows.of(Codec.of(Key.class), allocator);
    thrown(EncodeException.class, "row 0", () -> keys.toArrow(Arrays.asList((Key) null)));
    thrown(DecodeException.class, "", () -> keys.decode(new byte[] {1, 2, 3}));
    byte[] text =
        Codec.ofAny(Schema.parse("Key{key: str}"))
            .encodeAll(List.of(Row.of("Key", List.of("key"), "x")));
    thrown(SchemaException.class, "key", () -> keys.decode(text));
    thrown(SchemaException.class, "Null byte", () -> any.toArrow(List.of(Map.of("a\0", 1L))));
    assertThrows(NullPointerException.class, () -> any.decode(null));
    assertThrows(NullPointerException.class, () -> any.toArrow(null));
  }

  @Test
  void aDamagedVectorIsAnError() {
    ListVector list = ListVector.empty("x", allocator);
    list.getWriter().setPosition(0);
    list.getWriter().startList();
    list.getWriter().bigInt().writeBigInt(7);
    list.getWriter().endList();
    list.getWriter().setValueCount(1);
    list.getOffsetBuffer().setInt(0, 5);
    try (VectorSchemaRoot root = VectorSchemaRoot.of(list)) {
      ArrowRows<Object> any = ArrowRows.ofAny(allocator);
      thrown(DecodeException.class, "x", () -> any.fromArrow(root));
    }
    try (VarCharVector text = new VarCharVector("x", allocator)) {
      text.setSafe(0, new byte[] {(byte) 0xff});
      text.setValueCount(1);
      ArrowRows<Object> any = ArrowRows.ofAny(allocator);
      try (VectorSchemaRoot root = VectorSchemaRoot.of(text)) {
        thrown(DecodeException.class, "x", () -> any.fromArrow(root));
      }
    }
  }

  @Test
  void memoryIsLimited() throws IOException {
    Codec<Key> codec = Codec.of(Key.class);
    byte[] message = codec.encodeAll(LongStream.range(0, 1000).mapToObj(Key::new).toList());
    ArrowRows<Key> enough = ArrowRows.of(codec.withMaxMemory(1_000_000), allocator);
    ArrowRows<Key> less = ArrowRows.of(codec.withMaxMemory(1000), allocator);
    thrown(LimitException.class, "max_memory", () -> less.decode(message));
    try (ArrowReader reader = enough.withBatchRows(100).decode(message)) {
      assertEquals(1000, enough.fromArrow(reader).size());
    }
    // Each batch is within the limit, and all of them are not.
    ArrowRows<Key> some = ArrowRows.of(codec.withMaxMemory(10_000), allocator);
    try (ArrowReader reader = enough.withBatchRows(100).decode(message)) {
      assertThrows(LimitException.class, () -> some.fromArrow(reader));
    }
    try (BufferAllocator none = new RootAllocator(0)) {
      ArrowRows<Key> rows = ArrowRows.of(codec, none);
      assertThrows(OutOfMemoryException.class, () -> rows.toArrow(List.of(new Key(1))));
      try (VectorSchemaRoot root = keys(allocator, 1)) {
        assertThrows(OutOfMemoryException.class, () -> rows.fromArrow(root));
        assertThrows(OutOfMemoryException.class, () -> rows.encode(root));
      }
    }
  }
}
