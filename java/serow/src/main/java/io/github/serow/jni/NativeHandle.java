package io.github.serow.jni;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/** A native object that is freed when it is closed, or when nobody can reach it any more. */
public final class NativeHandle implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  /** Holds the address for the cleaner, without holding the handle. */
  private record Free(long address, LongConsumer close) implements Runnable {
    @Override
    public void run() {
      close.accept(address);
    }
  }

  private final long address;
  private final Cleaner.Cleanable cleanable;

  /** The object at {@code address}, which {@code close} frees; it is called once. */
  public NativeHandle(long address, LongConsumer close) {
    this.address = address;
    cleanable = CLEANER.register(this, new Free(address, close));
  }

  /** What native methods take. The caller keeps this object reachable while they use it. */
  public long address() {
    return address;
  }

  @Override
  public void close() {
    cleanable.clean();
  }
}
