package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Mapping;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A {@link ByteBuffer} with an array that belongs to it alone: the array, the position, the limit
 * and the order of bytes. A mark is lost.
 */
final class HeapBuffer extends ExactClass {
  static final HeapBuffer BUFFER = new HeapBuffer();

  private static final Form.Steps STEPS = new Form.Steps(HeapBuffer::plain, HeapBuffer::buffer);

  private HeapBuffer() {
    super(ByteBuffer.allocate(0).getClass(), 0, true);
  }

  private static Object plain(Object value) throws TypeMismatch {
    if (!BUFFER.takes(value)) {
      throw TypeMismatch.MISMATCH;
    }
    ByteBuffer buffer = (ByteBuffer) value;
    if (buffer.isReadOnly()
        || buffer.arrayOffset() != 0
        || buffer.array().length != buffer.capacity()) {
      throw TypeMismatch.MISMATCH;
    }
    return new Object[] {
      (long) buffer.position(),
      (long) buffer.limit(),
      buffer.order() == ByteOrder.BIG_ENDIAN,
      buffer.array()
    };
  }

  private static Object buffer(Object plain) {
    Object[] fields = (Object[]) plain;
    long position = (Long) fields[0];
    long limit = (Long) fields[1];
    byte[] bytes = (byte[]) fields[3];
    if (position < 0 || position > limit || limit > bytes.length) {
      throw new DecodeException("a buffer ends before its position or after its array");
    }
    return ByteBuffer.wrap(bytes)
        .limit((int) limit)
        .position((int) position)
        .order((Boolean) fields[2] ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  void visit(Object value, PartVisitor visitor) throws MisfitException {
    STEPS.plain(value);
  }

  @Override
  Mapping mapping(List<Mapping> of, boolean isTracked) {
    List<Mapping> fields =
        List.of(
            scalar(TypeCodes.I64),
            scalar(TypeCodes.I64),
            scalar(TypeCodes.BOOL),
            scalar(CompositeTypes.BYTES.code()));
    return Form.tuple(fields, STEPS, isTracked);
  }

  private static Mapping scalar(int code) {
    return Form.scalar(code, Form.Steps.NONE, false);
  }
}
