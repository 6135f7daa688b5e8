package io.github.serow.internal.wire;

import io.github.serow.NdArray;
import java.lang.invoke.MethodHandles;

/** Access to the components of arrays, without copies, for the other packages of this module. */
public final class NdArrays {
  /** The operations that {@link NdArray} implements and registers with {@link #give}. */
  public interface Access {
    boolean areComponents(long code, byte[] bytes);

    NdArray ofComponents(int code, byte[] bytes);

    int code(NdArray array);

    byte[] bytes(NdArray array);
  }

  private static volatile Access given;

  /** Holder idiom: the JIT compiler treats the field as a constant and inlines calls of it. */
  private static final class Holder {
    static final Access ACCESS = load();

    private static Access load() {
      try {
        MethodHandles.lookup().ensureInitialized(NdArray.class);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("NdArray is public", e);
      }
      return given;
    }
  }

  private NdArrays() {}

  /** Called once, when {@link NdArray} is initialized. */
  public static void give(Access access) {
    given = access;
  }

  /** Whether these are the components of an array. */
  public static boolean areComponents(long code, byte[] bytes) {
    return Holder.ACCESS.areComponents(code, bytes);
  }

  /** The array with these components, which must be valid and must not change. */
  public static NdArray ofComponents(int code, byte[] bytes) {
    return Holder.ACCESS.ofComponents(code, bytes);
  }

  /** The first component of an array. */
  public static int code(NdArray array) {
    return Holder.ACCESS.code(array);
  }

  /** The second component of an array, which must not be modified. */
  public static byte[] bytes(NdArray array) {
    return Holder.ACCESS.bytes(array);
  }
}
