package io.github.serow.sparkbench

import org.apache.spark.SparkContext
import org.apache.spark.storage.StorageLevel.{DISK_ONLY, MEMORY_ONLY_SER}

/** All jobs, by groups. Each group runs in a JVM of its own. */
object Jobs {
  def of(group: String, sc: SparkContext, rows: Int): Seq[Job] = group match {
    // The points' loop depends on what Java's compiler has seen before, so SparkPi is first.
    case "programs" => Seq(new Pi(sc, 20L * rows), new TeraSort(sc, 2L * rows))
    case "cache" => cached(new Cached.In(sc, MEMORY_ONLY_SER, "in memory"), rows) ++
        onDisk(new Cached.In(sc, DISK_ONLY, "on disk"), rows)
    case "shuffle" => Seq(Few, Many).flatMap(partitions => shuffles(sc, rows, partitions))
    case "objects" => Shapes.all(rows)
    case "kryo" => leftToKryo(sc, rows)
    case other => throw new IllegalArgumentException(s"no group $other")
  }

  /** Up to 200 partitions, Spark writes a shuffle to a file for each; beyond, it sorts serialized rows. */
  private val Few = 8
  private val Many = 208

  private def cached(in: Cached.In, rows: Int): Seq[Job] = Seq(
    in.of("Part", rows, MadeRows.part)(_.size),
    in.of("Row", rows / 2, MadeRows.frameRow)(_.length),
    in.of("Order", rows / 2, MadeRows.order)(_.lines.size),
    in.of("(Int, String)", 2 * rows, MadeRows.pair)(_._1),
    in.of("(Long, Double, String)", 2 * rows, MadeRows.triple)(_._1)
  )

  private def onDisk(in: Cached.In, rows: Int): Seq[Job] = Seq(
    in.of("Part", rows, MadeRows.part)(_.size),
    in.of("Order", rows / 2, MadeRows.order)(_.lines.size)
  )

  private def shuffles(sc: SparkContext, rows: Int, partitions: Int): Seq[Job] = Seq(
    new Join(sc, rows, partitions),
    new GroupByKey(sc, rows / 2, partitions),
    new SortByKey(sc, "Part", rows, partitions, MadeRows.part)(_.size)
  )

  private def leftToKryo(sc: SparkContext, rows: Int): Seq[Job] = {
    val in = new Cached.In(sc, MEMORY_ONLY_SER, "in memory")
    Seq(
      in.of("Stamp", 2 * rows, MadeRows.stamp)(_.number),
      in.of("Visit", rows / 2, MadeRows.visit)(_.pages.size),
      new SortByKey(sc, "Visit", rows / 2, Few, MadeRows.visit)(_.pages.size),
      Shapes.mapStatuses(1 + rows / 200)
    )
  }
}
