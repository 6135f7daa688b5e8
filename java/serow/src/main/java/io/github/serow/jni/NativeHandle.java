package io.github.serow.jni;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * A native object that is freed when it is closed, or once nobody can reach it.
 *
 * <p>Unreachable ones are freed by calls of {@link #freeUnreachable}, and not by a thread as {@link
 * java.lang.ref.Cleaner} has one: a thread would keep serow's classes, and so their class loader,
 * reachable for good. If the loader goes while there are objects, native code frees them.
 */
public final class NativeHandle implements AutoCloseable {
  private static final ReferenceQueue<NativeHandle> UNREACHABLE = new ReferenceQueue<>();

  /** Those that are not freed yet; it keeps the references themselves reachable. */
  private static final Set<Owner> OWNERS = ConcurrentHashMap.newKeySet();

  /** Knows the address without holding the handle. */
  private static final class Owner extends PhantomReference<NativeHandle> {
    private final long address;
    private final LongConsumer close;

    Owner(NativeHandle handle, long address, LongConsumer close) {
      super(handle, UNREACHABLE);
      this.address = address;
      this.close = close;
    }

    void free() {
      if (OWNERS.remove(this)) {
        close.accept(address);
      }
    }
  }

  private final long address;
  private final Owner owner;

  /** The object at {@code address}, which {@code close} frees; it is called once. */
  public NativeHandle(long address, LongConsumer close) {
    this.address = address;
    owner = new Owner(this, address, close);
    OWNERS.add(owner);
    freeUnreachable();
  }

  /** Free the objects of handles that nobody can reach. It takes no time where there are none. */
  public static void freeUnreachable() {
    while (UNREACHABLE.poll() instanceof Owner owner) {
      owner.free();
    }
  }

  /** What native methods take. The caller keeps this object reachable while they use it. */
  public long address() {
    return address;
  }

  @Override
  public void close() {
    owner.free();
  }
}
