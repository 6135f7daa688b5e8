package io.github.serow.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * What no serializer of these objects can be faster than: it visits every object of a row and
 * writes nothing, and makes the objects of rows and reads nothing.
 *
 * <p>Its "message" is a number of rows. It makes that many rows like the first ones that it saw.
 * Like decoders of frames, it makes no objects for texts and dates that repeat.
 */
final class FloorEntrant extends RowsEntrant {

  /** The number of rows that others are made like; few enough to stay in the cache. */
  private static final int MODELS = 64;

  /** What the texts are copied from. */
  private static final byte[] LETTERS = "serow ".repeat(20_000).getBytes(ISO_8859_1);

  private final ToLongFunction<Object> visit;
  private final UnaryOperator<Object> make;
  private List<?> models = List.of();

  /** Kept so that the compiler can't remove the visits. */
  private long seen;

  private FloorEntrant(
      RowRepresentation representation, ToLongFunction<Object> visit, UnaryOperator<Object> make) {
    super(representation);
    this.visit = visit;
    this.make = make;
  }

  /** For plain rows. */
  static FloorEntrant ofPlain(Workload workload) {
    return switch (workload) {
      case PART ->
          new FloorEntrant(
              workload.plain(), row -> visitPart((Object[]) row), row -> makePart((Object[]) row));
      case LINEITEM ->
          new FloorEntrant(
              workload.plain(),
              row -> visitLineitem((Object[]) row),
              row -> makeLineitem((Object[]) row));
      default -> throw new IllegalArgumentException("no floor of plain rows of " + workload);
    };
  }

  /** For records. */
  static FloorEntrant ofRecords(Workload workload) {
    return switch (workload) {
      case LINEITEM ->
          new FloorEntrant(
              workload.records(),
              row -> visitLineitem((LineitemRecord) row),
              row -> makeLineitem((LineitemRecord) row));
      case READINGS ->
          new FloorEntrant(
              workload.records(),
              row -> visitReading((ReadingRecord) row),
              row -> makeReading((ReadingRecord) row));
      default -> throw new IllegalArgumentException("no floor of records of " + workload);
    };
  }

  @Override
  public List<byte[]> encode(List<?> rows) {
    encodeRetained(rows);
    models = List.copyOf(rows.subList(0, Math.min(MODELS, rows.size())));
    return List.of(ByteBuffer.allocate(Integer.BYTES).putInt(rows.size()).array());
  }

  @Override
  public long encodeRetained(List<?> rows) {
    for (Object row : rows) {
      seen += visit.applyAsLong(row);
    }
    return Integer.BYTES;
  }

  @Override
  public List<?> decode(List<byte[]> messages) {
    Object[] rows = new Object[ByteBuffer.wrap(messages.get(0)).getInt()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = make.apply(models.get(i % models.size()));
    }
    return List.of(rows);
  }

  @Override
  public byte[] encodeRow(Object row) {
    seen += visit.applyAsLong(row);
    return new byte[0];
  }

  @Override
  public Object decodeRow(byte[] message) {
    return make.apply(models.get(0));
  }

  private static long visitPart(Object[] row) {
    return visitNumber(row[0])
        + visitText(row[1])
        + visitText(row[2])
        + visitText(row[3])
        + visitText(row[4])
        + visitNumber(row[5])
        + visitText(row[6])
        + ((Double) row[7]).intValue()
        + visitText(row[8]);
  }

  private static Object[] makePart(Object[] row) {
    return new Object[] {
      makeNumber(row[0]),
      makeText(row[1]),
      row[2],
      row[3],
      row[4],
      makeNumber(row[5]),
      row[6],
      Double.valueOf((Double) row[7] + 1),
      makeText(row[8])
    };
  }

  private static long visitLineitem(Object[] row) {
    return visitNumber(row[0])
        + visitNumber(row[1])
        + visitNumber(row[2])
        + visitNumber(row[3])
        + ((BigDecimal) row[4]).scale()
        + ((BigDecimal) row[5]).scale()
        + ((BigDecimal) row[6]).scale()
        + ((BigDecimal) row[7]).scale()
        + visitText(row[8])
        + visitText(row[9])
        + ((LocalDate) row[10]).getDayOfMonth()
        + ((LocalDate) row[11]).getDayOfMonth()
        + ((LocalDate) row[12]).getDayOfMonth()
        + visitText(row[13])
        + visitText(row[14])
        + visitText(row[15]);
  }

  private static Object[] makeLineitem(Object[] row) {
    return new Object[] {
      makeNumber(row[0]),
      makeNumber(row[1]),
      makeNumber(row[2]),
      makeNumber(row[3]),
      makeDecimal((BigDecimal) row[4]),
      makeDecimal((BigDecimal) row[5]),
      makeDecimal((BigDecimal) row[6]),
      makeDecimal((BigDecimal) row[7]),
      row[8],
      row[9],
      row[10],
      row[11],
      row[12],
      row[13],
      row[14],
      makeText(row[15])
    };
  }

  private static long visitLineitem(LineitemRecord row) {
    return row.orderkey()
        + row.partkey()
        + row.suppkey()
        + row.linenumber()
        + row.quantity().scale()
        + row.extendedprice().scale()
        + row.discount().scale()
        + row.tax().scale()
        + row.returnflag().length()
        + row.linestatus().length()
        + row.shipdate().getDayOfMonth()
        + row.commitdate().getDayOfMonth()
        + row.receiptdate().getDayOfMonth()
        + row.shipinstruct().length()
        + row.shipmode().length()
        + row.comment().length();
  }

  private static LineitemRecord makeLineitem(LineitemRecord row) {
    return new LineitemRecord(
        row.orderkey(),
        row.partkey(),
        row.suppkey(),
        row.linenumber(),
        makeDecimal(row.quantity()),
        makeDecimal(row.extendedprice()),
        makeDecimal(row.discount()),
        makeDecimal(row.tax()),
        row.returnflag(),
        row.linestatus(),
        row.shipdate(),
        row.commitdate(),
        row.receiptdate(),
        row.shipinstruct(),
        row.shipmode(),
        makeText(row.comment()));
  }

  private static long visitReading(ReadingRecord row) {
    ReadingRecord.Sensor sensor = row.sensor();
    return row.key()
        + sensor.name().length()
        + sensor.room()
        + (sensor.indoors() ? 1 : 0)
        + row.samples().length
        + (long) row.mean()
        + (row.note() == null ? 0 : row.note().length())
        + row.day().getDayOfMonth()
        + row.cost().scale();
  }

  private static ReadingRecord makeReading(ReadingRecord row) {
    ReadingRecord.Sensor sensor = row.sensor();
    return new ReadingRecord(
        row.key(),
        new ReadingRecord.Sensor(sensor.name(), sensor.room(), sensor.indoors()),
        row.samples().clone(),
        row.mean(),
        row.note() == null ? null : makeText(row.note()),
        row.day(),
        makeDecimal(row.cost()));
  }

  private static long visitNumber(Object number) {
    return (Long) number;
  }

  /** Reads the length, for which the JVM visits the string and its bytes' header. */
  private static long visitText(Object text) {
    return ((String) text).length();
  }

  private static Long makeNumber(Object number) {
    return Long.valueOf((Long) number);
  }

  private static BigDecimal makeDecimal(BigDecimal decimal) {
    return BigDecimal.valueOf(1_000_000L, decimal.scale());
  }

  private static String makeText(Object text) {
    return new String(LETTERS, 0, ((String) text).length(), ISO_8859_1);
  }
}
