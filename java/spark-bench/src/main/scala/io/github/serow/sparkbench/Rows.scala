package io.github.serow.sparkbench

import com.esotericsoftware.kryo.{DefaultSerializer, Kryo, Serializer => KryoSerializer}
import com.esotericsoftware.kryo.io.{Input, Output}
import java.util.Date
import scala.collection.immutable.{Queue, TreeMap}

/** The fields of TPC-H's Part. */
case class Part(
    key: Int,
    name: String,
    manufacturer: String,
    brand: String,
    kind: String,
    size: Int,
    container: String,
    price: Double,
    comment: String
)

/** What a supplier has of a part. */
case class Supply(part: Int, supplier: Int, quantity: Int, cost: Double, comment: String)

case class Customer(name: String, city: String)
case class Line(part: Int, quantity: Int, price: Double)

/** A row with rows inside, and with fields that may be empty. */
case class Order(
    id: Long,
    customer: Customer,
    note: Option[String],
    lines: Seq[Line],
    tags: Map[String, String]
)

/** A class with collections that serow leaves to Kryo. */
case class Visit(id: Long, at: Date, pages: Queue[Int], seconds: TreeMap[Int, Double])

/** A class that names its own serializer for Kryo. Such a class is never serow's. */
@DefaultSerializer(classOf[StampSerializer])
case class Stamp(place: String, millis: Long, number: Int)

class StampSerializer extends KryoSerializer[Stamp] {
  override def write(kryo: Kryo, to: Output, stamp: Stamp): Unit = {
    to.writeString(stamp.place)
    to.writeLong(stamp.millis)
    to.writeInt(stamp.number, true)
  }

  override def read(kryo: Kryo, from: Input, of: Class[Stamp]): Stamp =
    Stamp(from.readString(), from.readLong(), from.readInt(true))
}
