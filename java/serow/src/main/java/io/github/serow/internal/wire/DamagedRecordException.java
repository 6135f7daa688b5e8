package io.github.serow.internal.wire;

import io.github.serow.DecodeException;

/** The bytes of a record are not those of any value of its type. Its message does not say where. */
public final class DamagedRecordException extends DecodeException {
  private static final long serialVersionUID = 1L;

  DamagedRecordException(String message) {
    super(message);
  }
}
