package io.github.serow.samples

import java.util.Random
import java.util.function.Supplier

import scala.collection.mutable

/** Classes whose objects must come back as they are, whatever their fields hold. */
case class ExactPart(key: Int, size: Long, name: String, price: Double, tag: Option[String])

case class ExactAll(
    bool: Boolean, byte: Byte, short: Short, char: Char, int: Int, long: Long, float: Float, double: Double,
    text: String, any: Any)

case class ExactArrays(ints: Array[Int], texts: Array[String], values: Array[AnyRef], nested: Array[Array[Double]])

/** Has fields that are no parameters, one of them set late. */
case class ExactLazy(value: Any) {
  lazy val text: String = s"of $value"
  var reads = 0
  @transient var cache: String = "x"
}

trait ExactNamed { val name: String = "name" }
case class ExactTrait(value: Any) extends ExactNamed
case class ExactChecked(value: Int) { require(value >= 0) }
class ExactBase(val first: Any, private val second: Int)
class ExactDerived(first: Any, second: Int, val third: Any) extends ExactBase(first, second + 1)
case class ExactSpecial[@specialized(Int) T](value: T)
case class ExactMeters(value: Double) extends AnyVal
case class ExactEmpty()
case object ExactNothing
case class ExactHash(map: scala.collection.immutable.HashMap[Int, String], list: ::[Int])

sealed trait ExactTree
case class ExactLeaf(value: Any) extends ExactTree
case class ExactFork(left: ExactTree, right: ExactTree) extends ExactTree

/** Random values; `inner` gives those inside them, and `key` those that have a hash. */
class ExactValues(random: Random, inner: Supplier[AnyRef], key: Supplier[AnyRef]) {
  private def many: Int = random.nextInt(7)
  private def ref(value: Any): AnyRef = value.asInstanceOf[AnyRef]
  private def values: Seq[AnyRef] = Seq.fill(many)(inner.get)

  private def map: Map[AnyRef, AnyRef] = Seq.fill(many)(key.get -> inner.get).toMap

  private def tree(depth: Int): ExactTree =
    if (depth > 0 && random.nextBoolean()) ExactFork(tree(depth - 1), tree(depth - 1)) else ExactLeaf(inner.get)

  private def all: ExactAll = ExactAll(
    random.nextBoolean(), random.nextInt().toByte, random.nextInt().toShort, random.nextInt().toChar,
    random.nextInt(), random.nextLong(), random.nextFloat(), random.nextDouble(), "t" + random.nextInt(9), inner.get)

  def next(): AnyRef = random.nextInt(41) match {
    case 0 => ref((inner.get, inner.get))
    case 1 => ref((random.nextInt(), random.nextInt()))
    case 2 => ref((random.nextLong(), random.nextDouble()))
    case 3 => ref(('c', random.nextBoolean()))
    case 4 => ref(Tuple1(random.nextInt()))
    case 5 => ref((inner.get, random.nextInt(), "x"))
    case 6 => ref((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, inner.get))
    case 7 => Some(inner.get)
    case 8 => None
    case 9 => Left(inner.get)
    case 10 => Right(inner.get)
    case 11 => values.toList
    case 12 => values.toVector
    case 13 => Vector.fill(random.nextInt(1200))(ref(7))
    case 14 => Set(Seq.fill(many)(key.get): _*)
    case 15 => map
    case 16 => mutable.ArrayBuffer(values: _*)
    case 17 => mutable.ListBuffer(values: _*)
    case 18 => mutable.HashMap(map.toSeq: _*)
    case 19 => mutable.HashSet(Seq.fill(many)(key.get): _*)
    case 20 => ExactPart(random.nextInt(), random.nextLong(), "almond", random.nextDouble(), Some("tag").filter(_ => random.nextBoolean()))
    case 21 => all
    case 22 =>
      ExactArrays(Array(random.nextInt(), 2), Array("a", null), Array(inner.get, inner.get), Array(Array(1.5), Array[Double]()))
    case 23 => val it = ExactLazy(inner.get); if (random.nextBoolean()) it.text; it.reads = 7; it.cache = null; it
    case 24 => ExactTrait(inner.get)
    case 25 => ExactChecked(random.nextInt(9))
    case 26 => new ExactDerived(inner.get, random.nextInt(), inner.get)
    case 27 => ExactSpecial(random.nextInt(9))
    case 28 => ExactSpecial(inner.get)
    case 29 => ref(ExactMeters(1.5))
    case 30 => ExactEmpty()
    case 31 => ExactNothing
    case 32 => tree(3)
    case 33 => ref(BigInt(random.nextInt(9)).pow(random.nextInt(40)))
    case 34 => ref(())
    case 35 => mutable.WrappedArray.make[Int](Array(random.nextInt(), 1))
    case 36 => mutable.WrappedArray.make[String](Array("a", "b"))
    case 37 => ref(Array.fill(many)(random.nextInt()).toSeq)
    case 38 => ExactHash(scala.collection.immutable.HashMap((1 to 9).map(i => i -> "v"): _*), ::(1, Nil))
    case 39 => BigDecimal(java.math.BigDecimal.valueOf(random.nextLong(), random.nextInt(20)))
    case _ => ref((1 to many).map(i => ExactPart(i, i, "p", i, None)).toList)
  }

  /** A value that equals only values of the same class, and has a hash. */
  def nextKey(): AnyRef = random.nextInt(4) match {
    case 0 => ref((random.nextInt(), random.nextInt()))
    case 1 => ref(("k" + random.nextInt(), random.nextInt()))
    case 2 => ExactPart(random.nextInt(), 1, "k", 1.5, None)
    case _ => Some("k" + random.nextInt())
  }
}

/** Values that have no shape, or only in one of their states. */
object ExactOdd {
  def slice: AnyRef = Vector.tabulate(2000)(i => i).drop(1990)
  def shrunk: AnyRef = (1 to 9).map(i => i -> i).toMap -- (2 to 9)
  def sorted: AnyRef = scala.collection.immutable.TreeMap(1 -> 2)
  def linked: AnyRef = mutable.LinkedHashMap(1 -> 2)
  def withDefault: AnyRef = Map(1 -> 2).withDefaultValue(3)
  def range: AnyRef = 1 to 3
  def function: AnyRef = ((i: Int) => i + 1).asInstanceOf[AnyRef]
  def anonymous: AnyRef = new ExactNamed {}
  def rounded: AnyRef = BigDecimal("1.5", java.math.MathContext.DECIMAL32)
  def inner: AnyRef = { val outside = new Outside; outside.Within(7) }
}
