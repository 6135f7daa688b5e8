package io.github.serow.sparkbench

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import scala.reflect.ClassTag

/** What jobs do with the rows of RDDs. */
object Rdds {

  /** The partitions of data, and so the maps of a shuffle. */
  val Partitions = 8

  /** Makes rows and keeps them as objects, so that no serializer takes part. */
  def made[T: ClassTag](sc: SparkContext, rows: Long, make: Long => T): RDD[T] = {
    val data = sc.range(0, rows, 1, Partitions).map(make).cache()
    sum(data)(_ => 1)
    data
  }

  /** Visits all rows, as cheaply as possible. */
  def sum[T](rdd: RDD[T])(number: T => Long): Long =
    rdd.context.runJob(rdd, (rows: Iterator[T]) => rows.foldLeft(0L)(_ + number(_))).sum

  /** Describes all rows, in any order. */
  def digest[T](rdd: RDD[T]): String =
    f"${sum(rdd)(_ => 1)}%d rows ${sum(rdd)(Digest.of(_))}%016x"

  /** Fails unless the keys of each partition ascend and begin behind those of the partition before. */
  def requireSorted[K](rdd: RDD[_ <: (K, Any)])(implicit ordering: Ordering[K]): Unit = {
    val ends = rdd.context.runJob(rdd, (rows: Iterator[(K, Any)]) => endsOf(rows.map(_._1)))
    val keys = ends.iterator.flatten.flatMap { case (first, last) => Iterator(first, last) }
    endsOf(keys)
  }

  /** Returns the first and the last key, if there are any. Fails unless the keys ascend. */
  def endsOf[K](keys: Iterator[K])(implicit ordering: Ordering[K]): Option[(K, K)] =
    if (!keys.hasNext) None
    else {
      val first = keys.next()
      val last = keys.foldLeft(first) { (before, key) =>
        if (ordering.gt(before, key)) throw new IllegalStateException("rows are not sorted")
        key
      }
      Some((first, last))
    }
}
