package io.github.serow.sparkbench;

import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import scala.Option;

/** The blocks of a cached RDD. Scala can't see the block manager. */
public final class CachedBlocks {
  private CachedBlocks() {}

  /**
   * Returns the bytes of all partitions in memory and on disk. Unlike {@code getRDDStorageInfo},
   * which listens to events, this asks the block manager and is exact at once.
   */
  public static long bytes(int rdd, int partitions) {
    long bytes = 0;
    for (int partition = 0; partition < partitions; partition++) {
      Option<BlockStatus> status =
          SparkEnv.get().blockManager().getStatus(new RDDBlockId(rdd, partition));
      if (status.isEmpty()) {
        throw new IllegalStateException("partition " + partition + " did not fit into the cache");
      }
      bytes += status.get().memSize() + status.get().diskSize();
    }
    return bytes;
  }
}
