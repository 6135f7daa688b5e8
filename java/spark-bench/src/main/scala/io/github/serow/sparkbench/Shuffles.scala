package io.github.serow.sparkbench

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import scala.reflect.ClassTag

/** Joins parts with their supplies, by `Int`. */
class Join(sc: SparkContext, rows: Long, partitions: Int)
    extends Job(s"join, $partitions partitions") {
  private var parts: RDD[(Int, Part)] = _
  private var supplies: RDD[(Int, Supply)] = _

  override def prepare(): Unit = {
    parts = Rdds.made(sc, rows, row => (row.toInt, MadeRows.part(row)))
    supplies = Rdds.made(sc, rows, row => (row.toInt, MadeRows.supply(row)))
  }

  override def run(clock: Clock): Unit =
    clock.time("join")(Rdds.sum(joined) { case (_, (part, supply)) => part.size + supply.quantity })

  override def digest(): String = Rdds.digest(joined)

  override def close(): Unit = {
    parts.unpersist(true)
    supplies.unpersist(true)
  }

  private def joined: RDD[(Int, (Part, Supply))] = parts.join(supplies, partitions)
}

/** Groups orders by the names of their customers. */
class GroupByKey(sc: SparkContext, rows: Long, partitions: Int)
    extends Job(s"groupByKey, $partitions partitions") {
  private var orders: RDD[(String, Order)] = _

  override def prepare(): Unit = orders = Rdds.made(sc, rows, GroupByKey.byCustomer)

  override def run(clock: Clock): Unit =
    clock.time("group")(Rdds.sum(grouped)(_._2.iterator.map(_.lines.size.toLong).sum))

  /** The order within a group is not defined. */
  override def digest(): String =
    Rdds.digest(grouped.mapValues(group => group.iterator.map(Digest.of(_)).sum))

  override def close(): Unit = orders.unpersist(true)

  private def grouped: RDD[(String, Iterable[Order])] = orders.groupByKey(partitions)
}

object GroupByKey {
  private def byCustomer(row: Long): (String, Order) = {
    val order = MadeRows.order(row)
    (order.customer.name, order)
  }
}

/** Sorts rows by random `Long`s. */
class SortByKey[T: ClassTag](
    sc: SparkContext,
    what: String,
    rows: Long,
    partitions: Int,
    make: Long => T
)(number: T => Long)
    extends Job(s"sortByKey of $what, $partitions partitions") {
  private var data: RDD[(Long, T)] = _

  override def prepare(): Unit = data = Rdds.made(sc, rows, SortByKey.keyed(make))

  override def run(clock: Clock): Unit = clock.time("sort")(SortByKey.sum(sorted, number))

  override def digest(): String = {
    Rdds.requireSorted(sorted)
    Rdds.digest(sorted)
  }

  override def close(): Unit = data.unpersist(true)

  private def sorted: RDD[(Long, T)] = data.sortByKey(ascending = true, partitions)
}

/** Functions that tasks take along; those of a job would take the job with them. */
object SortByKey {
  private def keyed[T](make: Long => T): Long => (Long, T) = row => (Mixed.at(row, 99), make(row))

  private def sum[T](sorted: RDD[(Long, T)], number: T => Long): Long =
    Rdds.sum(sorted)(row => number(row._2))
}
