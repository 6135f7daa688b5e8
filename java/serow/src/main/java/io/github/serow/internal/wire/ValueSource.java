package io.github.serow.internal.wire;

import java.time.LocalDate;
import java.util.function.Function;

/**
 * The values of rows in the order of the schema: {@link Columns} or a {@link RecordIn}.
 *
 * <p>The parameters {@code column} and {@code row} only matter for columns: {@code row} is the row
 * in the windows if each row has one value of the column, otherwise {@link #NEXT}.
 */
public interface ValueSource {
  /** In place of a row: the next value. */
  int NEXT = -1;

  long i64(int column, int row);

  double f64(int column, int row);

  /** Reads the next {@code length} integers. */
  default long[] longs(int column, int length) {
    long[] numbers = new long[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = i64(column, NEXT);
    }
    return numbers;
  }

  /** Reads an integer of this size. */
  default long sized(IntSize size, int column, int row) {
    return i64(column, row);
  }

  /** Reads a float of 32 bits. */
  default double f32(int column, int row) {
    return f64(column, row);
  }

  String str(int column, int row);

  /** Reads a bool, or whether a value is present. */
  boolean bit(int column, int row);

  /**
   * Reads the number of elements of a list or tuple.
   *
   * @param least the smallest number of bytes that each takes in a record
   */
  int count(int column, int row, int least);

  /** Reads the number of elements of a set, which differ; see {@link #count}. */
  default int distinct(int column, int row, int least) {
    return count(column, row, least);
  }

  /** Reads the number of entries of a map, whose keys differ; see {@link #count}. */
  default int entries(int column, int row, int least) {
    return count(column, row, least);
  }

  /** Reads the index of the arm of a union with {@code arms} arms. */
  default int arm(int column, int row, int arms) {
    return count(column, row, 0);
  }

  /** Reads the index of the member of an enum with {@code members} members. */
  default int member(int column, int row, int members) {
    return count(column, row, 0);
  }

  /** Reads a byte component. The result stands for it in the methods below. */
  int bytes(int column, int row);

  int length(int column, int entry);

  /** The bytes of a component as a new array. */
  byte[] get(int column, int entry);

  /** The result of {@code make} for a component's bytes; values with equal bytes may share it. */
  <T> Object share(int column, int entry, Function<byte[], T> make);

  /** The date this many days after 1970-01-01; throws as {@link LocalDate#ofEpochDay}. */
  LocalDate date(long day);

  /** Whether all components are known to form values. */
  boolean isChecked();

  /** Takes memory for objects from the limit, if the source counts it. */
  default void take(long bytes) {}

  /** Called for a null, which takes no space. */
  default void nothing() {}

  /** Called for a list, tuple, dict or record with this number of fields. */
  default void enter(int fields) {}

  /** Called for a value of a type without values; throws. */
  Object never();
}
