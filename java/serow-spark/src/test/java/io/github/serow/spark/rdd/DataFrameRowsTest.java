package io.github.serow.spark.rdd;

import static io.github.serow.spark.rdd.Streams.instance;
import static io.github.serow.spark.rdd.Streams.read;
import static io.github.serow.spark.rdd.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.catalyst.expressions.GenericRow;
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Rows of the {@code rdd} of a DataFrame, each of which refers to its schema. */
class DataFrameRowsTest {
  private static final StructType INNER =
      new StructType().add("v", DataTypes.createVarcharType(3)).add("n", DataTypes.LongType, false);

  private static final StructType SCHEMA =
      new StructType()
          .add("day", DataTypes.DateType)
          .add("at", DataTypes.TimestampType)
          .add("größe", DataTypes.createDecimalType(9, 2))
          .add("inner", INNER, true, new MetadataBuilder().putLong("n", 3).build())
          .add("map", DataTypes.createMapType(DataTypes.StringType, DataTypes.BinaryType));

  private static Object[] rows(StructType schema, int count) {
    Object[] rows = new Object[count];
    for (int i = 0; i < count; i++) {
      Object inner = new GenericRowWithSchema(new Object[] {"v" + i % 9, (long) i}, INNER);
      Object[] values = {
        new Date(i * 1_000_000L),
        new Timestamp(i),
        new java.math.BigDecimal(i),
        i % 5 == 3 ? null : inner,
        i % 7 == 1 ? null : new scala.collection.immutable.Map.Map1<>("a", i)
      };
      rows[i] = schema == null ? new GenericRow(values) : new GenericRowWithSchema(values, schema);
    }
    return rows;
  }

  private static int kindOfFirst(SerializerInstance serow, Object object) {
    return write(serow, object)[0] & BlockHeader.KIND;
  }

  @Test
  void rowsComeBackWithTheirSchemas() {
    for (StructType schema : new StructType[] {SCHEMA, null}) {
      Object[] rows = rows(schema, 3_000);
      byte[] bytes = write(instance(), rows);
      List<Object> back = read(instance(), bytes);
      assertEquals(List.of(rows), back);
      StructType first = ((GenericRow) back.get(0)).schema();
      assertEquals(schema, first);
      for (Object row : back) {
        assertSame(first, ((GenericRow) row).schema());
      }
      int kryo = write(new KryoSerializer(Streams.conf()).newInstance(), rows).length;
      assertTrue(bytes.length < kryo / 8, bytes.length + " of " + kryo);
    }
  }

  @Test
  void manySchemasMayTakeTurns() {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      StructType schema = new StructType().add("c" + i % 40, DataTypes.IntegerType);
      rows.add(new GenericRowWithSchema(new Object[] {i}, schema));
    }
    List<Object> back = read(instance(), write(instance(), rows.toArray()));
    assertEquals(rows, back);
    for (int i = 0; i < 2_000; i++) {
      assertEquals(((GenericRow) rows.get(i)).schema(), ((GenericRow) back.get(i)).schema());
    }
  }

  @Test
  void schemasThatMayNameClassesGoToKryo() {
    StructType quoted = new StructType().add("a \"b\"", DataTypes.LongType);
    StructType named = new StructType().add("udt", DataTypes.LongType);
    for (StructType schema : List.of(quoted, named)) {
      Object row = new GenericRowWithSchema(new Object[] {1L}, schema);
      assertEquals(BlockHeader.KRYO, kindOfFirst(instance(), row));
      assertEquals(schema, ((GenericRow) read(instance(), write(instance(), row)).get(0)).schema());
    }
    Object row = new GenericRowWithSchema(new Object[] {1L}, INNER);
    assertEquals(BlockHeader.ROWS, kindOfFirst(instance(), row));
  }

  @Test
  void textsOfDamagedBytesAreRefused() {
    SchemaTexts texts = new SchemaTexts();
    String text = texts.text(INNER);
    assertEquals(INNER, texts.object(text));
    assertEquals(INNER, texts.object(INNER.json()));
    assertTrue(text.length() < INNER.json().length() / 2, text);
    assertSame(texts.object(text), texts.object(text));
    assertNull(texts.text(new StructType().add("udt", DataTypes.LongType)));
    String type = "{\"type\":\"udt\",\"class\":\"no.Such\",\"pyClass\":null,\"sqlType\":\"long\"}";
    List<String> damaged =
        List.of(
            "",
            "1",
            "\"long\"",
            "{}",
            "[",
            text.substring(1),
            text.replace("long", "lang"),
            type,
            type.replace("udt", "\\u0075dt"),
            "[".repeat(100_000));
    for (String each : damaged) {
      assertThrows(IllegalArgumentException.class, () -> texts.object(each), each);
    }
  }
}
