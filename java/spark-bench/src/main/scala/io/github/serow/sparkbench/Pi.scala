package io.github.serow.sparkbench

import org.apache.spark.SparkContext

/** Spark's example SparkPi, with pseudo-random points that are the same in each run. */
class Pi(sc: SparkContext, points: Long) extends Job("SparkPi") {
  private val Slices = 100

  override def run(clock: Clock): Unit = clock.time("count")(inside())

  override def digest(): String = s"${inside()} of $points"

  private def inside(): Long =
    sc.parallelize(1 until points.toInt, Slices).map(Pi.hit).reduce(_ + _)
}

object Pi {
  def hit(point: Int): Int = {
    val x = coordinate(point, 0)
    val y = coordinate(point, 1)
    if (x * x + y * y <= 1) 1 else 0
  }

  private def coordinate(point: Int, column: Int): Double =
    (Mixed.at(point, column) >> 10) / (1L << 53).toDouble
}
