package io.github.serow.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.function.Function;

/** The rows that are converted, by the names and of the schemas of {@code benches/suite}. */
enum Workload {

  /** TPC-H's Part. */
  PART(
      "(i64, str, str, str, str, i64, str, f64, str)",
      Part::parse,
      RowRepresentation.plain(Object[].class),
      Part.ROWS,
      null),

  /** TPC-H's lineitem. */
  LINEITEM(
      "(i64, i64, i64, i64, decimal, decimal, decimal, decimal, str, str, date, date, date, "
          + "str, str, str)",
      Lineitem::parse,
      RowRepresentation.plain(Object[].class, BigDecimal.class, LocalDate.class),
      Lineitem.ROWS,
      LineitemRecord.ROWS),

  /** Nested rows. */
  READINGS(
      "(i64, {\"name\": str, \"room\": i64, \"indoors\": bool}, [f64], f64, str?, date, decimal)",
      Reading::parse,
      RowRepresentation.plain(
          Object[].class, BigDecimal.class, LocalDate.class, ArrayList.class, LinkedHashMap.class),
      Reading.ROWS,
      ReadingRecord.ROWS),

  /** Part's rows as maps. Who has maps has no class. */
  DICTS(
      "{\"partkey\": i64, \"name\": str, \"mfgr\": str, \"brand\": str, \"type\": str, "
          + "\"size\": i64, \"container\": str, \"retailprice\": f64, \"comment\": str}",
      Part::parseToMap,
      RowRepresentation.plain(LinkedHashMap.class),
      null,
      null);

  private final String schema;
  private final Function<String, Object> parse;
  private final RowRepresentation plain;
  private final RowRepresentation objects;
  private final RowRepresentation records;

  Workload(
      String schema,
      Function<String, Object> parse,
      RowRepresentation plain,
      RowRepresentation objects,
      RowRepresentation records) {
    this.schema = schema;
    this.parse = parse;
    this.plain = plain;
    this.objects = objects;
    this.records = records;
  }

  /** The workload that Python calls so. */
  static Workload named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** The text of its rows' schema. */
  String schema() {
    return schema;
  }

  /** The row of a line of its table, every object in it new. */
  Object parse(String line) {
    return parse.apply(line);
  }

  /** Rows as {@link #parse} gives them. */
  RowRepresentation plain() {
    return plain;
  }

  /** Rows as objects of a class with fields. */
  RowRepresentation objects() {
    return present(objects);
  }

  /** Rows as records. */
  RowRepresentation records() {
    return present(records);
  }

  private RowRepresentation present(RowRepresentation representation) {
    if (representation == null) {
      throw new IllegalArgumentException("rows of " + this + " have no such class");
    }
    return representation;
  }
}
