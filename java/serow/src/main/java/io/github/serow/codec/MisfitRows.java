package io.github.serow.codec;

import io.github.serow.EncodeException;
import io.github.serow.Schema;
import io.github.serow.SerowException;
import io.github.serow.encode.EncodeDiagnostics;
import io.github.serow.encode.Inference;
import io.github.serow.encode.ValueNormalizer;
import io.github.serow.schema.Type;

/** What happens to a row of a message or stream that does not fit the schema. */
public final class MisfitRows {
  private MisfitRows() {}

  /**
   * The binding for row {@code row}, which does not fit {@code binding}. It is the same one if this
   * has replaced the row by a plain one, which may fit.
   *
   * @param before the number of rows before those in {@code rows}, which errors count too
   * @param widening widens the schema for the row; null if such a row is an error
   * @throws EncodeException if the row has no schema, or there is no widening
   */
  public static Binding fitting(
      Binding binding, Object[] rows, int row, long before, Inference widening) {
    Type type = binding.root().type();
    try {
      if (!binding.isMapped() && ValueNormalizer.replace(rows, row, rows.length)) {
        return binding;
      }
      if (widening == null) {
        throw EncodeDiagnostics.find(type, before + row, rows[row]);
      }
      Schema schema = widening.widen(type, rows, row, before);
      if (schema.equals(binding.schema())) {
        // For example a set that contains an element twice.
        throw EncodeDiagnostics.find(type, before + row, rows[row]);
      }
      return Binding.of(schema).with(binding.times());
    } catch (SerowException e) {
      throw e;
    } catch (RuntimeException e) {
      throw EncodeDiagnostics.unreadable(type, before + row, rows[row], e);
    }
  }
}
