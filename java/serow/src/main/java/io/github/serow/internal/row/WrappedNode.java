package io.github.serow.internal.row;

import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.List;
import java.util.function.Predicate;

/** A value of a caller's class that is converted to a plain one and back. */
public final class WrappedNode extends Node {
  /** One of the two conversions. */
  public interface Step {
    Object of(Object value);
  }

  private final Node plain;
  private final Predicate<Object> test;
  private final Step unwrap;
  private final Step wrap;

  /**
   * @param test whether a value is of the class, if this is an arm of a union
   * @param unwrap makes the plain value; null if it is the same
   * @param wrap makes the value of the class; null if it is the same
   */
  public WrappedNode(Place place, Node plain, Predicate<Object> test, Step unwrap, Step wrap) {
    super(place);
    this.plain = plain;
    this.test = test;
    this.unwrap = unwrap;
    this.wrap = wrap;
  }

  @Override
  public int write(Object value, RecordOut out, int at) {
    return plain.write(unwrap == null ? value : unwrap.of(value), out, at);
  }

  @Override
  public Object read(ValueSource in, int row) {
    Object value = plain.read(in, row);
    return wrap == null ? value : wrap.of(value);
  }

  @Override
  public Former former() {
    return plain.former();
  }

  @Override
  public Object[] defaults() {
    return plain.defaults();
  }

  @Override
  public Lookup home() {
    return plain.home();
  }

  @Override
  public List<Node> parts() {
    return plain.parts();
  }

  @Override
  public boolean takes(Object value) {
    return test.test(value);
  }

  @Override
  public int components() {
    return plain.components();
  }

  @Override
  public boolean isVariable() {
    return plain.isVariable();
  }

  @Override
  public int leastBytes() {
    return plain.leastBytes();
  }

  @Override
  public void step(FieldPath path, int place) {
    plain.step(path, place);
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    if (unwrap != null) {
      to.step(unwrap, value);
    }
    plain.emitWrite(to, value, rest);
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    plain.emitRead(from);
    if (wrap != null) {
      from.step(wrap);
    }
  }
}
