package io.github.serow.samples

import scala.beans.BeanProperty

/** The most common kind of record. */
case class Part(key: Long, name: String, price: Option[BigDecimal], sizes: Seq[Int]) {
  // A field that is not part of the value, before the others in the class file.
  lazy val text: String = s"$key $name"
  var reads = 0

  def this(key: Long) = this(key, "", None, Nil)
}

object Part {
  // A member with the same name as a parameter.
  val sizes: Option[Double] = None
}

/** Fields of all kinds. */
case class All(
    bool: Boolean,
    byte: Byte,
    short: Short,
    int: Int,
    long: Long,
    float: Float,
    double: Double,
    text: String,
    big: BigInt,
    decimal: BigDecimal,
    day: java.time.LocalDate,
    option: Option[Long],
    none: Option[Double],
    list: List[Boolean],
    vector: Vector[Option[Int]],
    set: Set[(Int, String)],
    map: Map[Int, Map[String, Option[Double]]],
    pair: (Double, Seq[Short]),
    part: Part,
    parts: Option[Part],
    any: collection.Seq[Byte],
    ours: java.util.List[Option[Long]]
)

/** Arrays, which are compared by identity. */
case class Arrays(bytes: Array[Byte], numbers: Array[Long], options: Array[Option[Long]])

/** A generic class, and names that Java doesn't allow. */
case class Box[T](`type`: T, `a b`: Option[T], ++ : List[(T, Long)])
case class Boxes(numbers: Box[Long], texts: Box[String])

object Outer {
  case class Inner(value: Option[Long])
  case object Nothing

  object Deep {
    case class Inner(value: Option[Boolean])
  }
}

object Aliases {
  type Id = Long
  type ById[T] = Map[Long, T]

  object More {
    type Id = Aliases.Id
  }

  case class Known(ids: Option[Id])
}

/** Types that are aliases defined elsewhere. */
case class Aliased(ids: Option[Aliases.Id], more: List[Aliases.More.Id], names: Map[Aliases.Id, String])

/** An alias whose arguments differ from those of its type. */
case class Unknown(ids: Option[Aliases.Id], names: Aliases.ById[String])

case class Positive(value: Int) {
  require(value > 0, "not positive")
}

class Outside {
  case class Within(value: Int)
}

class Special(key: Long) extends Positive(1)

case class Meters(value: Double) extends AnyVal
case class Length(meters: Meters, more: Option[Meters])

case class Curried(first: Int)(val second: String)

/** Types that Java's signature contains completely. */
case class Told(
    key: Long, name: Option[String], ids: Seq[java.lang.Long], pair: (String, BigInt), within: Positive)

case class Untold(value: Any, values: Seq[Any])
case class Bad(unit: Option[Unit])
case class Self(key: Int, next: Option[Self])
case class Mutable(values: collection.mutable.Buffer[Int])
case class Keys(values: Set[List[Int]])
case class Nested(value: Option[Option[Int]])
case class Numbers(value: Double, many: Seq[Double])

/** A bean, with complete Java signatures. */
class Bean {
  @BeanProperty var option: Option[String] = None
  @BeanProperty var longs: Seq[java.lang.Long] = Nil
}

class Lost {
  @BeanProperty var option: Option[Long] = None
}
