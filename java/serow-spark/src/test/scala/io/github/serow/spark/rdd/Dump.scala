package io.github.serow.spark.rdd

import java.lang.reflect.{Array => Arrays, Modifier}
import java.util.{Collection, IdentityHashMap, Map => JavaMap, Set => JavaSet}

import scala.collection.{Iterable, Map, Seq, Set}
import scala.jdk.CollectionConverters._

/** An object as text: the classes and values at all places, and which places share an object. */
object Dump {
  def apply(value: Any): String = {
    val text = new StringBuilder
    new Dump(text).add(value)
    text.toString
  }
}

private class Dump(text: StringBuilder) {
  private val seen = new IdentityHashMap[Any, Any]

  private def add(value: Any): Unit = value match {
    case null => text ++= "null"
    case it: Float => text ++= s"${java.lang.Float.floatToRawIntBits(it)}f"
    case it: Double => text ++= s"${java.lang.Double.doubleToRawLongBits(it)}d"
    case it: String => text ++= it
    case it: BigInt => text ++= s"BigInt $it" // It may keep a second form of its value.
    case it if it.getClass.getName.startsWith("java.") && !it.getClass.getName.startsWith("java.util.") &&
      !it.isInstanceOf[java.nio.Buffer] =>
      text ++= s"${it.getClass.getName} $it"
    case it =>
      text ++= it.getClass.getName
      // Immutable objects may come back as equal ones.
      Option(if (isMutable(it)) seen.putIfAbsent(it, seen.size) else null) match {
        case Some(before) => text ++= s" #$before"
        case None => content(it)
      }
  }

  private def isMutable(value: Any) =
    value.getClass.isArray || value.isInstanceOf[Collection[_]] || value.isInstanceOf[Bean]

  private def all(values: IterableOnce[Any]): Unit = {
    text += '('
    values.iterator.foreach { it => add(it); text += ',' }
    text += ')'
  }

  /** In an order that does not depend on hashes. */
  private def sorted(values: Iterable[Any]): Unit = all(values.toSeq.sortBy(Dump(_)))

  private def content(value: Any): Unit = value match {
    case it if it.getClass.isArray => all((0 until Arrays.getLength(it)).map(Arrays.get(it, _)))
    case it: JavaMap[_, _] => sorted(it.asScala.toSeq)
    case it: JavaSet[_] => sorted(it.asScala.toSeq)
    case it: Collection[_] => all(it.asScala)
    case it: Map[_, _] => sorted(it.toSeq)
    case it: Set[_] => sorted(it.toSeq)
    case it: Seq[_] => all(it)
    case it if it.getClass.getName.startsWith("java.util.") => text ++= it.toString
    case it =>
      val classes = Iterator.iterate[Class[_]](it.getClass)(_.getSuperclass).takeWhile(_ != null).toSeq
      val fields = classes.flatMap(_.getDeclaredFields).filterNot(field => Modifier.isStatic(field.getModifiers))
      fields.foreach(_.setAccessible(true))
      all(fields.map(_.get(it)))
  }
}
