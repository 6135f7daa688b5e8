package io.github.serow.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A row of TPC-H Part as a class, for entrants that serialize classes. */
public final class Part {
  static final RowRepresentation ROWS =
      new RowRepresentation(
          Part.class, List.of(), row -> of((Object[]) row), part -> ((Part) part).toRow());

  long partkey;
  String name;
  String mfgr;
  String brand;
  String type;
  long size;
  String container;
  double retailprice;
  String comment;

  /** Required by Kryo and Fory. */
  public Part() {}

  /** Parses a line of the table. */
  static Object[] parse(String line) {
    String[] fields = line.split("\\|", -1);
    return new Object[] {
      Long.valueOf(fields[0]),
      fields[1],
      fields[2],
      fields[3],
      fields[4],
      Long.valueOf(fields[5]),
      fields[6],
      Double.valueOf(fields[7]),
      fields[8]
    };
  }

  /** Parses a line of the table to a map. */
  static Map<String, Object> parseToMap(String line) {
    Object[] row = parse(line);
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("partkey", row[0]);
    map.put("name", row[1]);
    map.put("mfgr", row[2]);
    map.put("brand", row[3]);
    map.put("type", row[4]);
    map.put("size", row[5]);
    map.put("container", row[6]);
    map.put("retailprice", row[7]);
    map.put("comment", row[8]);
    return map;
  }

  private static Part of(Object[] row) {
    Part part = new Part();
    part.partkey = (Long) row[0];
    part.name = (String) row[1];
    part.mfgr = (String) row[2];
    part.brand = (String) row[3];
    part.type = (String) row[4];
    part.size = (Long) row[5];
    part.container = (String) row[6];
    part.retailprice = (Double) row[7];
    part.comment = (String) row[8];
    return part;
  }

  private Object[] toRow() {
    return new Object[] {partkey, name, mfgr, brand, type, size, container, retailprice, comment};
  }
}
