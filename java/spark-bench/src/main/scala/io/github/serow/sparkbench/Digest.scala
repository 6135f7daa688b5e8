package io.github.serow.sparkbench

import scala.runtime.ScalaRunTime

/** A number that differs if values or classes of two objects differ.
  *
  * It visits collections, tuples, case classes and arrays, and believes the `hashCode` of all else.
  */
object Digest {
  def of(value: Any): Long = value match {
    case null => 17
    case map: scala.collection.Map[_, _] =>
      named(map, map.iterator.map { case (k, v) => mixed(of(k), of(v)) }.sum)
    case all: Iterable[_] => named(all, all.iterator.foldLeft(7L)((hash, one) => mixed(hash, of(one))))
    case array: AnyRef if array.getClass.isArray =>
      val length = ScalaRunTime.array_length(array)
      val elements = Iterator.tabulate(length)(n => ScalaRunTime.array_apply(array, n))
      named(array, elements.foldLeft(11L)((hash, one) => mixed(hash, of(one))))
    case product: Product =>
      named(product, product.productIterator.foldLeft(13L)((hash, one) => mixed(hash, of(one))))
    case other => named(other, other.hashCode)
  }

  private def named(value: Any, hash: Long): Long = mixed(value.getClass.getName.hashCode, hash)

  private def mixed(hash: Long, next: Long): Long = Mixed.at(hash, next)
}
