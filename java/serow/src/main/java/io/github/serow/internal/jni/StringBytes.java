package io.github.serow.internal.jni;

import io.github.serow.SerowException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.Arrays;

/**
 * Reads the bytes that a string of Java consists of, where it is, and makes strings of bytes.
 *
 * <p>Since Java 9 a string holds Latin-1 as one byte a character. No method of Java gives these
 * bytes without an allocation or a second copy, or makes a string without one, which would cost as
 * much as the rest of a small record. Native code may use private fields and constructors, so the
 * bytes are known once serow's native library is loaded, unless this JVM's strings have other
 * members. Nothing here ever writes to them.
 */
public final class StringBytes {
  /** Takes a string, and gives its Latin-1 bytes or null. */
  private static final MutableCallSite SITE =
      new MutableCallSite(
          MethodHandles.dropArguments(MethodHandles.constant(byte[].class, null), 0, String.class));

  private static final MethodHandle BYTES = SITE.dynamicInvoker();

  /** Takes Latin-1 bytes, and gives a string of them. */
  private static final MutableCallSite MAKER_SITE =
      new MutableCallSite(own("copied", String.class, byte[].class));

  private static final MethodHandle MAKER = MAKER_SITE.dynamicInvoker();

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

  /** Makes a string of Latin-1 bytes. The caller must not change the array afterwards. */
  public static String ofLatin1(byte[] bytes) {
    try {
      return (String) MAKER.invokeExact(bytes);
    } catch (Throwable e) {
      throw new IllegalStateException("making a string throws nothing", e);
    }
  }

  @SuppressWarnings("deprecation") // It takes each byte as a Latin-1 character.
  private static String copied(byte[] latin1) {
    missed();
    return new String(latin1, 0);
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
      MethodHandle bytes =
          MethodHandles.guardWithTest(
              MethodHandles.filterReturnValue(coder, own("isZero", boolean.class, byte.class)),
              trusted.findGetter(String.class, "value", byte[].class),
              SITE.getTarget());
      MethodType parts = MethodType.methodType(void.class, byte[].class, byte.class);
      MethodHandle maker =
          MethodHandles.insertArguments(trusted.findConstructor(String.class, parts), 1, (byte) 0);
      if (isRight(bytes, maker)) {
        SITE.setTarget(bytes);
        MAKER_SITE.setTarget(maker);
        MutableCallSite.syncAll(new MutableCallSite[] {SITE, MAKER_SITE});
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // The strings of this JVM have other members, so their bytes stay unknown.
    }
  }

  /** A static method of this class. */
  private static MethodHandle own(String name, Class<?> result, Class<?> parameter) {
    try {
      return MethodHandles.lookup()
          .findStatic(StringBytes.class, name, MethodType.methodType(result, parameter));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private static boolean isZero(byte coder) {
    return coder == 0;
  }

  private static boolean isRight(MethodHandle bytes, MethodHandle maker) {
    try {
      byte[] latin1 = (byte[]) bytes.invokeExact("a\u00e9");
      byte[] other = (byte[]) bytes.invokeExact("a\u0161");
      return Arrays.equals(latin1, new byte[] {'a', (byte) 0xe9})
          && other == null
          && "a\u00e9".equals((String) maker.invokeExact(latin1.clone()));
    } catch (Throwable e) {
      return false;
    }
  }
}
