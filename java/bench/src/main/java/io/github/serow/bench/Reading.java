package io.github.serow.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A nested row as a class, for entrants that serialize classes. Its samples are not boxed. */
public final class Reading {
  static final RowRepresentation ROWS =
      new RowRepresentation(
          Reading.class,
          List.of(BigDecimal.class, LocalDate.class, Sensor.class, double[].class),
          row -> of((Object[]) row),
          reading -> ((Reading) reading).toRow());

  private static final String NULL = "\\N";

  long key;
  Sensor sensor;
  double[] samples;
  double mean;
  String note;
  LocalDate day;
  BigDecimal cost;

  /** Required by Kryo and Fory. */
  public Reading() {}

  /** The sensor of a reading; a map in plain rows. */
  public static final class Sensor {
    String name;
    long room;
    boolean indoors;

    /** Required by Kryo and Fory. */
    public Sensor() {}
  }

  /** Parses a line of the table. */
  static Object[] parse(String line) {
    String[] fields = line.split("\\|", -1);
    List<Double> samples = new ArrayList<>();
    for (String sample : fields[4].split(";")) {
      if (!sample.isEmpty()) {
        samples.add(Double.valueOf(sample));
      }
    }
    return new Object[] {
      Long.valueOf(fields[0]),
      sensor(fields[1], Long.valueOf(fields[2]), fields[3].equals("1")),
      samples,
      Double.valueOf(fields[5]),
      fields[6].equals(NULL) ? null : fields[6],
      LocalDate.parse(fields[7]),
      new BigDecimal(fields[8])
    };
  }

  private static Map<String, Object> sensor(String name, Long room, Boolean indoors) {
    Map<String, Object> sensor = new LinkedHashMap<>();
    sensor.put("name", name);
    sensor.put("room", room);
    sensor.put("indoors", indoors);
    return sensor;
  }

  private static Reading of(Object[] row) {
    Reading reading = new Reading();
    reading.key = (Long) row[0];
    Map<?, ?> sensor = (Map<?, ?>) row[1];
    reading.sensor = new Sensor();
    reading.sensor.name = (String) sensor.get("name");
    reading.sensor.room = (Long) sensor.get("room");
    reading.sensor.indoors = (Boolean) sensor.get("indoors");
    List<?> samples = (List<?>) row[2];
    reading.samples = samples.stream().mapToDouble(sample -> (Double) sample).toArray();
    reading.mean = (Double) row[3];
    reading.note = (String) row[4];
    reading.day = (LocalDate) row[5];
    reading.cost = (BigDecimal) row[6];
    return reading;
  }

  private Object[] toRow() {
    List<Double> boxed = new ArrayList<>();
    for (double sample : samples) {
      boxed.add(sample);
    }
    Map<String, Object> map = sensor(sensor.name, sensor.room, sensor.indoors);
    return new Object[] {key, map, boxed, mean, note, day, cost};
  }
}
