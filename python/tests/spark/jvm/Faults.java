import io.github.serow.spark.SerowSerializer;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** Jobs on data classes in which memory, executors or classes are missing. */
public final class Faults {
  private static final int CUSTOMERS = 97;

  /** A part of an order. */
  public record Line(String product, int count, double price) implements Serializable {}

  /** A row of all jobs. */
  public record Order(long id, String customer, Instant at, List<Line> lines)
      implements Serializable {}

  private final JavaSparkContext context;
  private final int orders;
  private final int maps;
  private final int partitions;
  private final AtomicLong spilled = new AtomicLong();
  private final AtomicLong removed = new AtomicLong();

  private Faults(int orders, int maps, int partitions) {
    context = new JavaSparkContext(new SparkConf());
    context.setLogLevel("OFF");
    this.orders = orders;
    this.maps = maps;
    this.partitions = partitions;
    context
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskMetrics() != null) {
                  spilled.addAndGet(end.taskMetrics().diskBytesSpilled());
                }
              }

              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
                removed.incrementAndGet();
              }
            });
  }

  private static Order order(long id) {
    int lines = (int) (id % 4);
    return new Order(
        id,
        customer(id),
        Instant.ofEpochSecond(1_700_000_000L + id, id % 1000),
        // Kryo writes a list that rows do not have.
        id % 1000 == 999
            ? new Vector<>(List.of(new Line("rare", 1, 0.5)))
            : new ArrayList<>(
                IntStream.range(0, lines)
                    .mapToObj(n -> new Line("product " + (id + n) % 300, n, n / 8.0))
                    .toList()));
  }

  private static String customer(long id) {
    return "customer " + id % CUSTOMERS;
  }

  private static long mixed(Object object) {
    return object.hashCode() * 0x9E3779B97F4A7C15L >>> 7;
  }

  private JavaRDD<Order> made() {
    List<Integer> starts = IntStream.range(0, maps).boxed().toList();
    int step = maps;
    int end = orders;
    return context
        .parallelize(starts, maps)
        .flatMap(
            start ->
                LongStream.iterate(start, id -> id < end, id -> id + step)
                    .mapToObj(Faults::order)
                    .iterator());
  }

  private JavaPairRDD<String, Order> byCustomer(JavaRDD<Order> rows) {
    return rows.mapToPair(order -> new Tuple2<>(order.customer(), order));
  }

  private void check(String what, JavaRDD<Order> found) {
    Tuple2<Long, Long> sums =
        found.aggregate(
            new Tuple2<>(0L, 0L),
            (sum, order) -> new Tuple2<>(sum._1 + 1, sum._2 + mixed(order)),
            (one, two) -> new Tuple2<>(one._1 + two._1, one._2 + two._2));
    long expected = LongStream.range(0, orders).map(id -> mixed(order(id))).sum();
    require(what, sums._1 == orders && sums._2 == expected);
  }

  private static void require(String what, boolean isTrue) {
    if (!isTrue) {
      throw new AssertionError(what);
    }
    System.out.println("passed: " + what);
  }

  /** Checks what all ways through the serializer give. */
  private void checkAll(JavaRDD<Order> rows) {
    JavaPairRDD<String, Order> pairs = byCustomer(rows);
    check("groupByKey", pairs.groupByKey(partitions).flatMap(group -> group._2.iterator()));
    check("sortByKey", pairs.sortByKey(true, partitions).values());
    check(
        "aggregateByKey",
        pairs
            .aggregateByKey(
                new ArrayList<Order>(),
                partitions,
                (list, order) -> {
                  list.add(order);
                  return list;
                },
                (one, two) -> {
                  one.addAll(two);
                  return one;
                })
            .flatMap(group -> group._2.iterator()));
    JavaPairRDD<Long, Order> byId = rows.mapToPair(order -> new Tuple2<>(order.id(), order));
    check("join", byId.join(byId, partitions).map(pair -> pair._2._1));
    List<Order> collected = rows.collect();
    require(
        "collect",
        collected.size() == orders
            && collected.stream().mapToLong(Faults::mixed).sum() == sum(orders));
  }

  private static long sum(int orders) {
    return LongStream.range(0, orders).map(id -> mixed(order(id))).sum();
  }

  /** Spark has memory for a small part of the rows. */
  private void littleMemory() throws Exception {
    checkAll(made());
    require("tasks have spilled", counted(spilled) > 0);
    for (StorageLevel level :
        List.of(StorageLevel.MEMORY_ONLY_SER(), StorageLevel.MEMORY_AND_DISK_SER())) {
      JavaRDD<Order> cached = made().coalesce(2).persist(level);
      check("cached, " + level.description(), cached);
      check("cached, again", cached);
      cached.unpersist(true);
    }
  }

  /** Shuffles to 2,000 partitions. Spark sorts serialized rows, or objects if relocation is off. */
  private void manyPartitions() {
    JavaPairRDD<String, Order> pairs =
        made().mapToPair(order -> new Tuple2<>("order " + order.id(), order));
    check("repartition", pairs.partitionBy(new HashPartitioner(partitions)).values());
    check("groupByKey", pairs.groupByKey(partitions).flatMap(group -> group._2.iterator()));
  }

  /** An executor ends in each of two jobs. */
  private void killedExecutors() throws Exception {
    JavaRDD<Order> kept = made().persist(StorageLevel.MEMORY_AND_DISK_SER_2());
    check("cached", kept);
    JavaRDD<Order> shuffled =
        byCustomer(kept).groupByKey(partitions).flatMap(all -> all._2.iterator());
    check("shuffled", shuffled);
    check("an executor ends", shuffled.mapPartitions(Faults::endsOnce));
    check("shuffled, again", shuffled);
    check("an executor ends", kept.mapPartitions(Faults::endsOnce));
    check("cached, again", kept);
    checkAll(kept);
    require("two executors have ended", counted(removed) >= 2);
  }

  /** Ends the JVM in the first attempt of partition 1. */
  private static Iterator<Order> endsOnce(Iterator<Order> rows) {
    TaskContext task = TaskContext.get();
    if (task.partitionId() == 1 && task.attemptNumber() == 0 && task.stageAttemptNumber() == 0) {
      rows.next();
      Runtime.getRuntime().halt(9);
    }
    return rows;
  }

  /** Executors end because nobody uses them, and others take their place. */
  private void dynamicAllocation() throws Exception {
    JavaRDD<Order> kept = made().persist(StorageLevel.MEMORY_ONLY_SER());
    JavaRDD<Order> shuffled =
        byCustomer(kept).groupByKey(partitions).flatMap(all -> all._2.iterator());
    check("shuffled", shuffled);
    for (int tries = 0; executors() > 0; tries++) {
      if (tries == 600) {
        throw new AssertionError("idle executors do not end");
      }
      Thread.sleep(100);
    }
    require("executors have ended", counted(removed) > 0);
    check("cached, again", kept);
    check("shuffled, again", shuffled);
    checkAll(kept);
  }

  /** A number that a listener counts, after all events until now. */
  private long counted(AtomicLong number) throws Exception {
    context.sc().listenerBus().waitUntilEmpty();
    return number.get();
  }

  private int executors() {
    return context.sc().statusTracker().getExecutorInfos().length - 1;
  }

  /** Only the driver has {@link OnlyHere}. */
  private void missingClass() {
    List<OnlyHere> rows = IntStream.range(0, 500).mapToObj(OnlyHere::new).toList();
    try {
      context.parallelize(rows, 2).map(Object::toString).collect();
    } catch (Exception error) {
      for (Throwable at = error; at != null; at = at.getCause()) {
        System.out.println("failed: " + at.getMessage());
      }
    }
    check("the next job", made());
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> sizes = Map.of("little-memory", 60_000, "many-partitions", 20_000);
    String job = arguments[0];
    int partitions = job.equals("many-partitions") ? 2000 : 5;
    Faults faults = new Faults(sizes.getOrDefault(job, 10_000), 4, partitions);
    switch (job) {
      case "little-memory" -> faults.littleMemory();
      case "many-partitions" -> faults.manyPartitions();
      case "killed-executors" -> faults.killedExecutors();
      case "dynamic-allocation" -> faults.dynamicAllocation();
      case "missing-class" -> faults.missingClass();
      default -> throw new IllegalArgumentException(job);
    }
    System.out.println(SerowSerializer.explain());
    faults.context.stop();
    System.out.println("done: " + job);
  }
}
