package io.github.serow.sparkbench

import com.fasterxml.jackson.databind.ObjectMapper
import java.io.File
import org.apache.spark.{SparkConf, SparkContext}
import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

/** Runs the jobs of a group with the serializer that Spark is configured with.
  *
  * {{{spark-submit --conf spark.serializer=… serow-spark-bench.jar <name>=<value> …}}}
  *
  * The names are `group`, `rows`, those of [[Effort]], `check` (whether to describe all values that
  * came back), `registered` (whether Kryo gets the list of classes) and `out`, a file for the answer
  * in JSON.
  */
object Main {
  def main(arguments: Array[String]): Unit = {
    val asked = arguments.map(_.split("=", 2)).map(pair => pair(0) -> pair(1)).toMap
    val conf = new SparkConf()
    if (asked("registered").toBoolean) {
      conf.set("spark.kryo.classesToRegister", Registered.names)
      conf.set("spark.kryo.registrationRequired", "true")
    }
    val shuffled = new ShuffleBytes
    val sc = new SparkContext(conf)
    sc.addSparkListener(shuffled)
    val ran = Jobs.of(asked("group"), sc, asked("rows").toInt).map { job =>
      ranJob(sc, job, Effort.of(asked), asked("check").toBoolean)
    }
    sc.stop()
    val answer = Map[String, Any]("spark" -> sc.version, "jobs" -> ran.map(_.answer(shuffled)).asJava).asJava
    new ObjectMapper().writeValue(new File(asked("out")), answer)
  }

  private def ranJob(sc: SparkContext, job: Job, effort: Effort, check: Boolean): Ran =
    try {
      job.prepare()
      val digest = if (check) Some(job.digest()) else None
      val clocks = mutable.Buffer.empty[Clock]
      def run(): Double = {
        val clock = new Clock(sc, s"${job.name}/${clocks.size}")
        job.run(clock)
        clocks += clock
        clock.seconds
      }
      val warmUps = effort.warmUps(run())
      effort.timed {
        // Garbage of the run before is not this run's.
        System.gc()
        run()
      }
      Ran(job.name, digest, clocks.toSeq, warmUps, None)
    } catch {
      case error @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        Ran(job.name, None, Nil, 0, Some(reason(error)))
    } finally job.close()

  /** The first line of the cause that Spark wraps last. */
  private def reason(error: Throwable): String = {
    val last = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq.last
    last.toString.linesIterator.next()
  }
}

/** The runs of a job, or the reason why there are none. */
case class Ran(
    job: String,
    digest: Option[String],
    clocks: Seq[Clock],
    warmUps: Int,
    failed: Option[String]
) {

  /** What is said about it, for Jackson. */
  def answer(shuffled: ShuffleBytes): java.util.Map[String, Any] = Map[String, Any](
    "job" -> job,
    "digest" -> digest.orNull,
    "failed" -> failed.orNull,
    "steps" -> clocks.headOption.toSeq.flatMap(_.timed.map(one => step(one.step, shuffled))).asJava
  ).asJava

  private def step(name: String, shuffled: ShuffleBytes): java.util.Map[String, Any] = {
    val all = clocks.map(_.timed.find(_.step == name).get)
    val results = all.map(_.result).distinct
    require(results.size == 1, s"$job, $name gives ${results.mkString(" and ")}")
    val last = clocks.last
    val bytes = last.bytes.get(name).orElse(shuffled.of(last.group(name))).getOrElse(0L)
    Map[String, Any](
      "step" -> name,
      "seconds" -> all.drop(warmUps).map(_.seconds).asJava,
      "gc" -> all.drop(warmUps).map(_.gcSeconds).asJava,
      "bytes" -> bytes,
      "result" -> results.head
    ).asJava
  }
}
