package io.github.serow.internal.logical;

import io.github.serow.DecodeException;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSource;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A type of several components: converts Java objects to components and back. {@code
 * docs/wire-format.md} defines the components of each type.
 *
 * <p>The components are known to be a valid value, or {@link Components} checks them. The functions
 * here check whether Java's class can represent the value.
 *
 * <p>This is a record, because the JIT compiler treats the fields of a constant record as
 * constants. So it inlines the functions into generated code.
 *
 * @param layout its code, its name, its components and its memory
 * @param test whether a value is an instance of a class of this type
 * @param refusal why the components can't represent a value that passes the test; null if they can
 * @param writer writes a value that passes the test and has no refusal
 * @param reader reads a value
 * @param times the same type where this becomes of what its class lacks; null if it has no times
 */
public record CompositeType(
    Layout layout,
    Predicate<Object> test,
    Function<Object, String> refusal,
    Writer<Object> writer,
    Reader reader,
    Function<Lacking, CompositeType> times) {

  /**
   * The components of a type.
   *
   * @param code its code in type lists
   * @param name its name in the text of schemas
   * @param ints the number of integer components
   * @param floats the number of float components
   * @param hasBytes whether the last component is bytes
   * @param memory the most memory that a value takes, without its bytes; see {@link
   *     io.github.serow.internal.wire.ObjectSizes}
   */
  record Layout(int code, String name, int ints, int floats, boolean hasBytes, int memory) {
    /** A type with these components, whose values are the instances of one class. */
    @SuppressWarnings("unchecked") // The test precedes each call of the writer.
    <T> CompositeType of(Class<T> type, Writer<T> writer, Reader reader) {
      Writer<Object> any = (Writer<Object>) writer;
      return new CompositeType(this, type::isInstance, value -> null, any, reader, null);
    }
  }

  /** Writes the components of a value; see {@link CompositeType#write}. */
  interface Writer<T> {
    int write(T value, RecordOut out, int at);
  }

  /** Reads a value from its components; see {@link CompositeType#read}. */
  public interface Reader {
    Object read(ValueSource in, int numbers, int bytes, int row);
  }

  CompositeType withTest(Predicate<Object> other) {
    return new CompositeType(layout, other, refusal, writer, reader, times);
  }

  CompositeType withRefusal(Function<Object, String> other) {
    return new CompositeType(layout, test, other, writer, reader, times);
  }

  /** The same type, of which values are read otherwise. */
  public CompositeType withReader(Reader other) {
    return new CompositeType(layout, test, refusal, writer, other, times);
  }

  CompositeType withTimes(Function<Lacking, CompositeType> other) {
    return new CompositeType(layout, test, refusal, writer, reader, other);
  }

  public int code() {
    return layout.code;
  }

  public String name() {
    return layout.name;
  }

  public int ints() {
    return layout.ints;
  }

  public int floats() {
    return layout.floats;
  }

  public boolean hasBytes() {
    return layout.hasBytes;
  }

  /** The most memory that a value takes, without its bytes. */
  public int memory() {
    return layout.memory;
  }

  /** The number of components of a value. */
  public int components() {
    return ints() + floats() + (hasBytes() ? 1 : 0);
  }

  /** The smallest number of bytes of a value on the row wire. */
  public int leastBytes() {
    int ofFloat = code() == CompositeTypes.F32.code() ? Float.BYTES : Double.BYTES;
    return ints() + floats() * ofFloat + (hasBytes() ? 1 : 0);
  }

  /** Whether {@code value} is an instance of a class of this type. */
  public boolean takes(Object value) {
    return test.test(value);
  }

  /**
   * Why the components can't represent {@code value}, an instance of this type; null if they can.
   */
  public String refusal(Object value) {
    return refusal.apply(value);
  }

  /**
   * Writes the components of a value at {@code at}, where integers and floats have the capacity.
   * Returns the position after them.
   *
   * @throws TypeMismatch if the value is not of this type, or its components can't represent it
   */
  public int write(Object value, RecordOut out, int at) {
    if (!test.test(value)) {
      throw new TypeMismatch(value);
    }
    String why = refusal.apply(value);
    if (why != null) {
      throw new TypeMismatch(value, value.getClass().getTypeName() + " " + why);
    }
    return writer.write(value, out, at);
  }

  /**
   * Reads a value from its components.
   *
   * @param numbers the column of the first integer or float; the others follow it
   * @param bytes the column of the bytes
   * @param row the row of the value, if each row has one; otherwise {@link ValueSource#NEXT}
   * @throws DecodeException if Java can't represent it; the message says why, but not where
   */
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    return reader.read(in, numbers, bytes, row);
  }

  /** The error for a value that Java's class can't represent. */
  static DecodeException cannotHold(String value, String why) {
    return new DecodeException("cannot decode " + value + ": " + why);
  }

  /** The error for a part of a time that Java's class lacks, and that can be dropped. */
  static DecodeException lacks(String value, String why) {
    return new DecodeException(
        ("cannot decode %s: %s; declare the class of the rows, which drops it, or drop it"
                + " by withTimes(Times.PORTABLE), of a codec, a reader's options or"
                + " Serow.options(), or where it is encoded, in Python by times='portable'")
            .formatted(value, why));
  }

  @Override
  public String toString() {
    return name();
  }
}
