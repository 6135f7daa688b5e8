package io.github.serow.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.function.Function;

/** The kinds of rows to convert, with the names and schemas of {@code benches/suite}. */
enum Workload {

  /** TPC-H's Part. */
  PART(
      "(i64, str, str, str, str, i64, str, f64, str)",
      Part::parse,
      RowRepresentation.plain(Object[].class),
      Part.ROWS,
      EarlierPartRecord.PARTS),

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

  /** Part's rows as maps. There is no class for them. */
  DICTS(
      "{\"partkey\": i64, \"name\": str, \"mfgr\": str, \"brand\": str, \"type\": str, "
          + "\"size\": i64, \"container\": str, \"retailprice\": f64, \"comment\": str}",
      Part::parseToMap,
      RowRepresentation.plain(LinkedHashMap.class),
      null,
      null),

  /** Five of lineitem's fields: numbers and a bool. */
  AMOUNTS(
      "(i64, i64, i64, f64, bool)",
      Amount::parse,
      RowRepresentation.plain(Object[].class),
      Amount.ROWS,
      AmountRecord.ROWS),

  /** The fields of Part that two versions of a record have. */
  VERSIONS(
      "(str, f64, i64, str, str, str, i64)",
      PartRecord::parse,
      RowRepresentation.plain(Object[].class),
      null,
      PartRecord.ROWS);

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

  /** The workload with this name. */
  static Workload named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** The text of the rows' schema. */
  String schema() {
    return schema;
  }

  /** Parses a line of its table; every object in the row is new. */
  Object parse(String line) {
    return parse.apply(line);
  }

  /** Rows in the form of {@link #parse}. */
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
