package io.github.serow.sparkbench

import java.util.Date
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema
import org.apache.spark.sql.types.{DataTypes, StructType}
import scala.collection.immutable.{Queue, TreeMap}

/** Makes rows from their numbers, so that all contestants have the same ones. */
object MadeRows {
  private val sizes = Array("STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO")
  private val finishes = Array("ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED")
  private val metals = Array("TIN", "NICKEL", "BRASS", "STEEL", "COPPER")
  private val containers =
    for (size <- Array("SM", "LG", "MED", "JUMBO", "WRAP"); box <- Array("CASE", "BOX", "BAG", "JAR"))
      yield s"$size $box"
  private val manufacturers = Array.tabulate(5)(n => s"Manufacturer#${n + 1}")
  private val brands = Array.tabulate(25)(n => s"Brand#${n + 11}")
  private val kinds =
    for (size <- sizes; finish <- finishes; metal <- metals) yield s"$size $finish $metal"
  private val colours = Array("almond", "azure", "beige", "bisque", "chartreuse", "coral", "cyan",
    "firebrick", "gainsboro", "goldenrod", "honeydew", "ivory", "khaki", "lavender", "magenta")
  // Not every test has all that schemas need.
  private lazy val frameSchema = new StructType()
    .add("key", DataTypes.IntegerType)
    .add("name", DataTypes.StringType)
    .add("manufacturer", DataTypes.StringType)
    .add("brand", DataTypes.StringType)
    .add("kind", DataTypes.StringType)
    .add("size", DataTypes.IntegerType)
    .add("container", DataTypes.StringType)
    .add("price", DataTypes.DoubleType)
    .add("comment", DataTypes.StringType)
  private val cities = Array("Antwerp", "Bergen", "Cork", "Dresden", "Évora", "Fiume", "Ghent")

  def part(row: Long): Part = Part(
    row.toInt,
    words(5, row, 0),
    one(manufacturers, row, 10),
    one(brands, row, 11),
    one(kinds, row, 12),
    1 + Mixed.below(50, row, 13),
    one(containers, row, 14),
    price(row, 15),
    words(3, row, 20)
  )

  /** The same as a row of a DataFrame's `rdd`, which refers to its schema. */
  def frameRow(row: Long): Row = {
    val values = part(row).productIterator.toArray
    new GenericRowWithSchema(values, frameSchema)
  }

  /** A supply of the part with the same number. */
  def supply(row: Long): Supply = Supply(
    row.toInt,
    Mixed.below(10000, row, 30),
    Mixed.below(9999, row, 31),
    price(row, 32),
    words(6, row, 33)
  )

  def order(row: Long): Order = Order(
    10000000L + row,
    Customer(s"Customer#${Mixed.below(50000, row, 40)}", one(cities, row, 41)),
    if (Mixed.below(3, row, 42) == 0) Some(words(4, row, 43)) else None,
    List.tabulate(1 + Mixed.below(6, row, 50)) { n =>
      Line(Mixed.below(200000, row, 51 + n), 1 + Mixed.below(50, row, 61 + n), price(row, 71 + n))
    },
    Map("priority" -> one(sizes, row, 80), "clerk" -> s"Clerk#${Mixed.below(1000, row, 81)}")
  )

  def pair(row: Long): (Int, String) = (row.toInt, words(2, row, 90))

  def triple(row: Long): (Long, Double, String) = (row, price(row, 91), one(containers, row, 92))

  def visit(row: Long): Visit = Visit(
    row,
    new Date(1600000000000L + Mixed.below(100000000, row, 100) * 1000L),
    Queue.tabulate(1 + Mixed.below(5, row, 101))(n => Mixed.below(1000, row, 102 + n)),
    TreeMap.from(Seq.tabulate(2)(n => n + 1 -> price(row, 110 + n)))
  )

  def stamp(row: Long): Stamp =
    Stamp(one(cities, row, 120), 1600000000000L + row, Mixed.below(1000, row, 121))

  private def words(count: Int, row: Long, column: Int): String =
    (0 until count).map(n => one(colours, row, column + n)).mkString(" ")

  private def one(choices: Array[String], row: Long, column: Int): String =
    choices(Mixed.below(choices.length, row, column))

  private def price(row: Long, column: Int): Double =
    (90000 + Mixed.below(110000, row, column)) / 100.0
}
