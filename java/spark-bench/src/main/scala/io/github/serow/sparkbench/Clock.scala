package io.github.serow.sparkbench

import java.lang.management.ManagementFactory
import org.apache.spark.SparkContext
import scala.collection.mutable
import scala.jdk.CollectionConverters._

/** One timed step of a job. */
case class Timed(step: String, seconds: Double, gcSeconds: Double, result: Long)

/** Times the steps of one run of a job. */
class Clock(sc: SparkContext, run: String) {
  val timed: mutable.Buffer[Timed] = mutable.Buffer.empty

  /** The bytes of cached blocks or messages. Spark's listener counts those of shuffles. */
  val bytes: mutable.Map[String, Long] = mutable.Map.empty

  /** Times a step. Its result is compared with that of other runs, so it must not be random. */
  def time(step: String)(work: => Long): Unit = {
    sc.setJobGroup(group(step), "")
    val gc = Clock.gcMillis
    val begin = System.nanoTime
    val result = work
    val seconds = (System.nanoTime - begin) / 1e9
    timed += Timed(step, seconds, (Clock.gcMillis - gc) / 1e3, result)
    sc.clearJobGroup()
  }

  /** The seconds of all steps. */
  def seconds: Double = timed.map(_.seconds).sum

  /** The name of Spark's job group of a step. */
  def group(step: String): String = s"$run/$step"
}

object Clock {
  private def gcMillis: Long =
    ManagementFactory.getGarbageCollectorMXBeans.asScala.map(_.getCollectionTime).sum
}
