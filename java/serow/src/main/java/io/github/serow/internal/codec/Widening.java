package io.github.serow.internal.codec;

import io.github.serow.Schema;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.encode.WriteErrors;
import io.github.serow.internal.value.ValueNormalizer;

/** What happens to a row of a message or stream that does not fit the schema. */
public final class Widening {
  private Widening() {}

  /**
   * The binding that fits a row which did not fit {@code binding}. It is the same if the rows were
   * replaced by plain ones.
   *
   * @param row the row's index
   * @param before the number of rows before the one with index 0
   * @param widening widens the schema; null if a row that does not fit is an error
   * @param misfit what the writer of the row threw
   */
  public static Binding fitting(
      Binding binding,
      Object[] rows,
      int row,
      long before,
      Inference widening,
      RuntimeException misfit) {
    if (!binding.isMapped() && ValueNormalizer.replace(rows, row, rows.length)) {
      return binding;
    }
    Schema schema =
        widening == null ? binding.schema() : widening.widen(binding.type(), rows, row, before);
    if (schema.equals(binding.schema())) {
      throw error(binding, before + row, misfit);
    }
    return Binding.of(schema).with(binding.times());
  }

  /** The exception for a failure while a row was written. */
  public static RuntimeException error(Binding binding, long row, RuntimeException failure) {
    return WriteErrors.of(binding.type(), binding.isMapped(), row, failure);
  }
}
