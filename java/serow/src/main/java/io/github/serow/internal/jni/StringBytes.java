package io.github.serow.internal.jni;

import io.github.serow.SerowException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/**
 * Reads the bytes that a string of Java consists of, where it is.
 *
 * <p>Since Java 9 a string holds Latin-1 as one byte a character. No method of Java gives these
 * bytes without an allocation or a second copy, which would cost as much as the rest of a small
 * record. Native code may read the private fields, so they are known once serow's native library is
 * loaded, unless this JVM's strings have other fields. Nothing here ever writes to them.
 */
public final class StringBytes {
  /** Takes a string, and gives its Latin-1 bytes or null. */
  private static final MutableCallSite SITE =
      new MutableCallSite(
          MethodHandles.dropArguments(MethodHandles.constant(byte[].class, null), 0, String.class));

  private static final MethodHandle BYTES = SITE.dynamicInvoker();

  /** The number of strings without known bytes after which loading the library pays. */
  private static final int MANY = 1 << 17;

  /** How many of them are left. Lost updates do no harm. */
  private static int left = MANY;

  private StringBytes() {}

  /**
   * The bytes of a string whose characters are all below U+0100, one byte each, or null if it has
   * others or its bytes are not known. The caller must not change them.
   */
  public static byte[] latin1(String string) {
    try {
      return (byte[]) BYTES.invokeExact(string);
    } catch (Throwable e) {
      throw new IllegalStateException("reading two fields throws nothing", e);
    }
  }

  /**
   * Is told of each string whose bytes were not known. After many, a thread loads the native
   * library and ends, because a program that has only single records needs it for nothing else.
   */
  public static void missed() {
    if (left > 0 && --left == 0) {
      Thread loader = new Thread(null, StringBytes::load, "serow-load", 0, false);
      loader.setDaemon(true);
      loader.setContextClassLoader(null);
      loader.start();
    }
  }

  private static void load() {
    try {
      NativeLibrary.isLoaded();
    } catch (SerowException e) {
      // A wrong setting: whatever needs the library reports it.
    }
  }

  /** Makes the bytes known, if the strings of this JVM are as expected. */
  static void find() {
    try {
      Lookup trusted = Native.trustedLookup();
      MethodHandle coder = trusted.findGetter(String.class, "coder", byte.class);
      MethodHandle isLatin1 =
          MethodHandles.filterReturnValue(
              coder,
              MethodHandles.lookup()
                  .findStatic(
                      StringBytes.class,
                      "isZero",
                      MethodType.methodType(boolean.class, byte.class)));
      MethodHandle bytes =
          MethodHandles.guardWithTest(
              isLatin1, trusted.findGetter(String.class, "value", byte[].class), SITE.getTarget());
      if (isRight(bytes)) {
        SITE.setTarget(bytes);
        MutableCallSite.syncAll(new MutableCallSite[] {SITE});
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // The strings of this JVM have other fields, so their bytes stay unknown.
    }
  }

  private static boolean isZero(byte coder) {
    return coder == 0;
  }

  private static boolean isRight(MethodHandle bytes) {
    try {
      byte[] latin1 = (byte[]) bytes.invokeExact("a\u00e9");
      byte[] other = (byte[]) bytes.invokeExact("a\u0161");
      return latin1 != null
          && latin1.length == 2
          && latin1[0] == 'a'
          && latin1[1] == (byte) 0xe9
          && other == null;
    } catch (Throwable e) {
      return false;
    }
  }
}
