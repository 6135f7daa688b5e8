package io.github.serow.sparkbench

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel
import scala.reflect.ClassTag

/** Caches rows as bytes, and then visits all of them. */
class Cached[T: ClassTag](
    in: Cached.In,
    what: String,
    rows: Long,
    make: Long => T,
    number: T => Long
) extends Job(s"$what ${in.where}") {
  private var data: RDD[T] = _

  override def prepare(): Unit = data = Rdds.made(in.sc, rows, make)

  override def run(clock: Clock): Unit = {
    val cached = data.map(identity).persist(in.level)
    clock.time("write")(write(cached))
    clock.bytes("write") = CachedBlocks.bytes(cached.id, cached.getNumPartitions)
    clock.time("read")(Rdds.sum(cached)(number))
    cached.unpersist(true)
  }

  override def digest(): String = {
    val cached = data.map(identity).persist(in.level)
    write(cached)
    val found = Rdds.digest(cached)
    cached.unpersist(true)
    found
  }

  override def close(): Unit = data.unpersist(true)

  /** Caches all partitions. `count` would also read them. */
  private def write(cached: RDD[T]): Long =
    in.sc.runJob(cached, (_: Iterator[T]) => 1L).sum
}

object Cached {

  /** A place for bytes. */
  class In(val sc: SparkContext, val level: StorageLevel, val where: String) {
    def of[T: ClassTag](what: String, rows: Long, make: Long => T)(number: T => Long): Job =
      new Cached(this, what, rows, make, number)
  }
}
