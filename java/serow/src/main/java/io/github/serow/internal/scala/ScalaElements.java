package io.github.serow.internal.scala;

import io.github.serow.internal.wire.Limits;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the elements of a Scala collection.
 *
 * @param iterator creates an iterator
 * @param hasNext whether an iterator has more elements
 * @param next the next element of an iterator
 * @param size the size of a collection that knows it, such as a range; null if it would have to
 *     count
 */
public record ScalaElements(
    MethodHandle iterator, MethodHandle hasNext, MethodHandle next, MethodHandle size) {

  static ScalaElements of(ScalaSupertypes above) {
    MethodHandle begin = ScalaClass.handle(above.get("scala.collection.Iterable"), "iterator");
    Class<?> iterators = begin.type().returnType();
    Class<?> indexed = above.get("scala.collection.IndexedSeq");
    return new ScalaElements(
        begin.asType(MethodType.methodType(Object.class, Object.class)),
        ScalaClass.handle(iterators, "hasNext")
            .asType(MethodType.methodType(boolean.class, Object.class)),
        ScalaClass.handle(iterators, "next")
            .asType(MethodType.methodType(Object.class, Object.class)),
        indexed == null
            ? null
            : ScalaClass.handle(indexed, "length")
                .asType(MethodType.methodType(int.class, Object.class)));
  }

  /** The elements of {@code collection}, or null if they are more than a row may have. */
  Object[] all(Object collection) throws Throwable {
    if (size != null && (int) size.invokeExact(collection) > Limits.MAX_ROW_ELEMENTS) {
      return null;
    }
    List<Object> elements = new ArrayList<>();
    Object at = (Object) iterator.invokeExact(collection);
    while ((boolean) hasNext.invokeExact(at)) {
      if (elements.size() == Limits.MAX_ROW_ELEMENTS) {
        return null;
      }
      elements.add((Object) next.invokeExact(at));
    }
    return elements.toArray();
  }

  /** The entries of a map, each key before its value; or null if they are too many. */
  Object[] entries(Object map) throws Throwable {
    Object[] pairs = all(map);
    if (pairs == null || pairs.length > Limits.MAX_ROW_ELEMENTS / 2) {
      return null;
    }
    Object[] entries = new Object[2 * pairs.length];
    for (int i = 0; i < pairs.length; i++) {
      Object[] pair = (Object[]) ScalaClass.plain(pairs[i]);
      entries[2 * i] = pair[0];
      entries[2 * i + 1] = pair[1];
    }
    return entries;
  }
}
