package io.github.serow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** The types of several components, for property tests. */
final class LogicalShapes {
  private static final Arbitrary<Long> LONGS = Arbitraries.longs();

  /** Integers around every size in bytes, and random ones. */
  static final Arbitrary<BigInteger> INTEGERS =
      Arbitraries.oneOf(
          LONGS.map(BigInteger::valueOf),
          Arbitraries.integers().between(0, 40).flatMap(LogicalShapes::aroundPower),
          Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(40).map(BigInteger::new));

  static final Arbitrary<byte[]> BYTES =
      Arbitraries.oneOf(
          Arbitraries.bytes().array(byte[].class).ofMaxSize(20),
          Arbitraries.of("", "a", "\u00ff").map(text -> text.getBytes()));

  static final Arbitrary<LocalDate> DATES =
      Arbitraries.oneOf(
          Arbitraries.longs()
              .between(LocalDate.MIN.toEpochDay(), LocalDate.MAX.toEpochDay())
              .map(LocalDate::ofEpochDay),
          Arbitraries.of(LocalDate.MIN, LocalDate.MAX, LocalDate.EPOCH, LocalDate.of(0, 2, 29)),
          Arbitraries.integers().between(19_000, 19_100).map(day -> LocalDate.ofEpochDay(day)));

  static final Arbitrary<LocalTime> TIMES =
      Arbitraries.oneOf(
          Arbitraries.longs().between(0, LocalTime.MAX.toNanoOfDay()).map(LocalTime::ofNanoOfDay),
          Arbitraries.of(LocalTime.MIN, LocalTime.MAX, LocalTime.NOON, LocalTime.of(1, 2, 3, 999)));

  static final Arbitrary<ZoneOffset> OFFSETS =
      Arbitraries.oneOf(
          Arbitraries.integers().between(-64_800, 64_800).map(ZoneOffset::ofTotalSeconds),
          Arbitraries.of(ZoneOffset.UTC, ZoneOffset.MIN, ZoneOffset.MAX));

