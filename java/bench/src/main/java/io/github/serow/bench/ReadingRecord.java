package io.github.serow.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A nested row as a record, for serow. Its samples are not boxed. */
public record ReadingRecord(
    long key,
    Sensor sensor,
    double[] samples,
    double mean,
    String note,
    LocalDate day,
    BigDecimal cost) {

  static final RowRepresentation ROWS =
      new RowRepresentation(
          ReadingRecord.class,
          List.of(),
          row -> of((Object[]) row),
          reading -> ((ReadingRecord) reading).toRow());

  /** The sensor of a reading; a map in plain rows. */
  public record Sensor(String name, long room, boolean indoors) {}

  private static ReadingRecord of(Object[] row) {
    Map<?, ?> sensor = (Map<?, ?>) row[1];
    return new ReadingRecord(
        (Long) row[0],
        new Sensor(
            (String) sensor.get("name"),
            (Long) sensor.get("room"),
            (Boolean) sensor.get("indoors")),
        ((List<?>) row[2]).stream().mapToDouble(sample -> (Double) sample).toArray(),
        (Double) row[3],
        (String) row[4],
        (LocalDate) row[5],
        (BigDecimal) row[6]);
  }

  private Object[] toRow() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", sensor.name);
    map.put("room", sensor.room);
    map.put("indoors", sensor.indoors);
    List<Double> boxed = new ArrayList<>();
    for (double sample : samples) {
      boxed.add(sample);
    }
    return new Object[] {key, map, boxed, mean, note, day, cost};
  }
}
