package io.github.serow.sparkbench

import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart, SparkListenerTaskEnd}
import scala.collection.mutable

/** Counts the bytes that shuffles write, by Spark's job groups.
  *
  * The counts are complete once the context has stopped, because Spark tells its listeners late.
  */
class ShuffleBytes extends SparkListener {
  private val groupOfStage = mutable.Map.empty[Int, String]
  private val counts = mutable.Map.empty[String, Long]

  def of(group: String): Option[Long] = synchronized(counts.get(group).filter(_ > 0))

  override def onJobStart(job: SparkListenerJobStart): Unit = synchronized {
    val group = Option(job.properties).flatMap(one => Option(one.getProperty("spark.jobGroup.id")))
    // A later job of the same group lists stages that it skips.
    for (name <- group; stage <- job.stageIds) groupOfStage.getOrElseUpdate(stage, name)
  }

  override def onTaskEnd(task: SparkListenerTaskEnd): Unit = synchronized {
    for (name <- groupOfStage.get(task.stageId); metrics <- Option(task.taskMetrics))
      counts(name) = counts.getOrElse(name, 0L) + metrics.shuffleWriteMetrics.bytesWritten
  }
}
