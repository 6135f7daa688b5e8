package io.github.serow.internal.jni;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A native object that is freed when it is closed or becomes unreachable.
 *
 * <p>Calls of {@link #freeUnreachable} free unreachable objects. There is no thread for it as in
 * {@link java.lang.ref.Cleaner}, because a thread would keep serow's classes and their class loader
 * reachable forever. If the class loader is unloaded first, native code frees the objects.
 */
public final class NativeHandle implements AutoCloseable {
  private static final ReferenceQueue<NativeHandle> UNREACHABLE = new ReferenceQueue<>();

  /** The references to objects that are not freed yet; this set keeps the references reachable. */
  private static final Set<Owner> OWNERS = ConcurrentHashMap.newKeySet();

  /** Knows the address but does not keep the handle reachable. */
  private static final class Owner extends PhantomReference<NativeHandle> {
    private final long address;

    Owner(NativeHandle handle, long address) {
      super(handle, UNREACHABLE);
      this.address = address;
    }

    void free() {
      if (OWNERS.remove(this)) {
        Native.close(address);
      }
    }
  }

  private final long address;
  private final Owner owner;

  /** Takes over the object at {@code address}. */
  public NativeHandle(long address) {
    this.address = address;
    owner = new Owner(this, address);
    OWNERS.add(owner);
    freeUnreachable();
  }

  /** Frees the objects of unreachable handles. Costs almost nothing if there are none. */
  public static void freeUnreachable() {
    while (UNREACHABLE.poll() instanceof Owner owner) {
      owner.free();
    }
  }

  /**
   * The argument for native methods. The caller must keep this object reachable during the call.
   */
  public long address() {
    return address;
  }

  @Override
  public void close() {
    owner.free();
  }
}
