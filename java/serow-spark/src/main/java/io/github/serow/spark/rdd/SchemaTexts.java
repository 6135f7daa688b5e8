package io.github.serow.spark.rdd;

import io.github.serow.spark.exact.RowClasses;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * The JSON of schemas, which Spark defines. Usually all rows have one schema, so the texts and the
 * schemas that were made last are kept.
 *
 * <p>The JSON of a user-defined type names a class, of which Spark would make an object. So a text
 * with such a type is refused, and also one with an escape, which could hide it.
 */
final class SchemaTexts implements RowClasses.Texts {
  /** Their class. Spark's core alone does not have it. */
  static final String CLASS = "org.apache.spark.sql.types.StructType";

  /**
   * Parts of the JSON of most schemas, and the characters that stand for them: JSON contains none
   * of these. Each row has the text, so a block of 256 KiB has more rows if it is short.
   */
  private static final List<Map.Entry<String, String>> SHORT =
      List.of(
          Map.entry("{\"type\":\"struct\",\"fields\":[", "\u0001"),
          Map.entry("{\"name\":\"", "\u0002"),
          Map.entry("\",\"type\":\"", "\u0003"),
          Map.entry("\",\"nullable\":true,\"metadata\":{}}", "\u0004"));

  /** Must be a power of two. */
  private static final int KEPT = 16;

  /** A schema and its text, which is null if the text would not give an equal schema. */
  private record Known(StructType schema, String text) {}

  /** By the lowest bits of the identity of a schema. Threads overwrite each other's. */
  private final Known[] known = new Known[KEPT];

  private final Map<String, StructType> schemas = new ConcurrentHashMap<>();

  @Override
  public String text(Object object) {
    int at = System.identityHashCode(object) & KEPT - 1;
    Known last = known[at];
    if (last == null || last.schema != object) {
      StructType schema = (StructType) object;
      last = new Known(schema, checkedText(schema));
      known[at] = last;
    }
    return last.text;
  }

  private static String checkedText(StructType schema) {
    String text = schema.json();
    if (!isSafe(text) || !parsed(text).equals(schema)) {
      return null;
    }
    for (Map.Entry<String, String> part : SHORT) {
      text = text.replace(part.getKey(), part.getValue());
    }
    return text;
  }

  private static String json(String text) {
    String json = text;
    for (Map.Entry<String, String> part : SHORT) {
      json = json.replace(part.getValue(), part.getKey());
    }
    return json;
  }

  private static boolean isSafe(String text) {
    return text.indexOf('\\') < 0 && !text.contains("\"udt\"");
  }

  @Override
  public Object object(String text) {
    StructType schema = schemas.get(text);
    if (schema == null) {
      String json = json(text);
      if (!isSafe(json)) {
        throw new IllegalArgumentException("the schema of a row may name a class: " + json);
      }
      if (!(parsed(json) instanceof StructType made)) {
        throw new IllegalArgumentException("a row has no schema: " + json);
      }
      if (schemas.size() >= KEPT) {
        schemas.clear();
      }
      schemas.put(text, made);
      schema = made;
    }
    return schema;
  }

  private static DataType parsed(String text) {
    try {
      return DataType.fromJson(text);
    } catch (Exception e) {
      // Scala's methods do not declare their checked exceptions.
      throw new IllegalArgumentException("a row has no schema: " + text, e);
    }
  }
}
