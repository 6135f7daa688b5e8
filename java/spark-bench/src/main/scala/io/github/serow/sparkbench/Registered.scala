package io.github.serow.sparkbench

import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema
import org.apache.spark.sql.types.{DataTypes, Metadata, StructField, StructType}

/** The classes of the jobs, as a program lists them for `spark.kryo.classesToRegister`.
  *
  * Spark and chill register most of Scala's classes themselves. Contestants with registered classes
  * run with `spark.kryo.registrationRequired`, so a class that is missing here is an error.
  */
object Registered {
  private val classes: Seq[Class[_]] = Seq(
    classOf[Part],
    classOf[Supply],
    classOf[Order],
    classOf[Customer],
    classOf[Line],
    classOf[Visit],
    classOf[Stamp],
    classOf[java.util.Date],
    classOf[GenericRowWithSchema],
    classOf[StructType],
    classOf[StructField],
    classOf[Array[StructField]],
    classOf[Metadata],
    DataTypes.IntegerType.getClass,
    DataTypes.StringType.getClass,
    DataTypes.DoubleType.getClass,
    classOf[Array[Part]],
    classOf[Array[Array[Int]]],
    MapStatuses.arrayClass
  )

  def names: String = classes.map(_.getName).mkString(",")
}
