package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.types.Type;

/** A class whose values are converted to those of another mapping, and back. */
final class WrappedMapping extends Mapping {
  private final Class<?> javaClass;
  private final Mapping plain;
  private final WrappedNode.Step unwrap;
  private final WrappedNode.Step wrap;

  WrappedMapping(
      Class<?> javaClass, Mapping plain, WrappedNode.Step unwrap, WrappedNode.Step wrap) {
    this.javaClass = javaClass;
    this.plain = plain;
    this.unwrap = unwrap;
    this.wrap = wrap;
  }

  @Override
  public Type type() {
    return plain.type();
  }

  @Override
  public Node node(Place place) {
    return new WrappedNode(place, plain.node(place), javaClass::isInstance, unwrap, wrap);
  }

  @Override
  public boolean isFixed() {
    return plain.isFixed();
  }

  @Override
  public boolean isRow(Object value) {
    return javaClass.isInstance(value);
  }

  @Override
  Object ofDefault(String text) {
    return wrap.of(plain.ofDefault(text));
  }
}
