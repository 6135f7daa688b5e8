package io.github.serow.sparkbench;

import java.util.stream.IntStream;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/** Spark's notes about the blocks that maps have written. Scala can't see these classes. */
public final class MapStatuses {
  private MapStatuses() {}

  /** Makes the statuses of maps, with the sizes of blocks of up to a gigabyte. */
  public static Object[] make(int maps, int blocks) {
    return IntStream.range(0, maps)
        .mapToObj(map -> MapStatus.apply(place(map), sizes(map, blocks), map, 0))
        .toArray(MapStatus[]::new);
  }

  /** The class of a registered array of statuses. */
  public static Class<?> arrayClass() {
    return MapStatus[].class;
  }

  /** A text that differs if anything in the statuses differs. */
  public static String describe(Object statuses) {
    MapStatus[] all = (MapStatus[]) statuses;
    long hash = 0;
    for (MapStatus one : all) {
      hash = 31 * hash + one.location().hashCode() + one.mapId();
      for (int block = 0; block < 10; block++) {
        hash = 31 * hash + one.getSizeForBlock(block);
      }
    }
    return all.length + " statuses " + Long.toHexString(hash);
  }

  private static BlockManagerId place(int map) {
    return BlockManagerId.apply("node" + map, "node" + map + ".example.org", 1000, Option.empty());
  }

  private static long[] sizes(int map, int blocks) {
    return IntStream.range(0, blocks)
        .mapToLong(block -> Mixed.at(map, block) & ((1 << 30) - 1))
        .toArray();
  }
}
