package io.github.serow.sparkbench

import java.nio.ByteBuffer
import java.util.Arrays
import org.apache.spark.{Partitioner, SparkContext, SparkEnv}
import org.apache.spark.rdd.{RDD, ShuffledRDD}

/** Sorts rows like TeraGen's: random keys of 10 bytes, and values of 90 bytes.
  *
  * For arrays of bytes Spark takes Kryo whatever `spark.serializer` says, so the job gives the
  * shuffle the configured serializer itself.
  */
class TeraSort(sc: SparkContext, rows: Long) extends Job("TeraSort") {
  private var data: RDD[(Array[Byte], Array[Byte])] = _

  override def prepare(): Unit = data = Rdds.made(sc, rows, TeraSort.record)

  override def run(clock: Clock): Unit =
    clock.time("sort")(Rdds.sum(sorted)(row => row._1.length + row._2.length))

  override def digest(): String = {
    Rdds.requireSorted(sorted)(TeraSort.ByBytes)
    Rdds.digest(sorted)
  }

  override def close(): Unit = data.unpersist(true)

  private def sorted: RDD[(Array[Byte], Array[Byte])] = {
    val partitioner = new TeraSort.Ranges(Rdds.Partitions)
    new ShuffledRDD[Array[Byte], Array[Byte], Array[Byte]](data, partitioner)
      .setKeyOrdering(TeraSort.ByBytes)
      .setSerializer(SparkEnv.get.serializer)
  }
}

object TeraSort {
  private val Filler = 64
  private val Letters = 26

  /** A value has the number of its row in hexadecimal digits, and letters that depend on it. */
  def record(row: Long): (Array[Byte], Array[Byte]) = {
    val key = ByteBuffer.allocate(10)
    key.putLong(Mixed.at(row, 0)).putShort(Mixed.at(row, 1).toShort)
    val value = ByteBuffer.allocate(90)
    value.put(f"$row%022x".getBytes("US-ASCII")).putInt(0x8899aabb)
    val letter = Mixed.below(Letters, row, 2)
    for (n <- 0 until Filler) value.put(('A' + (letter + n / 8) % Letters).toByte)
    (key.array, value.array)
  }

  object ByBytes extends Ordering[Array[Byte]] {
    override def compare(a: Array[Byte], b: Array[Byte]): Int = Arrays.compareUnsigned(a, b)
  }

  /** Cuts the range of all keys into equal parts, because the keys are uniformly distributed. */
  class Ranges(override val numPartitions: Int) extends Partitioner {
    private val width = (1L << 32) / numPartitions + 1

    override def getPartition(key: Any): Int = {
      val first = ByteBuffer.wrap(key.asInstanceOf[Array[Byte]]).getInt()
      (Integer.toUnsignedLong(first) / width).toInt
    }
  }
}
