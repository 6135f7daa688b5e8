package io.github.serow.sparkbench

import com.fasterxml.jackson.databind.ObjectMapper
import java.io.File
import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel.MEMORY_ONLY_SER
import scala.collection.mutable
import scala.jdk.CollectionConverters._

/** The Scala job of `make demo-spark`: caches TPC-H's Part as case classes, and shuffles it.
  *
  * {{{spark-submit --conf spark.serializer=… serow-spark-bench.jar table=part.tbl out=answer.json}}}
  */
object Demo {
  private val Runs = 4

  /** How often each row of the table occurs, so that a run takes long enough. */
  private val Copies = 20
  val Partitions = 8

  def main(arguments: Array[String]): Unit = {
    val asked = arguments.map(_.split("=", 2)).map(pair => pair(0) -> pair(1)).toMap
    val conf = new SparkConf()
      .set("spark.kryo.classesToRegister", Registered.names)
      .set("spark.kryo.registrationRequired", "true")
    val shuffled = new ShuffleBytes
    val sc = new SparkContext(conf)
    sc.addSparkListener(shuffled)
    val parts = sc.textFile(asked("table"), Partitions).flatMap(copies).cache()
    val rows = parts.count()
    val steps = (1 to Runs).map(new DemoRun(sc, parts, _).steps)
    sc.stop()
    val answer = Map[String, Any](
      "rows" -> rows,
      "digest" -> steps.map(_.digest).distinct.mkString(" and "),
      "steps" -> steps.last.names.map { name =>
        val seconds = steps.map(_.seconds(name)).min
        val bytes = steps.last.bytes.getOrElse(name, shuffled.of(s"$Runs/$name").getOrElse(0L))
        Map[String, Any]("step" -> name, "seconds" -> seconds, "bytes" -> bytes).asJava
      }.asJava
    )
    new ObjectMapper().writeValue(new File(asked("out")), answer.asJava)
  }

  /** Parses the line for each copy, so that no rows share texts, as with rows of a larger file. */
  private def copies(line: String): Seq[Part] = Seq.tabulate(Copies) { n =>
    val read = part(line)
    read.copy(key = read.key * Copies + n)
  }

  private def part(line: String): Part = {
    val field = line.split('|')
    Part(field(0).toInt, field(1), field(2), field(3), field(4), field(5).toInt, field(6),
      field(7).toDouble, field(8))
  }
}

/** What a run has measured. */
class DemoSteps {
  val seconds: mutable.LinkedHashMap[String, Double] = mutable.LinkedHashMap.empty
  val bytes: mutable.Map[String, Long] = mutable.Map.empty
  var digest: String = _

  def names: Seq[String] = seconds.keys.toSeq
}

/** One run of all steps. */
class DemoRun(sc: SparkContext, parts: RDD[Part], number: Int) {
  def steps: DemoSteps = {
    val found = new DemoSteps
    val cached = parts.map(identity).persist(MEMORY_ONLY_SER)
    time(found, "cache, write")(cached.foreachPartition(_ => ()))
    found.bytes("cache, write") = sc.getRDDStorageInfo.find(_.id == cached.id).map(_.memSize).getOrElse(0L)
    time(found, "cache, read")(Rdds.sum(cached)(_.size))
    val digest = Rdds.digest(cached)
    cached.unpersist(true)
    val sorted = parts.map(part => (part.name, part)).sortByKey(ascending = true, Demo.Partitions)
    time(found, "sort by name")(Rdds.sum(sorted)(_._2.size))
    val groups = parts.map(part => (part.brand, part)).groupByKey(Demo.Partitions)
    time(found, "group by brand")(Rdds.sum(groups)(_._2.size))
    time(found, "collect")(parts.collect().length)
    found.digest = digest + " " + Rdds.digest(sorted)
    found
  }

  private def time(found: DemoSteps, step: String)(work: => Any): Unit = {
    sc.setJobGroup(s"$number/$step", "")
    val begin = System.nanoTime
    work
    found.seconds(step) = (System.nanoTime - begin) / 1e9
    sc.clearJobGroup()
  }
}
