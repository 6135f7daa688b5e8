package io.github.serow.internal.row;

import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.List;
import java.util.Objects;

/**
 * One place of a row: it writes a value there, reads one, and emits code that does the same. There
 * is a class of nodes for each kind of type, and some for the classes of callers.
 *
 * <p>A failure inside a value is thrown as a {@link PlacedException}, which has the way to it.
 */
public abstract class Node {
  /** The type of the values. */
  public final Type type;

  /** Whether a column of this place has one value a row. */
  protected final boolean isRowAligned;

  protected Node(Place place) {
    type = place.type();
    isRowAligned = place.isRowAligned();
  }

  /**
   * Writes a value at {@code at}, where {@link #components} have room.
   *
   * @return the position after it
   */
  public abstract int write(Object value, RecordOut out, int at);

  /** Reads the value of row {@code row} of a window; only row-aligned places use the number. */
  public abstract Object read(ValueSource in, int row);

  /** Whether this arm of a union is that of a value. Each value has one at most. */
  public abstract boolean takes(Object value);

  /** The most components that a value has, without the elements of sequences. */
  public int components() {
    return 1;
  }

  /** Whether values need room beyond their {@link #components}. */
  public boolean isVariable() {
    return parts().stream().anyMatch(Node::isVariable);
  }

  /** The fewest bytes that a value takes on the row wire. */
  public int leastBytes() {
    return 1;
  }

  /**
   * Emits code that writes the value in the local variable {@code value}. If a class of nodes emits
   * none of its own, the node itself writes it.
   *
   * @param rest the number of components for which room is needed after the value
   */
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.callNode(this, value);
  }

  /**
   * The lookup of a caller's class whose nestmate the generated code becomes: the first one inside
   * the value that allows it. Null if there is none.
   */
  public Lookup home() {
    return parts().stream().map(Node::home).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** The nodes of the parts, in the order of the type's parts. */
  public List<Node> parts() {
    return List.of();
  }

  /** The former names of a record or an enum, and of its fields or members. */
  public Former former() {
    return Former.NONE;
  }

  /**
   * The values that the fields of a record have where a message lacks them, as objects of the
   * caller's; null for a field without one.
   */
  public Object[] defaults() {
    return new Object[parts().size()];
  }

  /** Emits code that leaves the value on the stack. */
  public void emitRead(ReaderEmitter from) {
    from.callNode(this);
  }

  /**
   * Emits the body of a method that writes the value in {@link WriterEmitter#INPUT}, if the node
   * has a method of its own.
   */
  public void emitWriteBody(WriterEmitter to, int rest) {
    emitWrite(to, WriterEmitter.INPUT, rest);
  }

  /** Emits the body of a method that leaves the value on the stack. */
  public void emitReadBody(ReaderEmitter from) {
    emitRead(from);
  }

  /** The same within a method of something else. */
  public void emitReadInline(ReaderEmitter from) {
    emitRead(from);
  }

  /** Emits code that keeps the window of the place's column for a loop over rows. */
  void emitWindow(ReaderEmitter from) {}

  /** Adds the step to part {@code place} of a value. */
  public void step(FieldPath path, int place) {
    path.item(place);
  }

  protected final int at(int row) {
    return isRowAligned ? row : ValueSource.NEXT;
  }
}
