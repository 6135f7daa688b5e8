package io.github.serow.spark.rdd

import java.math.{BigDecimal => JavaDecimal, BigInteger}
import java.nio.ByteBuffer
import java.time.{Duration, Instant, LocalDate}
import java.util.{ArrayDeque, ArrayList, Date, HashMap, HashSet, LinkedHashMap, LinkedList, Random, UUID}
import java.util.concurrent.TimeUnit

import scala.collection.{immutable, mutable}
import scala.util.{Left, Right}

case class Part(key: Int, name: String, price: Double, tags: Seq[String], size: Option[Long])
case class Any2(first: Any, second: Any)
case class Node(value: Any, var next: Node)
case class Lazy(value: Any) { lazy val text: String = s"of $value" }
case object Nothing1
sealed trait Shape
case class Circle(radius: Double) extends Shape
case class Square(side: Int, name: String) extends Shape
class Bean { var number: Int = 1; var text: String = _; @transient var cache: String = "x" }
class Derived(val first: Any, val second: Long) extends Bean

/** Random objects as users of Spark have them, of classes that are rows and of others. */
class RandomRows(random: Random) {
  private def many: Int = random.nextInt(5)
  private def ref(value: Any): AnyRef = value.asInstanceOf[AnyRef]
  private def list(depth: Int): List[AnyRef] = List.fill(many)(inner(depth))
  private def map(depth: Int): Map[AnyRef, AnyRef] = List.fill(many)(key -> inner(depth)).toMap
  private def key: AnyRef = random.nextInt(4) match {
    case 0 => ref(random.nextInt())
    case 1 => ref((random.nextInt(99), "k"))
    case 2 => Circle(random.nextDouble())
    case _ => "k" + random.nextInt(999)
  }
  private def java(depth: Int): ArrayList[AnyRef] = {
    val all = new ArrayList[AnyRef]
    list(depth).foreach(all.add)
    all
  }

  private def scalar: AnyRef = random.nextInt(17) match {
    case 0 => null
    case 1 | 2 => ref(random.nextInt())
    case 3 => ref(random.nextLong())
    case 4 => ref(random.nextGaussian())
    case 5 => ref(random.nextFloat())
    case 6 => ref(random.nextInt().toShort)
    case 7 => ref(random.nextInt().toByte)
    case 8 => ref(random.nextInt().toChar)
    case 9 => ref(random.nextBoolean())
    case 10 => new BigInteger(random.nextInt(90), random)
    case 11 => JavaDecimal.valueOf(random.nextLong(), random.nextInt(9))
    case 12 => new UUID(random.nextLong(), 7)
    case 13 => LocalDate.ofEpochDay(random.nextInt(9999))
    case 14 => Instant.ofEpochSecond(random.nextInt(), 5)
    case 15 => Duration.ofMillis(random.nextInt())
    case _ => "text \u00e9 " + random.nextInt(50)
  }

  private def date: AnyRef = random.nextInt(4) match {
    case 0 => new Date(random.nextLong())
    case 1 => new _root_.java.sql.Date(random.nextInt())
    case 2 => new _root_.java.sql.Time(random.nextInt())
    case _ =>
      val time = new _root_.java.sql.Timestamp(random.nextInt() * 1000000L)
      time.setNanos(random.nextInt(1000000000))
      time
  }

  def inner(depth: Int): AnyRef = if (depth <= 0) scalar else random.nextInt(3) match {
    case 0 => scalar
    case _ => composite(depth - 1)
  }

  private def composite(depth: Int): AnyRef = random.nextInt(52) match {
    case 0 => ref((inner(depth), inner(depth)))
    case 1 => ref((1, random.nextInt()))
    case 2 => ref((1L, random.nextDouble()))
    case 3 => ref((inner(depth), 'c', true))
    case 4 => Some(inner(depth))
    case 5 => None
    case 6 => Left(inner(depth))
    case 7 => Right(inner(depth))
    case 8 => list(depth)
    case 9 => list(depth).toVector
    case 10 => Vector.fill(random.nextInt(900))(ref(5))
    case 11 => List.fill(many)(key).toSet
    case 12 => map(depth)
    case 13 => mutable.ArrayBuffer(list(depth): _*)
    case 14 => mutable.ListBuffer(list(depth): _*)
    case 15 => mutable.HashMap(map(depth).toSeq: _*)
    case 16 => mutable.HashSet(List.fill(many)(key): _*)
    case 17 | 18 | 19 => Part(random.nextInt(), "almond", random.nextDouble(), List("a", "b"), Some(7L).filter(_ => random.nextBoolean()))
    case 20 | 21 => Any2(inner(depth), inner(depth))
    case 22 => Node(inner(depth), Node(1, null))
    case 23 => val it = Lazy(inner(depth)); if (random.nextBoolean()) it.text; it
    case 24 => Nothing1
    case 25 => Circle(1.5)
    case 26 => Square(2, "s")
    case 27 => Array(random.nextInt(), 2)
    case 28 => Array(random.nextLong())
    case 29 => Array.fill(many)(random.nextInt().toByte)
    case 30 => Array(1.5f, random.nextFloat())
    case 31 => Array("a", null, "b")
    case 32 => list(depth).toArray
    case 33 => Array[Shape](Circle(1), Square(2, null))
    case 34 => Array(Array(1), Array[Int](), null)
    case 35 => Array(Part(1, "p", 1, Nil, None), null)
    case 36 => java(depth)
    case 37 => new LinkedList(java(depth))
    case 38 => new ArrayDeque[AnyRef](new ArrayList(java(depth)) { removeIf(_ == null) })
    case 39 => val it = new HashMap[AnyRef, AnyRef]; map(depth).foreach { case (k, v) => it.put(k, v) }; it
    case 40 => val it = new LinkedHashMap[AnyRef, AnyRef]; map(depth).foreach { case (k, v) => it.put(k, v) }; it
    case 41 => val it = new HashSet[AnyRef]; it.add(key); it
    case 42 => val it = new Bean; it.text = "b"; it.number = random.nextInt(); it
    case 43 => val it = new Derived(inner(depth), random.nextLong()); it.text = "d"; it
    case 44 => ByteBuffer.wrap(Array[Byte](1, 2, 3)).position(1)
    case 45 => TimeUnit.DAYS
    case 46 => BigInt(random.nextInt())
    case 47 => ref(())
    // Kryo keeps all of these.
    case 48 => immutable.TreeMap(1 -> inner(depth))
    case 49 => immutable.Queue(inner(depth))
    case 50 => date
    case _ => val shared = Array(random.nextInt()); List(shared, shared)
  }
}

/** Rows of common classes. */
object SampleRows {
  def part: AnyRef = Part(155190, "goldenrod lavender spring chocolate lace", 901.0, List("a", "b"), Some(7L))
  def pair(number: Int): AnyRef = (number, "text " + number % 100).asInstanceOf[AnyRef]
  def nested: AnyRef = Any2(Vector(Circle(1), Circle(2)), Map("a" -> Array(1, 2, 3)))
}
