package io.github.serow.spark.exact;

import io.github.serow.NdArray;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Random objects of nested classes of Java and of one version of Scala. */
final class RandomObjects {
  private static final int KINDS = 34;

  private final Random random;
  private final Object scala;
  private final Method next;
  private final Method nextKey;

  /** How much deeper objects may nest. */
  private int depth;

  RandomObjects(long seed, ScalaVersion version) {
    random = new Random(seed);
    Supplier<Object> inner = this::inner;
    Supplier<Object> key = this::key;
    try {
      Class<?> type = version.type("ExactValues");
      scala = type.getConstructors()[0].newInstance(random, inner, key);
      next = type.getMethod("next");
      nextKey = type.getMethod("nextKey");
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** A record of Java. */
  record Part(int key, String name, Object any, char[] chars, float weight) {}

  record Wide(
      boolean bool, byte small, short less, char letter, float weight, double price, Long boxed) {}

  /** Fields that setters or a constructor would not all reach. */
  static class Bean {
    private int number;
    protected Object any;
    char letter = 'x';
    float weight = Float.intBitsToFloat(0x7fa00001);
  }

  static final class MoreBean extends Bean {
    private final long number;
    private final Object more;

    MoreBean(Object more) {
      number = System.nanoTime();
      this.more = more;
    }
  }

  /** Its constructor only stores. */
  static class Stored {
    private final Object first;
    private final double second;

    Stored(double second, Object first) {
      this.first = first;
      this.second = second;
    }
  }

  static final class MoreStored extends Stored {
    private final float third;

    MoreStored(Object first, float third, double second) {
      super(second, first);
      this.third = third;
    }
  }

  enum Color {
    RED,
    GREEN {
      @Override
      int value() {
        return 2;
      }
    };

    int value() {
      return 1;
    }
  }

  /** A row whose objects nest up to {@code most} deep. */
  Object row(int most) {
    depth = most;
    return inner();
  }

  private Object call(Method method) {
    try {
      return method.invoke(scala);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** An object that has a hash and equals only objects of its class. */
  Object key() {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt();
      case 1 -> "k" + random.nextInt(1000);
      case 2 -> Color.GREEN;
      case 3 -> new UUID(random.nextLong(), 1);
      default -> call(nextKey);
    };
  }

  Object inner() {
    if (depth == 0) {
      return scalar();
    }
    depth--;
    try {
      return switch (random.nextInt(3)) {
        case 0 -> scalar();
        case 1 -> call(next);
        default -> object();
      };
    } finally {
      depth++;
    }
  }

  private Object scalar() {
    return switch (random.nextInt(22)) {
      case 0 -> null;
      case 1 -> random.nextInt();
      case 2 -> random.nextLong();
      case 3 -> (short) random.nextInt();
      case 4 -> (byte) random.nextInt();
      case 5 -> (char) random.nextInt();
      case 6 -> random.nextBoolean();
      case 7 -> Float.intBitsToFloat(random.nextInt());
      case 8 -> Double.longBitsToDouble(random.nextLong());
      case 9 -> new BigInteger(random.nextInt(99), random);
      case 10 -> BigDecimal.valueOf(random.nextInt(), random.nextInt(9));
      case 11 -> LocalDate.ofEpochDay(random.nextInt(9999));
      case 12 -> LocalTime.ofNanoOfDay(random.nextInt(1_000_000));
      case 13 -> LocalDateTime.of(2024, 1, 1, random.nextInt(24), 0);
      case 14 -> Duration.ofNanos(random.nextLong());
      case 15 -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(9));
      case 16 -> new UUID(random.nextLong(), random.nextLong());
      case 17 -> random.nextBoolean() ? Color.RED : Color.GREEN;
      case 18 -> random.nextBoolean() ? DayOfWeek.FRIDAY : TimeUnit.DAYS;
      case 19 -> date();
      case 20 -> NdArray.of(new float[] {random.nextFloat(), 2}, 1, 2);
      default -> random.nextBoolean() ? "almond" : "alm\u00f6nd \ud83d\ude00 \ud800";
    };
  }

  private Date date() {
    long time = random.nextLong();
    Timestamp timestamp = new Timestamp(random.nextInt() * 1_000_000L);
    timestamp.setNanos(random.nextInt(1_000_000_000));
    return List.of(new Date(time), new java.sql.Date(time), new Time(time), timestamp)
        .get(random.nextInt(4));
  }

  private List<Object> some() {
    List<Object> some = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      some.add(inner());
    }
    return some;
  }

  private Map<Object, Object> entries() {
    Map<Object, Object> some = new HashMap<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      some.put(key(), inner());
    }
    return some;
  }

  private Object object() {
    return switch (random.nextInt(KINDS)) {
      case 0 -> new int[] {random.nextInt(), 2};
      case 1 -> new long[] {random.nextLong()};
      case 2 -> new byte[random.nextInt(5)];
      case 3 -> new short[] {(short) random.nextInt(), 2};
      case 4 -> "chars".toCharArray();
      case 5 -> new float[] {Float.intBitsToFloat(random.nextInt())};
      case 6 -> new double[] {Double.longBitsToDouble(random.nextLong())};
      case 7 -> new boolean[] {true, random.nextBoolean()};
      case 8 -> new String[] {"a", null};
      case 9 -> some().toArray();
      case 10 -> new int[][] {{1}, {}, null};
      case 11 -> new Comparable<?>[] {1, "b", null};
      case 12 -> new Part[] {new Part(1, "a", inner(), null, 1.5f)};
      case 13 -> new ArrayList<>(some());
      case 14 -> new LinkedList<>(some());
      case 15 -> new ArrayDeque<>(List.of(1, "a"));
      case 16 -> new HashSet<>(entries().keySet());
      case 17 -> new LinkedHashSet<>(entries().keySet());
      case 18 -> entries();
      case 19 -> new LinkedHashMap<>(entries());
      case 20 -> new byte[] {(byte) random.nextInt(), 2};
      case 21, 22, 23 ->
          new Part(random.nextInt(), "n", inner(), "c".toCharArray(), random.nextFloat());
      case 24 ->
          new Wide(true, (byte) 1, (short) 2, 'c', 0.5f, 1.5, random.nextBoolean() ? 1L : null);
      case 25, 26 -> bean(new Bean());
      case 27, 28 -> bean(new MoreBean(inner()));
      case 29 -> new Stored(random.nextDouble(), inner());
      case 30 -> new MoreStored(inner(), random.nextFloat(), random.nextDouble());
      case 31 -> new Color[] {Color.RED, Color.GREEN};
      case 32 -> Arrays.asList(Color.values()).get(random.nextInt(2));
      default -> new ArrayList<>(List.of(Map.of()).subList(0, 0));
    };
  }

  private Bean bean(Bean bean) {
    bean.number = random.nextInt();
    bean.any = inner();
    return bean;
  }
}
