package io.github.serow.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.SchemaException;
import io.github.serow.Serow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TimeStampMilliTZVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.TimeStampSecTZVector;
import org.apache.arrow.vector.TimeStampSecVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.UuidVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarBinaryVector;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.LargeListViewVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.ListViewVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.complex.UnionVector;
import org.apache.arrow.vector.complex.impl.UnionLargeListWriter;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.complex.impl.UnionMapWriter;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.holders.NullableBigIntHolder;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Vectors that Arrow's own API has made. */
class VectorsTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final ArrowRows<Object> rows = ArrowRows.ofAny(allocator);

  @AfterEach
  void noMemoryIsLeft() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  /** Checks the values of a vector at 0 and 2, with a null between them, and of a part of it. */
  private <V extends FieldVector> void check(
      Function<BufferAllocator, V> make, BiConsumer<V, Integer> set, Object... expected) {
    V vector = make.apply(allocator);
    vector.allocateNew();
    set.accept(vector, 0);
    set.accept(vector, 2);
    check(vector, expected[0], null, expected[1]);
  }

  /** Checks the values of a vector, and closes it. */
  private void check(FieldVector vector, Object... expected) {
    vector.setValueCount(expected.length);
    List<Object> all = Arrays.asList(expected);
    try (VectorSchemaRoot root = VectorSchemaRoot.of(vector)) {
      same(all, values(rows.fromArrow(root)), vector);
      same(all, values(Serow.loads(rows.encode(root))), vector);
      if (vector.getMinorType() != MinorType.RUNENDENCODED) {
        try (VectorSchemaRoot part = root.slice(1, expected.length - 1)) {
          same(all.subList(1, expected.length), values(rows.fromArrow(part)), vector);
        }
      }
    }
  }

  private static void same(List<Object> expected, List<Object> found, FieldVector vector) {
    assertArrayEquals(expected.toArray(), found.toArray(), () -> vector.getField().toString());
  }

  private static List<Object> values(List<Object> rows) {
    List<Object> values = new ArrayList<>();
    for (Object row : rows) {
      Map<?, ?> columns = (Map<?, ?>) row;
      assertEquals(1, columns.size());
      values.add(columns.get("x"));
    }
    return values;
  }

  private static byte[] bytes(int i) {
    return ("羚" + i).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void integersAndFloats() {
    check(a -> new TinyIntVector("x", a), (v, i) -> v.set(i, i - 128), -128L, -126L);
    check(a -> new SmallIntVector("x", a), (v, i) -> v.set(i, i - 32768), -32768L, -32766L);
    check(a -> new IntVector("x", a), (v, i) -> v.set(i, i - 7), -7L, -5L);
    check(
        a -> new BigIntVector("x", a),
        (v, i) -> v.set(i, Long.MIN_VALUE + i),
        Long.MIN_VALUE,
        Long.MIN_VALUE + 2);
    check(a -> new UInt1Vector("x", a), (v, i) -> v.set(i, 253 + i), 253L, 255L);
    check(a -> new UInt2Vector("x", a), (v, i) -> v.set(i, 65533 + i), 65533L, 65535L);
    check(a -> new UInt4Vector("x", a), (v, i) -> v.set(i, i - 3), 0xfffffffdL, 0xffffffffL);
    check(
        a -> new UInt8Vector("x", a),
        (v, i) -> v.set(i, i - 3),
        BigInteger.TWO.pow(64).subtract(BigInteger.valueOf(3)),
        BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
    check(a -> new Float2Vector("x", a), (v, i) -> v.set(i, Float16.toFloat16(i + 0.5f)), 0.5, 2.5);
    check(a -> new Float4Vector("x", a), (v, i) -> v.set(i, i + 0.25f), 0.25, 2.25);
    check(a -> new Float8Vector("x", a), (v, i) -> v.set(i, i + 0.1), 0.1, 2.1);
    check(a -> new BitVector("x", a), (v, i) -> v.set(i, i / 2), false, true);
    check(
        a -> new DecimalVector("x", a, 38, 2),
        (v, i) -> v.set(i, new BigDecimal("-12.50").add(BigDecimal.valueOf(i))),
        new BigDecimal("-12.50"),
        new BigDecimal("-10.50"));
    check(
        a -> new Decimal256Vector("x", a, 60, 3),
        (v, i) -> v.set(i, new BigDecimal("1.000").add(BigDecimal.valueOf(i))),
        new BigDecimal("1.000"),
        new BigDecimal("3.000"));
  }

  @Test
  void textAndBytes() {
    check(a -> new VarCharVector("x", a), (v, i) -> v.setSafe(i, bytes(i)), "羚0", "羚2");
    check(a -> new LargeVarCharVector("x", a), (v, i) -> v.setSafe(i, bytes(i)), "羚0", "羚2");
    check(a -> new ViewVarCharVector("x", a), (v, i) -> v.setSafe(i, bytes(i)), "羚0", "羚2");
    String text = "a text that is longer than the twelve bytes of a view ";
    check(
        a -> new ViewVarCharVector("x", a),
        (v, i) -> v.setSafe(i, (text + i).getBytes(StandardCharsets.UTF_8)),
        text + 0,
        text + 2);
    check(a -> new VarBinaryVector("x", a), (v, i) -> v.setSafe(i, bytes(i)), bytes(0), bytes(2));
    check(
        a -> new LargeVarBinaryVector("x", a),
        (v, i) -> v.setSafe(i, bytes(i)),
        bytes(0),
        bytes(2));
    check(
        a -> new ViewVarBinaryVector("x", a), (v, i) -> v.setSafe(i, bytes(i)), bytes(0), bytes(2));
    check(
        a -> new FixedSizeBinaryVector("x", a, 4),
        (v, i) -> v.set(i, bytes(i)),
        bytes(0),
        bytes(2));
    UUID id = new UUID(1, 2);
    check(a -> new UuidVector("x", a), (v, i) -> v.setSafe(i, id), id, id);
  }

  /** Java does not clear the memory of views, and its own vectors have anything there. */
  @Test
  void viewsNeedNotBeClean() {
    ViewVarCharVector text = new ViewVarCharVector("x", allocator);
    text.allocateNew();
    text.setSafe(0, "ab".getBytes(StandardCharsets.UTF_8));
    text.getDataBuffer().setLong(8, -1);
    text.setNull(1);
    text.getDataBuffer().setLong(ViewVarCharVector.ELEMENT_SIZE, 900);
    check(text, "ab", null);
  }

  @Test
  void datesAndTimes() {
    LocalDate date = LocalDate.of(2024, 2, 29);
    int day = (int) date.toEpochDay();
    check(a -> new DateDayVector("x", a), (v, i) -> v.set(i, day + i), date, date.plusDays(2));
    check(
        a -> new DateMilliVector("x", a),
        (v, i) -> v.set(i, (day + i) * 86_400_000L),
        date,
        date.plusDays(2));
    LocalTime time = LocalTime.of(1, 2, 3);
    check(
        a -> new TimeSecVector("x", a),
        (v, i) -> v.set(i, time.toSecondOfDay() + i),
        time,
        time.plusSeconds(2));
    check(
        a -> new TimeMilliVector("x", a),
        (v, i) -> v.set(i, time.toSecondOfDay() * 1000 + i),
        time,
        time.plusNanos(2_000_000));
    check(
        a -> new TimeMicroVector("x", a),
        (v, i) -> v.set(i, time.toNanoOfDay() / 1000 + i),
        time,
        time.plusNanos(2000));
    check(
        a -> new TimeNanoVector("x", a),
        (v, i) -> v.set(i, time.toNanoOfDay() + i),
        time,
        time.plusNanos(2));
    LocalDateTime at = LocalDateTime.of(date, time);
    long second = at.toEpochSecond(ZoneOffset.UTC);
    check(
        a -> new TimeStampSecVector("x", a), (v, i) -> v.set(i, second + i), at, at.plusSeconds(2));
    check(
        a -> new TimeStampMilliVector("x", a),
        (v, i) -> v.set(i, second * 1000 + i),
        at,
        at.plusNanos(2_000_000));
    check(
        a -> new TimeStampMicroVector("x", a),
        (v, i) -> v.set(i, second * 1_000_000 + i),
        at,
        at.plusNanos(2000));
    check(
        a -> new TimeStampNanoVector("x", a),
        (v, i) -> v.set(i, second * 1_000_000_000 + i),
        at,
        at.plusNanos(2));
    OffsetDateTime utc = at.atOffset(ZoneOffset.UTC);
    check(
        a -> new TimeStampSecTZVector("x", a, "UTC"),
        (v, i) -> v.set(i, second + i),
        utc,
        utc.plusSeconds(2));
    OffsetDateTime east = utc.withOffsetSameInstant(ZoneOffset.ofHours(2));
    check(
        a -> new TimeStampMilliTZVector("x", a, "+02:00"),
        (v, i) -> v.set(i, second * 1000 + i),
        east,
        east.plusNanos(2_000_000));
    ZonedDateTime berlin = utc.atZoneSameInstant(ZoneId.of("Europe/Berlin"));
    check(
        a -> new TimeStampMicroTZVector("x", a, "Europe/Berlin"),
        (v, i) -> v.set(i, second * 1_000_000 + i),
        berlin,
        berlin.plusNanos(2000));
    check(
        a -> new TimeStampNanoTZVector("x", a, "UTC"),
        (v, i) -> v.set(i, second * 1_000_000_000 + i),
        utc,
        utc.plusNanos(2));
    for (TimeUnit unit : TimeUnit.values()) {
      Duration of =
          switch (unit) {
            case SECOND -> Duration.ofSeconds(-7);
            case MILLISECOND -> Duration.ofMillis(-7);
            case MICROSECOND -> Duration.ofNanos(-7000);
            case NANOSECOND -> Duration.ofNanos(-7);
          };
      FieldType type = FieldType.nullable(new ArrowType.Duration(unit));
      check(a -> new DurationVector("x", type, a), (v, i) -> v.set(i, -7), of, of);
    }
  }

  @Test
  void lists() {
    ListVector list = ListVector.empty("x", allocator);
    UnionListWriter writer = list.getWriter();
    for (int i = 0; i < 4; i++) {
      writer.setPosition(i);
      if (i == 1) {
        writer.writeNull();
        continue;
      }
      writer.startList();
      for (int j = 0; j < i; j++) {
        writer.bigInt().writeBigInt(j);
      }
      writer.endList();
    }
    writer.setValueCount(4);
    check(list, List.of(), null, List.of(0L, 1L), List.of(0L, 1L, 2L));

    LargeListVector large = LargeListVector.empty("x", allocator);
    UnionLargeListWriter largeWriter = large.getWriter();
    largeWriter.setPosition(0);
    largeWriter.startList();
    largeWriter.varChar().writeVarChar("a");
    largeWriter.endList();
    largeWriter.setPosition(2);
    largeWriter.startList();
    largeWriter.endList();
    largeWriter.setValueCount(3);
    check(large, List.of("a"), null, List.of());

    FixedSizeListVector pairs = FixedSizeListVector.empty("x", 2, allocator);
    BigIntVector numbers =
        (BigIntVector)
            pairs.addOrGetVector(FieldType.nullable(MinorType.BIGINT.getType())).getVector();
    pairs.allocateNew();
    for (int i : new int[] {0, 2}) {
      pairs.setNotNull(i);
      numbers.setSafe(2 * i, i);
      numbers.setNull(2 * i + 1);
    }
    check(pairs, Arrays.asList(0L, null), null, Arrays.asList(2L, null));

    ListViewVector views = ListViewVector.empty("x", allocator);
    views.addOrGetVector(FieldType.nullable(MinorType.BIGINT.getType()));
    views.allocateNew();
    fill((BigIntVector) views.getDataVector());
    views.setValidity(0, 1);
    views.setOffset(0, 1);
    views.setSize(0, 2);
    views.setValidity(2, 1);
    views.setOffset(2, 0);
    views.setSize(2, 3);
    views.getOffsetBuffer().setInt(ListViewVector.OFFSET_WIDTH, 900);
    check(views, List.of(1L, 2L), null, List.of(0L, 1L, 2L));

    LargeListViewVector largeViews = LargeListViewVector.empty("x", allocator);
    largeViews.addOrGetVector(FieldType.nullable(MinorType.BIGINT.getType()));
    largeViews.allocateNew();
    fill((BigIntVector) largeViews.getDataVector());
    largeViews.setValidity(0, 1);
    largeViews.setOffset(0, 2);
    largeViews.setSize(0, 1);
    largeViews.setValidity(2, 1);
    largeViews.setOffset(2, 0);
    largeViews.setSize(2, 0);
    check(largeViews, List.of(2L), null, List.of());
  }

  private static void fill(BigIntVector numbers) {
    for (int i = 0; i < 3; i++) {
      numbers.setSafe(i, i);
    }
    numbers.setValueCount(3);
  }

  @Test
  void structsAndMaps() {
    StructVector struct = StructVector.empty("x", allocator);
    FieldType text = FieldType.nullable(MinorType.VARCHAR.getType());
    FieldType number = FieldType.nullable(MinorType.BIGINT.getType());
    VarCharVector names = struct.addOrGet("name", text, VarCharVector.class);
    BigIntVector keys = struct.addOrGet("key", number, BigIntVector.class);
    struct.allocateNew();
    for (int i : new int[] {0, 2}) {
      struct.setIndexDefined(i);
      names.setSafe(i, bytes(i));
      keys.setSafe(i, i);
    }
    check(struct, map("name", "羚0", "key", 0L), null, map("name", "羚2", "key", 2L));

    MapVector map = MapVector.empty("x", allocator, false);
    UnionMapWriter writer = map.getWriter();
    writer.setPosition(0);
    writer.startMap();
    writer.startEntry();
    writer.key().varChar().writeVarChar("a");
    writer.value().bigInt().writeBigInt(7);
    writer.endEntry();
    writer.endMap();
    writer.setPosition(2);
    writer.startMap();
    writer.endMap();
    writer.setValueCount(3);
    check(map, map("a", 7L), null, map());
  }

  private static Map<Object, Object> map(Object... keysAndValues) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  @Test
  void unions() {
    Field number = new Field("n", FieldType.nullable(MinorType.BIGINT.getType()), null);
    Field text = new Field("s", FieldType.nullable(MinorType.VARCHAR.getType()), null);
    ArrowType type = new ArrowType.Union(UnionMode.Dense, new int[] {0, 1});
    Field field = new Field("x", FieldType.nullable(type), List.of(number, text));
    DenseUnionVector dense = (DenseUnionVector) field.createVector(allocator);
    dense.allocateNew();
    dense.setTypeId(0, (byte) 1);
    dense.setOffset(0, 0);
    ((VarCharVector) dense.getVectorByType((byte) 1)).setSafe(0, bytes(0));
    ((VarCharVector) dense.getVectorByType((byte) 1)).setValueCount(1);
    dense.setTypeId(1, (byte) 0);
    dense.setOffset(1, 0);
    ((BigIntVector) dense.getVectorByType((byte) 0)).setSafe(0, 7);
    ((BigIntVector) dense.getVectorByType((byte) 0)).setValueCount(1);
    check(dense, "羚0", 7L);

    UnionVector sparse = UnionVector.empty("x", allocator);
    sparse.allocateNew();
    NullableBigIntHolder seven = new NullableBigIntHolder();
    seven.isSet = 1;
    seven.value = 7;
    sparse.setType(0, MinorType.BIGINT);
    sparse.setSafe(0, seven);
    sparse.setType(1, MinorType.VARCHAR);
    sparse.getVarCharVector().setSafe(1, bytes(1));
    check(sparse, 7L, "羚1");
  }

  @Test
  void nullsRunsAndDictionaries() {
    check(new NullVector("x"), null, null, null);

    Field ends = Field.notNullable("run_ends", MinorType.INT.getType());
    Field values = Field.nullable("values", MinorType.BIGINT.getType());
    Field field =
        new Field("x", FieldType.notNullable(new ArrowType.RunEndEncoded()), List.of(ends, values));
    RunEndEncodedVector runs = new RunEndEncodedVector(field, allocator, null);
    runs.allocateNew();
    ((IntVector) runs.getRunEndsVector()).setSafe(0, 2);
    ((IntVector) runs.getRunEndsVector()).setSafe(1, 3);
    ((BigIntVector) runs.getValuesVector()).setSafe(0, 7);
    ((BigIntVector) runs.getValuesVector()).setNull(1);
    runs.getRunEndsVector().setValueCount(2);
    runs.getValuesVector().setValueCount(2);
    check(runs, 7L, 7L, null);

    try (VarCharVector plain = new VarCharVector("x", allocator);
        VarCharVector names = new VarCharVector("names", allocator)) {
      for (int i = 0; i < 2; i++) {
        names.setSafe(i, bytes(i));
      }
      names.setValueCount(2);
      plain.setSafe(0, bytes(1));
      plain.setNull(1);
      plain.setSafe(2, bytes(1));
      plain.setValueCount(3);
      Dictionary dictionary = new Dictionary(names, new DictionaryEncoding(5, false, null));
      DictionaryProvider provider = new DictionaryProvider.MapDictionaryProvider(dictionary);
      FieldVector codes = (FieldVector) DictionaryEncoder.encode(plain, dictionary);
      try (VectorSchemaRoot root = VectorSchemaRoot.of(codes)) {
        List<Object> expected = Arrays.asList("羚1", null, "羚1");
        ArrowRows<Object> given = rows.withDictionaries(provider);
        assertEquals(expected, values(given.fromArrow(root)));
        assertEquals(expected, values(Serow.loads(given.encode(root))));
        SchemaException missing = assertThrows(SchemaException.class, () -> rows.fromArrow(root));
        assertTrue(missing.getMessage().contains("withDictionaries"), missing::toString);
      }
    }
  }

  @Test
  void intervalsAreRefused() {
    for (FieldVector vector :
        List.of(
            new IntervalDayVector("x", allocator),
            new IntervalYearVector("x", allocator),
            new IntervalMonthDayNanoVector("x", allocator))) {
      vector.allocateNew();
      vector.setValueCount(2);
      try (VectorSchemaRoot root = VectorSchemaRoot.of(vector)) {
        SchemaException error = assertThrows(SchemaException.class, () -> rows.fromArrow(root));
        assertTrue(error.getMessage().contains("column x"), error::getMessage);
        assertThrows(SchemaException.class, () -> rows.encode(root));
      }
    }
  }
}