  /** Any time in the range of 64-bit microseconds, with nanoseconds. */
  static final Arbitrary<LocalDateTime> TIMESTAMPS =
      Arbitraries.oneOf(
          Combinators.combine(
                  Arbitraries.oneOf(LONGS, Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, -1L)),
                  Arbitraries.integers().between(0, 999))
              .as(LogicalShapes::timestamp),
          Combinators.combine(DATES.filter(date -> Math.abs(date.getYear()) < 290_000), TIMES)
              .as(LocalDateTime::of));

  /** Regions of all kinds: some change their clocks by an hour or less, or by a whole day. */
  static final Arbitrary<ZoneId> REGIONS =
      Arbitraries.of(
              "Europe/Berlin",
              "America/New_York",
              "America/St_Johns",
              "Australia/Lord_Howe",
              "Asia/Kolkata",
              "Africa/Monrovia",
              "Pacific/Apia",
              "Etc/GMT+5",
              "UTC",
              "GMT")
          .map(ZoneId::of);

  /** Often near a change of the clocks. */
  static final Arbitrary<ZonedDateTime> ZONED =
      Combinators.combine(
              REGIONS,
              Arbitraries.longs().between(-3_000_000_000L, 4_000_000_000L),
              Arbitraries.integers().between(-7_200, 7_200),
              Arbitraries.of(true, false),
              Arbitraries.integers().between(0, 999_999_999))
          .as(LogicalShapes::zoned);

  static final Arbitrary<BigDecimal> DECIMALS =
      Arbitraries.oneOf(
          Combinators.combine(INTEGERS, Arbitraries.integers()).as(BigDecimal::new),
          Combinators.combine(INTEGERS, Arbitraries.of(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 2))
              .as(BigDecimal::new),
          Arbitraries.integers().map(cents -> BigDecimal.valueOf(cents, 2)),
          Arbitraries.of("0", "0.00", "0E+7", "-1E-9", "100", "1E+2").map(BigDecimal::new));

  static final Arbitrary<Double> FLOATS =
      Arbitraries.oneOf(
          LONGS.map(Double::longBitsToDouble),
          Arbitraries.of(0.0, -0.0, Double.NaN, Double.longBitsToDouble(0x7ff0_0000_0000_0001L)));

  /** Arrays of up to four dimensions. */
  static final Arbitrary<NdArray> ND_ARRAYS =
      Combinators.combine(
              Arbitraries.of(NdArray.ElementType.class),
              Arbitraries.integers().between(0, 3).list().ofMaxSize(4),
              LONGS,
              Arbitraries.of(true, false))
          .as(LogicalShapes::array);

  private LogicalShapes() {}

  private static NdArray array(
      NdArray.ElementType type, List<Integer> lengths, long seed, boolean isBigEndian) {
    long[] shape = lengths.stream().mapToLong(length -> length).toArray();
    byte[] bytes = new byte[type.size() * lengths.stream().reduce(1, (a, b) -> a * b)];
    new Random(seed).nextBytes(bytes);
    for (int i = 0; type == NdArray.ElementType.BOOL && i < bytes.length; i++) {
      bytes[i] &= 1;
    }
    return NdArray.of(type, ByteBuffer.wrap(bytes), shape).withBigEndian(isBigEndian);
  }

  /** One for each type; in a union, nothing distinguishes {@code int} from {@code i64}. */
  static List<Shape> all() {
    return List.of(
        shape("int", "i64", INTEGERS),
        shape("bytes", BYTES),
        new Shape("bytearray", "bytearray", BYTES.map(ByteBuffer::wrap), false),
        shape("date", DATES),
        shape("time", TIMES),
        shape("timetz", Combinators.combine(TIMES, OFFSETS).as(OffsetTime::of)),
        shape("timestamp", TIMESTAMPS),
        shape(
            "timestamptz",
            Arbitraries.oneOf(
                Combinators.combine(TIMESTAMPS, OFFSETS).as(OffsetDateTime::of), ZONED)),
        shape(
            "duration",
            Combinators.combine(
                    Arbitraries.oneOf(LONGS, Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE)),
                    Arbitraries.integers().between(0, 999_999_999))
                .as((seconds, nanos) -> Duration.ofSeconds(seconds, nanos))),
        shape("decimal", DECIMALS),
        shape("uuid", Combinators.combine(LONGS, LONGS).as(UUID::new)),
        shape("complex", Combinators.combine(FLOATS, FLOATS).as(Complex::new)),
        new Shape("ndarray", "ndarray", ND_ARRAYS.map(array -> array), false));
  }

  private static Shape shape(String text, Arbitrary<?> values) {
    return shape(text, text, values);
  }

  private static Shape shape(String text, String kind, Arbitrary<?> values) {
    return new Shape(text, kind, values.map(value -> (Object) value));
  }

  private static Arbitrary<BigInteger> aroundPower(int bytes) {
    BigInteger power = BigInteger.TWO.pow(8 * bytes);
    return Arbitraries.of(power, power.shiftRight(1))
        .flatMap(edge -> Arbitraries.of(edge, edge.negate()))
        .flatMap(
            edge -> Arbitraries.integers().between(-1, 1).map(BigInteger::valueOf).map(edge::add));
  }

  private static LocalDateTime timestamp(long micros, int nanos) {
    long seconds = Math.floorDiv(micros, 1_000_000L);
    int rest = (int) Math.floorMod(micros, 1_000_000L);
    return LocalDateTime.ofEpochSecond(seconds, 1000 * rest + nanos, ZoneOffset.UTC);
  }

  private static ZonedDateTime zoned(
      ZoneId region, long second, int away, boolean turned, int nanos) {
    Instant instant = Instant.ofEpochSecond(second);
    var turn = turned ? region.getRules().nextTransition(instant) : null;
    Instant near = turn == null ? instant : turn.getInstant().plusSeconds(away);
    return near.plusNanos(nanos).atZone(region);
  }
}
