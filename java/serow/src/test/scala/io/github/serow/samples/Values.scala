package io.github.serow.samples

import scala.collection.immutable.{ListMap, ListSet, TreeMap}
import scala.collection.mutable

/** Values for tests, which treat them as objects and don't depend on Scala. */
object Values {
  def pair: AnyRef = (1L, "a")
  def numbers: AnyRef = (1, 2)
  def large: AnyRef = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, "x")
  def double: AnyRef = Some(2.5)
  def some(value: AnyRef): AnyRef = Some(value)
  def none: AnyRef = None
  def list: AnyRef = List(1L, 2L)
  def vector: AnyRef = Vector(1L, 2L)
  def buffer: AnyRef = mutable.ArrayBuffer(1L, 2L)
  def range: AnyRef = 1 to 3
  def empty: AnyRef = Nil
  def set: AnyRef = ListSet("a", "b")
  def map: AnyRef = ListMap(1L -> "a", 2L -> "b")
  def sorted: AnyRef = TreeMap("b" -> 2.5, "a" -> 1.5)
  def integer: AnyRef = BigInt(2).pow(70)
  def decimal: AnyRef = BigDecimal("-12.50")
  def part: AnyRef = Part(1, "almond", Some(BigDecimal("901.00")), Vector(1, 2))
  def plainPart: AnyRef = new Part(2)
  def inner: AnyRef = Outer.Deep.Inner(Some(true))
  def nothing: AnyRef = Outer.Nothing
  def within: AnyRef = { val outside = new Outside; outside.Within(7) }
  def local: AnyRef = { case class Local(value: Int); Local(7) }
  def capturing: AnyRef = { val by = list.hashCode; case class Local(value: Int) { def sum = value + by }; Local(7) }
  def length: AnyRef = Length(Meters(1.5), Some(Meters(2.5)))
  def curried: AnyRef = Curried(1)("a")
  def box: AnyRef = Box(1, None, List((2, 3L)))
  def either: AnyRef = Left("wrong")

  def lazyList: AnyRef = Stream.from(1)
  def view: AnyRef = List(1, 2).view
  def iterator: AnyRef = Iterator(1)
  def unit: AnyRef = ().asInstanceOf[AnyRef]
  def symbol: AnyRef = Symbol("a")
  def char: AnyRef = Char.box('a')
  def hugeRange: AnyRef = 1 to Int.MaxValue
  def builder: AnyRef = new mutable.StringBuilder("abc")
  def special: AnyRef = new Special(1)
  def cycle: AnyRef = { val values = mutable.ArrayBuffer[Any](1); values += values; values }
  def deepOptions: AnyRef = (1 to 100000).foldLeft[AnyRef](Long.box(1))((inner, _) => Some(inner))
  def numbersTwice: AnyRef = Set[Any](Double.NaN, (1, Double.NaN), (1, Double.NaN))

  def all: AnyRef = All(
    true, 1, 2, 3, 4, 0.5f, 2.5, "羚羊", BigInt(2).pow(70), BigDecimal("1.50"), java.time.LocalDate.of(2024, 2, 29), Some(5), None, List(true, false), Vector(Some(1), None),
    Set((1, "a"), (2, "b")), Map(1 -> Map("a" -> Some(0.5), "b" -> None)), (1.5, Seq[Short](1, 2)),
    Part(1, "almond", None, Nil), Some(Part(2, null, Some(BigDecimal(1)), List(3))), Vector[Byte](1),
    java.util.List.of(Some(7L), None))
  def arrays: AnyRef = Arrays(Array[Byte](0, -1), Array(1L, 2L), Array(Some(1L), None))

  def endless: AnyRef = Numbers(1, Stream.continually(1.0))
  def withNull: AnyRef = Told(1, None, List(1L, null), null, null)
  def nulls: AnyRef = Told(1, null, null, null, null)
  def told: AnyRef = Told(1, Some("a"), List(1L, 2L), ("b", BigInt(3)), Positive(4))
  def boxes: AnyRef = Boxes(Box(1, Some(2), List((3, 4))), Box("a", None, Nil))
  def deep: AnyRef = Outer.Inner(Some(1))
  def aliased: AnyRef = Aliased(Some(1), List(2), Map(3L -> "a"))
  def known: AnyRef = Aliases.Known(Some(1))
  def nan: AnyRef = Numbers(-0.0, Seq(Double.PositiveInfinity))
}
