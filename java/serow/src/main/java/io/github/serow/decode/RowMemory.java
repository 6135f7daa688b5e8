package io.github.serow.decode;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.logical.SizedIntType;
import io.github.serow.schema.FieldPath;
import io.github.serow.schema.Type;
import io.github.serow.wire.ObjectSizes;
import io.github.serow.wire.RecordIn;
import java.util.function.Supplier;

/**
 * Counts the memory that rows take, from their records and before they are made, down from a limit.
 * Native code counts the rows of columns ({@code crates/core/src/layout/meter.rs}).
 */
public final class RowMemory {
  /** The rows take more than is allowed; the path is at the place. */
  private static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLarge() {
      super(null, null, false, false);
    }
  }

  private long left;
  private Type root;
  private RecordIn in;
  private final FieldPath path = new FieldPath();

  /** Begins with a limit of so many bytes. */
  public RowMemory(long bytes) {
    left = bytes;
  }

  /**
   * Counts a row. Returns false if the record is invalid from some place on, which reading it will
   * report; until there it is counted.
   *
   * @param name the name of the row in errors
   * @throws LimitException if the rows so far take too much memory
   */
  public boolean take(Type type, RecordIn record, Supplier<String> name) {
    root = type;
    in = record;
    path.clear();
    try {
      take(ObjectSizes.PLACE);
      visit(type);
      return true;
    } catch (TooLarge e) {
      String place = path.depth() > 0 ? path.described(path.in(root)) : "";
      throw new LimitException(name.get() + place + ": " + ObjectSizes.TOO_LARGE);
    } catch (DecodeException | LimitException e) {
      return false;
    }
  }

  private void take(long bytes) {
    left -= bytes;
    if (left < 0) {
      throw new TooLarge();
    }
  }

  private void visit(Type type) {
    switch (type.kind) {
      case OPTIONAL, MAYBE -> {
        if (in.bit()) {
          visit(type.part());
        }
      }
      case UNION -> visit(InterpretedReader.arm(type, in, RecordIn.NEXT));
      case TUPLE, LIST, DICT, RECORD, TUPLE_SEQUENCE, LIST_SEQUENCE, SET, FROZENSET, MAP ->
          visitAll(type);
      case I64 -> {
        in.i64();
        take(ObjectSizes.NUMBER);
      }
      case F64 -> {
        in.f64();
        take(ObjectSizes.NUMBER);
      }
      case STR -> take(in.memoryOfText());
      case LOGICAL -> take(composite(type));
      default -> InterpretedReader.single(type, in, RecordIn.NEXT);
    }
  }

  private void visitAll(Type type) {
    int count = InterpretedReader.begin(type, in, RecordIn.NEXT);
    take(
        switch (type.kind) {
          case SET, FROZENSET -> ObjectSizes.set(count);
          case MAP -> ObjectSizes.map(count / 2);
          case DICT -> ObjectSizes.map(count);
          case RECORD -> ObjectSizes.record(count);
          default -> ObjectSizes.list(count);
        });
    path.enter();
    for (int i = 0; i < count; i++) {
      path.part(type, i);
      visit(type.parts.get(i % type.parts.size()));
    }
    path.leave();
  }

  private long composite(Type type) {
    if (type.logical instanceof SizedIntType || type.logical == CompositeTypes.F32) {
      type.logical.read(in, 0, 0, RecordIn.NEXT);
      return ObjectSizes.composite(type.logical.name(), 0);
    }
    long last = 0;
    for (int i = 0; i < type.logical.ints(); i++) {
      last = in.i64();
    }
    for (int i = 0; i < type.logical.floats(); i++) {
      in.f64();
    }
    int bytes = type.logical.hasBytes() ? in.bytes(type.bytes, RecordIn.NEXT) : 0;
    if (type.logical == CompositeTypes.NDARRAY) {
      return ObjectSizes.ndArray(last, bytes);
    }
    return ObjectSizes.composite(type.logical.name(), bytes);
  }
}
