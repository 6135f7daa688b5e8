package io.github.serow.sparkbench

import java.nio.ByteBuffer
import org.apache.spark.SparkEnv
import scala.reflect.{ClassTag, classTag}
import scala.util.Random

/** Serializes each value by itself and reads it back, by one instance of the serializer. */
class InProcess(name: String, make: => Array[Any]) extends Job(name) {
  private var values: Array[Any] = _

  override def prepare(): Unit = values = make

  override def run(clock: Clock): Unit = {
    val serializer = SparkEnv.get.serializer.newInstance()
    val messages = new Array[ByteBuffer](values.length)
    clock.time("serialize") {
      for (n <- values.indices) messages(n) = serializer.serialize(values(n))(ClassTag.Any)
      messages.length
    }
    clock.bytes("serialize") = messages.iterator.map(_.remaining.toLong).sum
    clock.time("deserialize") {
      var found = 0L
      for (message <- messages)
        if (serializer.deserialize[Any](message.duplicate())(ClassTag.Any) != null) found += 1
      found
    }
  }

  override def digest(): String = {
    val serializer = SparkEnv.get.serializer.newInstance()
    val found = values.iterator.map { value =>
      val back = serializer.deserialize[Any](serializer.serialize(value)(ClassTag.Any))(ClassTag.Any)
      Shapes.digest(back)
    }.sum
    f"${values.length}%d values $found%016x"
  }

  override def close(): Unit = values = null
}

/** The values of Spark's own `KryoBenchmark` and `MapStatusesSerDeserBenchmark`, and a few more. */
object Shapes {

  /** `rows` is the number of small values. There are fewer of the larger ones. */
  def all(rows: Int): Seq[Job] = Seq(
    each("Int", rows)(_.nextInt()),
    each("Long", rows)(_.nextLong()),
    each("Double", rows)(_.nextDouble()),
    each("String", rows)(text(_, 20)),
    each("Part", rows)(random => MadeRows.part(random.nextInt(rows).toLong)),
    arrays("Int", rows)(_.nextInt()),
    arrays("Long", rows)(_.nextLong()),
    arrays("Float", rows)(_.nextFloat()),
    arrays("Double", rows)(_.nextDouble()),
    arrays("String", rows / 10)(text(_, 10)),
    new InProcess("Array of Array of Int", nested(1 + rows / 5000)),
    new InProcess("Map of String to Double", maps(1 + rows / 500)),
    new InProcess("Array of Part", parts(1 + rows / 1000))
  )

  /** The statuses of many maps, each with the sizes of a hundred blocks. */
  def mapStatuses(maps: Int): Job =
    new InProcess("map statuses", Array.fill[Any](20)(MapStatuses.make(maps, 100)))

  /** Like `Digest`, which can't see into the classes of statuses. */
  def digest(value: Any): Long =
    if (MapStatuses.arrayClass.isInstance(value)) MapStatuses.describe(value).hashCode
    else Digest.of(value)

  private def each(name: String, count: Int)(make: Random => Any): Job =
    new InProcess(name, { val random = new Random(1); Array.fill[Any](count)(make(random)) })

  /** Arrays of each length up to 10,000 elements, in equal steps. */
  private def arrays[T: ClassTag](name: String, rows: Int)(make: Random => T): Job = {
    def made: Array[Any] = {
      val random = new Random(2)
      val count = 1 + rows / 1000
      Array.tabulate[Any](count)(n => Array.fill(10000 * (n + 1) / count)(make(random)))
    }
    new InProcess(s"Array of ${classTag[T].runtimeClass.getSimpleName.capitalize}", made)
  }

  private def nested(count: Int): Array[Any] = {
    val random = new Random(3)
    Array.fill[Any](count)(Array.fill(100)(Array.fill(random.nextInt(100))(random.nextInt())))
  }

  private def maps(count: Int): Array[Any] = {
    val random = new Random(4)
    Array.tabulate[Any](count) { n =>
      val size = 1000 * (n + 1) / count
      Array.fill(size)((text(random, 1 + size / 10), random.nextDouble())).toMap
    }
  }

  private def parts(count: Int): Array[Any] =
    Array.tabulate[Any](count)(n => Array.tabulate(1000)(m => MadeRows.part(1000L * n + m)))

  private def text(random: Random, length: Int): String = random.alphanumeric.take(length).mkString
}
