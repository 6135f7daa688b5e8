package io.github.serow.sparkbench

import scala.collection.mutable

/** How often a job runs.
  *
  * @param leastWarmUps the least number of runs before those that count
  * @param leastRuns the least number of runs that count
  * @param seconds the least seconds of all warm-ups, and of all runs that count, unless these are many
  * @param mostSeconds the seconds of warm-ups after which they end, even if the job still gets faster
  */
case class Effort(leastWarmUps: Int, leastRuns: Int, seconds: Double, mostSeconds: Double) {

  /** Runs a job, which returns its seconds, until it gets no faster. Returns the number of runs. */
  def warmUps(run: => Double): Int = {
    val all = mutable.Buffer.empty[Double]
    while (
      all.size < leastWarmUps ||
      all.sum < mostSeconds && all.size < Effort.MostWarmUps && (all.sum < seconds || Effort.isFaster(all.toSeq))
    ) all += run
    all.size
  }

  /** Runs a job that is warm. */
  def timed(run: => Double): Unit = {
    val all = mutable.Buffer.empty[Double]
    while (all.size < leastRuns || all.size < Effort.MostRuns && all.sum < seconds) all += run
  }
}

object Effort {
  private val MostWarmUps = 100
  private val MostRuns = 20

  /** What a job must gain between two halves of its warm-ups, so that they go on. */
  private val Gain = 0.05

  /** Reads it from the arguments of the program. */
  def of(asked: Map[String, String]): Effort = Effort(
    asked("warm-ups").toInt,
    asked("runs").toInt,
    asked("seconds").toDouble,
    asked("most-seconds").toDouble
  )

  /** Whether the fastest run of the later half is faster than that of the earlier half. */
  private def isFaster(all: Seq[Double]): Boolean = {
    val (earlier, later) = all.splitAt(all.size / 2)
    earlier.isEmpty || later.min < (1 - Gain) * earlier.min
  }
}
